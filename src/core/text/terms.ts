/**
 * The terms of an unindexed text, approximately as in full-text search: without accents and English endings, CJK as bigrams. Used
 * to check a query's conditions on hits from a server; the backend scores them.
 */

import { isStopWord } from "../language/stop-words.ts";
import { cjkBigrams, withoutCjk } from "./cjk.ts";

interface TextTerms {
  /** In order, as `termOf` returns them. */
  readonly words: readonly string[];
  readonly pairs: readonly string[];
}

export function termsOf(text: string): TextTerms {
  const words = withoutCjk(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return { words: words.map(termOf), pairs: cjkBigrams(text) };
}

/** Without stop words. */
export function contentTerms(text: string): string[] {
  const { words, pairs } = termsOf(text);
  return [...words.filter((word) => !isStopWord(word)), ...pairs];
}

/** One word, or a CJK bigram, which stays as it is. */
export function termOf(word: string): string {
  if (cjkBigrams(word).length > 0) return word;
  return stemOf(word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
}

/** Whether the terms occur consecutively; a phrase has words or bigrams, an exclusion may have both. */
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

/** Coarser than Porter's stemmer, applied to both sides. */
function stemOf(word: string): string {
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  return word
    .replace(/(?:ies|ied)$/, "y")
    .replace(/(?<=..)(?<!s)s$/, "")
    .replace(/(?<=.{5})ly$/, "")
    .replace(/(?<=[aeiouy].*)(?:ing|(?<!e)ed)$/, "")
    .replace(/(?<=..)e$/, "")
    .replace(/([^aeiouylsz])\1$/, "$1")
    .replace(/(?<=..)y$/, "i");
}
