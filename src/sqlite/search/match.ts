/** Builds FTS5 expressions. Every word is quoted, so nothing that a person types is an operator. */
import type { WordQuery } from "../../core/ports/search.ts";

/** Matches any of the words and all phrases, without the excluded ones; null if the query is empty. */
export function anyWord(query: WordQuery): string | null {
  const { required } = conditions(query);
  const any = termsOf(query).join(" OR ");
  if (any === "" && required === null) return null;
  const parts = [required, any === "" ? null : `(${any})`].filter((part) => part !== null);
  return without(query, parts.join(" AND "));
}

/** Texts that contain everything themselves, not through neighbours or their date. */
export function everyWord(query: WordQuery): string | null {
  const every = everyTerm(query);
  return every === null ? null : without(query, own(every));
}

/** Questions that contain everything. */
export function everyWordAsked(query: WordQuery): string | null {
  const every = everyTerm(query);
  if (every === null || query.excluded.length === 0) return every;
  return `(${every}) NOT (${query.excluded.map(phrase).join(" OR ")})`;
}

function everyTerm(query: WordQuery): string | null {
  const terms = [...query.phrases.map(phrase), ...termsOf(query)];
  return terms.length === 0 ? null : terms.join(" AND ");
}

/** Only the conditions, for texts found by another search; null if there are none. */
export function conditions(query: WordQuery): { required: string | null; excluded: string | null } {
  const or = query.excluded.map(phrase).join(" OR ");
  const and = query.phrases.map(phrase).join(" AND ");
  return { required: and === "" ? null : own(and), excluded: or === "" ? null : own(or) };
}

/** Each word separately, to count its texts. */
export function termsOf({ words, prefixes, wished, bigrams }: WordQuery): string[] {
  return [
    ...wished.map(phrase),
    ...words.map((word) => phrase([word])),
    ...prefixes.map((prefix) => `${phrase([prefix])} *`),
    ...bigrams.map((pair) => phrase([pair])),
  ];
}

/** Texts that match, except those with an excluded word. */
export function without(query: WordQuery, expression: string): string {
  const { excluded } = conditions(query);
  return excluded === null ? expression : `(${expression}) NOT (${excluded})`;
}

/** Only the text's own columns, not its neighbours. */
function own(expression: string): string {
  return `({heading text tags bigrams} : (${expression}))`;
}

const LONE_CJK = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u;

/** A single CJK character matches as the prefix of a bigram. */
export function phrase(words: readonly string[]): string {
  const quoted = `"${words.join(" ").replaceAll('"', '""').replaceAll("\0", "")}"`;
  return LONE_CJK.test(words.join(" ")) ? `${quoted} *` : quoted;
}
