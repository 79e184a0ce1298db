/** The words for comparing facts: stemmed, without stop words; and which of them are values. */

import { NUMBER_WORDS } from "../../core/language/number-words.ts";
import { isStopWord, isStopWordSomewhere } from "../../core/language/stop-words.ts";
import { cjkBigrams, withoutCjk } from "../../core/text/cjk.ts";
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

/** Without the stop words of any language. */
export function contentWords(text: string): string[] {
  return factWords(text.replace(/\S+/g, (word) => (tokensOf(word).every(isStopWordSomewhere) ? " " : word)));
}

/** What kind of value a word is, in the form that `factWords` returns; null for an ordinary word. */
export function kindOf(word: string): "number" | "day" | null {
  if (/\d/.test(word) || NUMBERS.has(word)) return "number";
  return isDay(word) ? "day" : null;
}

const NUMBERS: ReadonlySet<string> = new Set(NUMBER_WORDS.map(termOf));

/** A weekday or month. */
function isDay(word: string): boolean {
  dayNames ??= new Set(
    ["en", "de", "es", "fr"].flatMap((language) => {
      const nameOf = (options: Intl.DateTimeFormatOptions) => {
        const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
        return (time: number) => factWords(format.format(time));
      };
      const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2026, 0, day + 1));
      const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 1));
      return [...days.flatMap(nameOf({ weekday: "long" })), ...months.flatMap(nameOf({ month: "long" }))];
    }),
  );
  return dayNames.has(word);
}

let dayNames: ReadonlySet<string> | undefined;

const CONJUNCTION = "(?<![\\p{L}\\p{N}])(?:and|or|und|oder|y|o|et|ou)(?![\\p{L}\\p{N}])|[和或及]";
const HAS_CONJUNCTION = new RegExp(CONJUNCTION, "iu");
/** Not the comma in "Acme, a bakery", which says what Acme is. */
const JOINS = new RegExp(
  `[;、，；]|,(?!\\s*(?:an?|the|eine?|der|die|das|una?|el|la|les?|une)(?![\\p{L}\\p{N}]))|${CONJUNCTION}`,
  "iu",
);

/** "I drink coffee" and "tea" in "I drink coffee and tea". */
export function joinedIn(text: string): string[] {
  return text.split(JOINS).filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** "Yoga is on Tuesdays and choir on Fridays", not "Yoga is on Tuesdays, early". */
export function hasConjunction(text: string): boolean {
  return HAS_CONJUNCTION.test(text);
}
