/**
 * The terms of a text that no index holds, about as full text search would have them: without accents, English endings off, CJK
 * as pairs. It decides what a query demands of a hit from elsewhere; how well that matches is its backend's to say.
 */
import { cjkBigrams, withoutCjk } from "./cjk.ts";

export interface TextTerms {
  /** In their order, as `termOf` has them. */
  readonly words: readonly string[];
  readonly pairs: readonly string[];
}

export function termsOf(text: string): TextTerms {
  const words = withoutCjk(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return { words: words.map(termOf), pairs: cjkBigrams(text) };
}

/** One word, or a pair of CJK characters, which stays as it is. */
export function termOf(word: string): string {
  if (cjkBigrams(word).length > 0) return word;
  return stemOf(word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
}

/** Whether the terms stand there one after the other; a phrase has words or pairs, and what is excluded may have both. */
export function holds({ words, pairs }: TextTerms, phrase: readonly string[]): boolean {
  const terms = phrase.map(termOf);
  const split = terms.findIndex((term) => cjkBigrams(term).length > 0);
  const [latin, cjk] = split === -1 ? [terms, []] : [terms.slice(0, split), terms.slice(split)];
  return isWithin(words, latin) && isWithin(pairs, cjk);
}

function isWithin(all: readonly string[], part: readonly string[]): boolean {
  if (part.length === 0) return true;
  return all.some((_, start) => part.every((term, index) => all[start + index] === term));
}

/** Coarser than Porter's, and the same for both sides. */
function stemOf(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  return word
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?<=..)(?<!s)s$/, "")
    .replace(/(?<=[aeiouy].*)(?:ing|(?<!e)ed)$/, "")
    .replace(/(?<=..)e$/, "")
    .replace(/([^aeiouylsz])\1$/, "$1")
    .replace(/(?<=..)y$/, "i");
}
