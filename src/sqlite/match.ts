/** FTS5 expressions out of a query's words. Every word is quoted, so nothing that a person types is an operator. */
import type { WordQuery } from "../core/ports.ts";

/** Texts with any of the words and all of the phrases, without the excluded ones; null where nothing is asked for. */
export function anyWord(query: WordQuery): string | null {
  const phrases = query.phrases.map(phrase);
  const terms = [...phrases, ...termsOf(query)];
  if (terms.length === 0) return null;
  const any = `(${terms.join(" OR ")})`;
  return without(query, phrases.length === 0 ? any : `${phrases.join(" AND ")} AND ${any}`);
}

/** Texts that hold all of it themselves, not by way of their neighbours or their date. */
export function everyWord(query: WordQuery): string | null {
  const terms = [...query.phrases.map(phrase), ...termsOf(query)];
  if (terms.length === 0) return null;
  return without(query, own(terms.join(" AND ")));
}

/** The conditions alone, for texts that another list found; null where there are none. */
export function conditions(query: WordQuery): { required: string | null; excluded: string | null } {
  const or = query.excluded.map(phrase).join(" OR ");
  const and = query.phrases.map(phrase).join(" AND ");
  return { required: and === "" ? null : and, excluded: or === "" ? null : own(or) };
}

/** Each word by itself, to count the texts that it is in. A lone CJK character is the beginning of a pair. */
export function termsOf({ words, prefixes, wished, bigrams }: WordQuery): string[] {
  return [
    ...wished.map(phrase),
    ...words.map((word) => phrase([word])),
    ...prefixes.map((prefix) => `${phrase([prefix])} *`),
    ...bigrams.map((pair) => (Array.from(pair).length === 1 ? `${phrase([pair])} *` : phrase([pair]))),
  ];
}

function without(query: WordQuery, expression: string): string {
  const { excluded } = conditions(query);
  return excluded === null ? expression : `(${expression}) NOT (${excluded})`;
}

/** What a text says itself: that a neighbour says it does not count. */
function own(expression: string): string {
  return `{heading text tags bigrams} : (${expression})`;
}

function phrase(words: readonly string[]): string {
  return `"${words.join(" ").replaceAll('"', '""').replaceAll("\0", "")}"`;
}
