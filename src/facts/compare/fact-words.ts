/** The words for comparing facts: stemmed, without stop words. */
import { cjkBigrams, withoutCjk } from "../../core/text/cjk.ts";
import { isStopWord } from "../../core/text/stop-words.ts";
import { termOf } from "../../core/text/terms.ts";

/** Versions, times, paths and names with symbols are one word each: "4.2", "9:30", "us-east-1", "C++", ".env". */
const TOKEN = /[.#$€£]?[\p{L}\p{N}\p{M}]+(?:[-./:@&+_][\p{L}\p{N}\p{M}]+)*(?:\+\+|[#%])?/gu;
const NEGATED = /n['’]t$/i;
const POSSESSIVE = /['’]s?(?![\p{L}\p{N}])/gu;

/** Every word, in lower case. */
export function tokensOf(text: string): string[] {
  return withoutCjk(text.replace(POSSESSIVE, " ")).toLowerCase().match(TOKEN) ?? [];
}

/** In the order of the text, with repetitions. */
export function factWords(text: string): string[] {
  const words = tokensOf(text.replace(/\S+/g, (word) => (NEGATED.test(word) ? " " : word)));
  return [...words.filter((word) => !isStopWord(word)).map(termOf), ...cjkBigrams(text)];
}

/** The share of common words, from 0 to 1. */
export function sharedWords(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length;
  return a.size + b.size === 0 ? 0 : (2 * both) / (a.size + b.size);
}
