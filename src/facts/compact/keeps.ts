/**
 * Checks that a fact in a model's words keeps the meaning of a note. It must have the note's numbers, names, denials and most other
 * words, and add no numbers, names or denials. If in doubt, the check fails, and the note is kept in its own words.
 */
import { keyedFact, plainFact } from "../../core/facts/fact-text.ts";
import { saysNo } from "../../core/language/change-words.ts";
import { isStopWord } from "../../core/language/stop-words.ts";
import { termOf } from "../../core/text/terms.ts";

/** Share of words other than numbers, names and denials. */
const LEAST_KEPT = 2 / 3;

interface Word {
  readonly text: string;
  /** Its form for comparison. */
  readonly term: string;
  readonly isFirst: boolean;
}

/** What the facts together lose from the note; null if nothing. */
export function lostFrom(note: string, facts: readonly string[]): string | null {
  const kept = new Set(facts.flatMap(saidWords).map(({ term }) => term));
  const said = saidWords(note);
  const missing = said.filter(({ term }) => !kept.has(term));
  const number = missing.find(isNumber);
  if (number !== undefined) return `the number ${number.text}`;
  const name = missing.find(isName);
  if (name !== undefined) return `the name ${name.text}`;
  if (saysNo(note) && !facts.some(saysNo)) return "a denial";
  const content = said.filter(isContentWord);
  const lost = missing.filter(isContentWord);
  if (content.length - lost.length < content.length * LEAST_KEPT) return `the word ${lost[0]?.text}`;
  return null;
}

/** What a fact adds that is in none of the notes; null if nothing. */
export function inventedIn(fact: string, notes: readonly string[]): string | null {
  const known = new Set(notes.flatMap(saidWords).map(({ term }) => term));
  const fresh = saidWords(fact).filter(({ term }) => !known.has(term));
  const invented = fresh.find((word) => isNumber(word) || isName(word));
  if (invented !== undefined) return invented.text;
  return saysNo(fact) && !notes.some(saysNo) ? "a denial" : null;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-./:@&+_'’][\p{L}\p{N}\p{M}]+)*/gu;

/** Without a category in front ("User preference: ..."). */
function saidWords(text: string): Word[] {
  const keyed = keyedFact(text);
  const said = plainFact(keyed?.isCategory ? keyed.value : text).replace(/['’]s(?![\p{L}\p{N}])/gu, "");
  return Array.from(said.matchAll(WORD), ([word], index) => ({
    ...{ text: word, term: termOf(word) },
    isFirst: index === 0,
  }));
}

function isNumber({ text }: Word): boolean {
  return /\p{N}/u.test(text);
}

/** The first word of a sentence is always capitalized, so there a word that ends like a verb isn't a name. */
function isName({ text, isFirst }: Word): boolean {
  if (/[@/_]|\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(text)) return true;
  if (!/^\p{Lu}/u.test(text) || isStopWord(text.toLowerCase()) || text.toLowerCase() === "user") return false;
  return !isFirst || !/(?:s|ed|ing)$/.test(text);
}

function isContentWord({ text }: Word): boolean {
  return !isStopWord(text.toLowerCase()) && text.toLowerCase() !== "user";
}
