/**
 * Whether a fact in a model's words still says what a note says. Numbers, names and denials must be there, and most other
 * words; what the notes do not say must not. In doubt the answer is no: the note is then kept in its own words.
 */
import { keyedFact } from "../core/fact-text.ts";
import {
  ADVERBS,
  AUXILIARIES,
  EMPTY_WORDS,
  NEGATORS,
  PREPOSITIONS,
  USER_WORDS,
  VERB_FORMS,
} from "./dedup-lexicon.ts";
import { sameWord, type Word, wordsOf } from "./dedup-words.ts";

/** Of the words that are no numbers, names or denials. */
const LEAST_KEPT = 2 / 3;

/** Why the facts together do not say what the note says; null where they do. */
export function lostFrom(note: string, facts: readonly string[]): string | null {
  const kept = facts.flatMap(saidWords);
  const said = saidWords(note);
  const missing = said.filter((word) => !kept.some((other) => sameWord(word, other)));
  const number = missing.find(isNumber);
  if (number !== undefined) return `the number ${number.text}`;
  const name = missing.find((word) => isName(word, said.indexOf(word)));
  if (name !== undefined) return `the name ${name.text}`;
  if (countOf(said, isDenial) > countOf(kept, isDenial)) return "a denial";
  const telling = said.filter(isTelling);
  const lost = missing.filter(isTelling);
  if (telling.length - lost.length < telling.length * LEAST_KEPT) return `the word ${lost[0]?.text}`;
  return null;
}

/** What a fact says that none of the notes does; null where there is nothing of the kind. */
export function inventedIn(fact: string, notes: readonly string[]): string | null {
  const known = notes.flatMap(saidWords);
  const said = saidWords(fact);
  const fresh = said.filter((word) => !known.some((other) => other.base === word.base));
  const invented = fresh.find((word) => isNumber(word) || isName(word, said.indexOf(word)));
  if (invented !== undefined) return invented.text;
  const denial = said.find(isDenial);
  return denial !== undefined && !known.some(isDenial) ? denial.text : null;
}

/** Without what only says of which kind it is: "User preference: ...". */
function saidWords(text: string): Word[] {
  const keyed = keyedFact(text);
  return wordsOf(keyed?.isCategory ? keyed.value : text);
}

function isNumber({ word }: Word): boolean {
  return /\p{N}/u.test(word);
}

/** The first word of a sentence has a capital anyway: there a verb is no name. */
function isName({ text, word, capital, afterBreak }: Word, at: number): boolean {
  if (/[@/_\\]|\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(text)) return true;
  const isOpening = at === 0 || afterBreak;
  return capital && !(isOpening && isOrdinary(word));
}

function isOrdinary(word: string): boolean {
  return (
    [EMPTY_WORDS, ADVERBS, AUXILIARIES, USER_WORDS, PREPOSITIONS, NEGATORS].some((list) => list.has(word)) ||
    VERB_FORMS.has(word)
  );
}

function isDenial({ word }: Word): boolean {
  return NEGATORS.has(word);
}

function isTelling({ word }: Word): boolean {
  return !EMPTY_WORDS.has(word) && !PREPOSITIONS.has(word) && !USER_WORDS.has(word);
}

function countOf(words: readonly Word[], is: (word: Word) => boolean): number {
  return words.filter(is).length;
}
