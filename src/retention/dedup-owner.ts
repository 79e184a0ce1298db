/**
 * Whose value it is, where a fact with a key says so in its value: "Birthday: Anna March 15", "Deadline: report on May 3",
 * "Phone: Bob's is 555-9876". A name alone is the value itself, and so is one with a version: "Laptop: ThinkPad X1".
 */
import { canonicalKey } from "../core/fact-text.ts";
import {
  ADVERBS,
  DETAIL_STARTS,
  EMPTY_WORDS,
  MODALS,
  NEGATORS,
  PAST_VERBS,
  TIME_WORDS,
  VERB_FORMS,
} from "./dedup-lexicon.ts";
import { sameWord, type Word } from "./dedup-words.ts";

const NUMBER_OR_DATE = ({ word }: Word) => /\p{N}/u.test(word) || TIME_WORDS.has(word);
const ADDRESS = ({ word }: Word) => /@|:\/\/|\p{L}\.\p{L}/u.test(word);
/** A phone's own name has fewer digits: "Pixel 8". */
const PHONE_NUMBER = ({ word }: Word) => /^[+(]?\d[\d./-]{2,}$/.test(word);

/** The last word of a key whose value has a known form, by which a word before it is none of it. */
const FORMS: ReadonlyMap<string, (word: Word) => boolean> = new Map([
  ["phone", PHONE_NUMBER],
  ...["email", "url", "website", "homepage", "domain"].map((noun) => [noun, ADDRESS] as const),
  ...`age birthday anniversary deadline date time expiry height weight size salary budget price cost port ip zip postcode
      password passphrase limit timeout threshold quota interval version`
    .split(/\s+/)
    .map((noun) => [noun, NUMBER_OR_DATE] as const),
]);
/** Before a number or a date they say how exact it is, or in what it is counted. */
const QUALIFIERS = new Set(
  `early mid late end start beginning middle half quarter past roughly approx approximately almost exactly circa max maximum min
   minimum least most up due born week day month year alpha beta rc release q of this coming user my our i`.split(
    /\s+/,
  ),
);
const MOST_OWNER_WORDS = 4;

/** Before the owner: "my mother's". */
const FILLERS = new Set("the a an my our user i".split(" "));

/** How many words at its beginning name the owner. */
export function ownerLength(noun: string, value: readonly Word[]): number {
  const isForm = FORMS.get(headOf(noun));
  const own = value.findIndex(({ owns }) => owns);
  const next = value[own + 1];
  // "Ender's Game" is a name as a whole.
  const isOwned = own !== -1 && next !== undefined && (!next.capital || isForm?.(next) === true);
  const before = isForm === undefined ? [] : value.slice(0, Math.max(0, value.findIndex(isForm)));
  const length = isOwned ? own + 1 : before.findLastIndex((word) => !isQualifier(word)) + 1;
  return length > MOST_OWNER_WORDS || value.slice(0, length).some(isOfSentence) ? 0 : length;
}

/** The words that name the owner, in lower case; "" for the user. */
export function ownerOf(words: readonly Word[]): string {
  return words
    .filter(({ word }) => !FILLERS.has(word))
    .map(({ word }) => word)
    .join(" ");
}

/** No name has these: "Deadline: moved to May 3", "Age: not 34". A verb may be a noun in its base form: "report". */
function isOfSentence({ word }: Word): boolean {
  const base = VERB_FORMS.get(word) ?? word;
  return (
    base !== word || PAST_VERBS.has(word) || MODALS.has(word) || NEGATORS.has(word) || /\p{N}/u.test(word)
  );
}

/** "on", "about", "EUR", "the". */
function isQualifier({ word, text }: Word): boolean {
  return (
    QUALIFIERS.has(word) ||
    EMPTY_WORDS.has(word) ||
    ADVERBS.has(word) ||
    DETAIL_STARTS.has(word) ||
    /^\p{Lu}{3}$/u.test(text) ||
    !/\p{L}/u.test(word)
  );
}

/** Keys whose values are common words: a name before one may be whose it is. */
const DESCRIBED = new Set("diet gender religion nationality blood allergy".split(" "));

/** "Diet: Anna vegan", "Diet: Bob vegetarian"; "Room: Anna 12", "Room: Bob 14". */
export function mayHaveOwners(
  noun: string,
  isOpen: boolean,
  known: readonly Word[],
  added: readonly Word[],
): boolean {
  const isNamed = ([first, second, more]: readonly Word[]) =>
    first?.capital === true &&
    second !== undefined &&
    more === undefined &&
    ((isOpen && /^\d/.test(second.word)) || (DESCRIBED.has(headOf(noun)) && !second.capital));
  return isNamed(known) && isNamed(added) && !sameWord(known[0] as Word, added[0] as Word);
}

function headOf(noun: string): string {
  return canonicalKey(noun).split(" ").at(-1) ?? "";
}
