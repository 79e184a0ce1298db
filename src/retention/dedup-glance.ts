/**
 * What a fact may say, told by its letters alone. To cut a fact into words takes much longer than a look at it, and of
 * thousands of known facts few have a word in common with a new one. A glance may be wrong in one direction only: what it
 * passes over does not have the term.
 */
import { KEY_SPELLINGS } from "../core/fact-text.ts";
import { ATTRIBUTE_VERBS, cluesOf } from "./dedup-attributes.ts";
import { SAME_WORDS, VERB_FORMS } from "./dedup-lexicon.ts";
import { COPULAS } from "./dedup-statement.ts";
import { HELD_APART } from "./dedup-words.ts";

/** Of a fact in its normal form. */
export type Glance = (normal: string) => boolean;

const NOT_ASCII = /[^\x20-\x7e]/;
/** An underscore is a letter of a word, but a text may be underlined. */
const WORD_BEGINS = "(?<![a-z0-9])";
/** After the letters of a term: "study" is the term of "studies", "does" has that of "doesn't". */
const WORD_ENDS = "(?:ys?|ies|e?s)?(?:n'?t)?(?![a-z0-9])";
const DENIED = "n'?t(?![a-z0-9])";

/** Made when first needed: most commands compare nothing. */
let spellings: ReadonlyMap<string, readonly string[]> | null = null;

/** The other spellings of a term. */
function spellingsOf(term: string): readonly string[] {
  spellings ??= allSpellings();
  return spellings.get(term) ?? [];
}

function allSpellings(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const note = (spelling: string, term: string) => {
    const known = found.get(term);
    if (known === undefined) found.set(term, [spelling]);
    else known.push(spelling);
  };
  for (const [spelling, term] of [...SAME_WORDS, ...VERB_FORMS]) note(spelling, term);
  for (const form of COPULAS) note(form, "be");
  for (const [whole, parts] of HELD_APART)
    for (const part of parts) {
      note(whole, part);
      note(whole, COPULAS.has(part) ? "be" : (VERB_FORMS.get(part) ?? part));
    }
  return found;
}

/** Passes every fact that has one of the terms. */
export function glanceForTerms(terms: readonly string[]): Glance {
  const spelt = new Set(terms.flatMap((term) => [term, ...spellingsOf(term)]));
  const { words = [], signs = [] } = Object.groupBy(spelt, (spelling) =>
    /^[a-z0-9]/.test(spelling) ? "words" : "signs",
  );
  const patterns = [...signs.map(patternOf)];
  if (words.length > 0) patterns.push(`${WORD_BEGINS}(?:${words.map(patternOf).join("|")})`);
  if (terms.includes("not")) patterns.push(DENIED);
  const pattern = new RegExp(patterns.join("|"));
  return (normal) => pattern.test(normal) || NOT_ASCII.test(normal);
}

function patternOf(spelling: string): string {
  const letters = RegExp.escape(spelling.endsWith("y") ? spelling.slice(0, -1) : spelling);
  return /[a-z0-9]$/.test(spelling) ? `${letters}${WORD_ENDS}` : letters;
}

let hasAttributeVerb: Glance | null = null;

/** Passes every fact that gives any attribute a value. */
function mayHaveAttribute(normal: string): boolean {
  hasAttributeVerb ??= glanceForTerms(ATTRIBUTE_VERBS);
  return normal.includes(": ") || hasAttributeVerb(normal);
}

/** Passes every fact that gives one of these attributes a value. */
export function glanceForAttributes(names: readonly string[]): Glance {
  const clues = names.map(cluesOf);
  if (clues.includes(null)) return mayHaveAttribute;
  const words = clues.flatMap((words) => words ?? []);
  const respelt = words
    .flatMap((word) => KEY_SPELLINGS.get(word) ?? [])
    .map((said) => said.split(" ")[0] ?? said);
  const hasClue = glanceForTerms([...words, ...respelt]);
  return (normal) => hasClue(normal) && mayHaveAttribute(normal);
}
