/**
 * Whether a fact in a model's words still says what a note says. Numbers, names and denials must be there, and most other
 * words; the fact must add none of its own. In doubt the answer is no: the note is then kept in its own words.
 */
import { keyedFact, plainFact } from "../../core/facts/fact-text.ts";
import { isStopWord } from "../../core/text/stop-words.ts";
import { termOf } from "../../core/text/terms.ts";
import { saysNo } from "../compare/change-words.ts";

/** Of the words that are no numbers, names or denials. */
const LEAST_KEPT = 2 / 3;

interface Word {
  readonly text: string;
  /** As words are compared. */
  readonly term: string;
  readonly isFirst: boolean;
}

/** Why the facts together do not say what the note says; null where they do. */
export function lostFrom(note: string, facts: readonly string[]): string | null {
  const kept = new Set(facts.flatMap(saidWords).map(({ term }) => term));
  const said = saidWords(note);
  const missing = said.filter(({ term }) => !kept.has(term));
  const number = missing.find(isNumber);
  if (number !== undefined) return `the number ${number.text}`;
  const name = missing.find(isName);
  if (name !== undefined) return `the name ${name.text}`;
  if (saysNo(note) && !facts.some(saysNo)) return "a denial";
  const telling = said.filter(isTelling);
  const lost = missing.filter(isTelling);
  if (telling.length - lost.length < telling.length * LEAST_KEPT) return `the word ${lost[0]?.text}`;
  return null;
}

/** What a fact says that none of the notes does; null where there is nothing of the kind. */
export function inventedIn(fact: string, notes: readonly string[]): string | null {
  const known = new Set(notes.flatMap(saidWords).map(({ term }) => term));
  const fresh = saidWords(fact).filter(({ term }) => !known.has(term));
  const invented = fresh.find((word) => isNumber(word) || isName(word));
  if (invented !== undefined) return invented.text;
  return saysNo(fact) && !notes.some(saysNo) ? "a denial" : null;
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:[-./:@&+_'’][\p{L}\p{N}\p{M}]+)*/gu;

/** Without what only says of which kind it is: "User preference: ...". */
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

/** The first word of a sentence has a capital anyway: there, one that ends like a verb is no name. */
function isName({ text, isFirst }: Word): boolean {
  if (/[@/_]|\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(text)) return true;
  if (!/^\p{Lu}/u.test(text) || isStopWord(text.toLowerCase()) || text.toLowerCase() === "user") return false;
  return !isFirst || !/(?:s|ed|ing)$/.test(text);
}

function isTelling({ text }: Word): boolean {
  return !isStopWord(text.toLowerCase()) && text.toLowerCase() !== "user";
}
