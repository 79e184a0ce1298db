/** Whether two facts give one thing different values: of a key, as a name, as a number, or in the same place of a sentence. */
import { keyedFact } from "../../core/facts/fact-text.ts";
import {
  givesValue,
  isNewWord,
  mainClause,
  withoutChange,
  withoutNow,
} from "../../core/language/change-words.ts";
import { PREPOSITIONS } from "../../core/language/function-words.ts";
import { isStopWordSomewhere } from "../../core/language/stop-words.ts";
import { factWords, hasConjunction, kindOf, tokensOf } from "./fact-words.ts";
import { type Part, partsOf } from "./parts.ts";
import { saysWhatOneDoes } from "./subjects.ts";

/** Of these, only one holds at a time. */
const PLACES: ReadonlySet<string> = new Set("at in for en para à chez".split(" "));

const SINGLE: ReadonlySet<string> = new Set(
  `timezone name nickname birthday email phone address city hometown country employer company job role occupation wife husband
   spouse partner pronouns username os editor ide browser shell`.split(/\s+/),
);
const ONE_OF_A_KIND = /^(?:favorite|preferred|default|main|primary|current|native|official|legal) /;

/** A key that has one value at a time. Any other key is just a word before a colon: "Likes: coffee", "Note: ...". */
export function isSingleKey(key: string): boolean {
  return !key.endsWith("s") && (ONE_OF_A_KIND.test(key) || SINGLE.has(key.split(" ").at(-1) ?? ""));
}

export function givesKeyAnotherValue(known: string, added: string): boolean {
  const [before, now] = [keyedFact(known), keyedFact(added)];
  if (before === null || now === null || before.key !== now.key || before.isCategory) return false;
  const values = [before.value, now.value].map(tokensOf);
  const isNumber = (words: string[]) => words.length === 1 && /\d/.test(words[0] ?? "");
  // "Anna 555-1234" names an owner, so it isn't plain.
  const isPlain = (words: string[]) =>
    words.length === 1 || (words.length === 2 && words.every((word) => /^\p{L}+$/u.test(word)));
  return values.every(isNumber) || (isSingleKey(before.key) && values.every(isPlain));
}

/** "My manager is Sofia", "My manager is now Tom": what has one name at a time. Not "Tom is ...", since a person is many things. */
export function givesAnotherName(known: string, added: string): boolean {
  const [before, now] = [nameGivenIn(known), nameGivenIn(added)];
  return before !== null && before.to === now?.to && before.name !== now.name;
}

/** "My manager is Sofia" or "Sofia is my manager". */
function nameGivenIn(text: string): { readonly to: string; readonly name: string } | null {
  const said = withoutChange(text).replace(/[.!]$/, "").trim();
  const words = said.split(/\s+/).filter((word) => !isNewWord(word));
  const at = words.findIndex((word) => givesValue(word.toLowerCase()));
  if (at < 1) return null;
  const sides = [words.slice(0, at), words.slice(at + 1)];
  const isRole = (side: readonly string[] = []) => {
    const [first = ""] = side;
    const word = first.toLowerCase();
    const isOwned = (isStopWordSomewhere(word) && !PREPOSITIONS.has(word)) || /['’]s$/.test(first);
    return side.length > 1 && isOwned;
  };
  const [to, name] = isRole(sides[0]) ? sides : sides.toReversed();
  if (!isRole(to) || !name?.every((word) => /^[\p{Lu}\p{N}]/u.test(word))) return null;
  return { to: to?.join(" ").toLowerCase() ?? "", name: name?.join(" ") ?? "" };
}

/** "The car is 9 years old"; not "Port 5432 is for staging", where the number is part of a name. */
export function isAnotherNumber(
  known: string,
  added: string,
  lost: readonly string[],
  come: readonly string[],
): boolean {
  const isNumber = (word: string) => kindOf(word) === "number";
  if (come.length === 0 || !come.every(isNumber) || !lost.every(isNumber)) return false;
  const [before, now] = [tokensOf(known), tokensOf(added)];
  const start = before.findIndex((word, at) => word !== now[at]);
  const [last = "", beforeLast = ""] = before.slice(0, Math.max(0, start)).reverse();
  return (
    givesValue(last) ||
    (isStopWordSomewhere(last) && givesValue(beforeLast)) ||
    (start === 2 && saysWhatOneDoes(known))
  );
}

/** "The contract runs until March" and "The contract runs until June": what ends has one end. */
export function givesAnotherEnd(known: string, added: string): boolean {
  const [before = [], now = []] = [known, added].map((text) => text.split(UNTIL));
  const [what = "", day = "", ...more] = before;
  const [same = "", other = ""] = now;
  const isSame = factWords(what).join(" ") === factWords(same).join(" ");
  return more.length === 0 && isSame && isDate(day) && isDate(other);
}

/** "March 2027", "the end of May"; not "8 on Mondays". */
function isDate(text: string): boolean {
  const isOther = (word: string) => PREPOSITIONS.has(word) && word !== "of" && word !== "de";
  return !tokensOf(text).some(isOther) && factWords(text).some((word) => kindOf(word) !== null);
}

const UNTIL = /(?<!\p{L})(?:until|till|bis|hasta|jusqu['’][àe]n?)(?!\p{L})/iu;

/**
 * Whether the new fact says the known one again, but for a value of the same kind: "Yoga is on Thursdays now" for "Yoga is on Tuesdays",
 * "I work at Globex now" for "I work at Acme". Not "Jonas is on vacation now" for "Jonas is on the Phoenix team", and not "Mia is 8
 * now" for "Mia gets up at 7", which says more.
 */
export function givesAnotherValue(known: string, added: string): boolean {
  const [before, now] = [partsOf(withoutNow(known)), partsOf(withoutChange(mainClause(added)))];
  const without = (parts: readonly Part[], others: readonly Part[]) =>
    parts.filter(({ word }) => !others.some((other) => other.word === word));
  const come = without(now, before);
  const lost = without(withoutTitle(before, now), now);
  const values = !hasConjunction(known) && come.some(isDay) ? untilLastDay(lost) : lost;
  const kinds = kindsOf(come);
  if (come.length === 0 || kinds.includes("other") || kinds !== kindsOf(values)) return false;
  return !kinds.includes("name") || (come.length === 1 && areInOnePlace(before, now, values[0], come[0]));
}

/** "I no longer play tennis with Pedro" and "I play tennis with Jonas". */
export function haveOtherNames(known: string, added: string): boolean {
  const names = (text: string) => partsOf(text).filter(({ kind }) => kind === "name");
  const [before, now] = [names(known), names(added)];
  const has = (one: Part, all: readonly Part[]) => all.some(({ word }) => word === one.word);
  return before.length > 0 && now.length > 0 && !before.some((one) => has(one, now));
}

/** "Jonas is on the Phoenix team" and "Jonas is on vacation now": after the same words, a name and no name. */
export function givesAnotherKind(known: string, added: string): boolean {
  const [before, now] = [partsOf(withoutNow(known)), partsOf(withoutChange(mainClause(added)))];
  const start = before.findIndex(({ word }, at) => word !== now[at]?.word);
  const [old, value] = [before[start], now[start]];
  return start > 0 && old?.after === value?.after && old?.kind !== value?.kind;
}

/** "Frieda is 5" for "User's daughter Frieda is 5", if the other fact names her too. */
function withoutTitle(parts: readonly Part[], others: readonly Part[]): readonly Part[] {
  const head = parts.findIndex(({ word }) => others.some((other) => other.word === word));
  const isTitle = parts[head]?.kind === "name" && parts.slice(0, head).every(({ kind }) => kind === "other");
  return isTitle ? parts.slice(head) : parts;
}

const isDay = ({ kind }: Part) => kind === "day";

/** "on Thursdays" for "on Thursdays after standup". */
function untilLastDay(parts: readonly Part[]): readonly Part[] {
  const end = parts.findLastIndex(isDay) + 1;
  return parts.slice(end).some(({ word }) => /\d/.test(word)) ? parts : parts.slice(0, end);
}

/** The kinds of some values; several days count as one, since they may be a list: "on Tuesdays and Thursdays". */
function kindsOf(values: readonly Part[]): string {
  const kinds = values.map(({ kind }) => kind);
  return kinds
    .filter((kind, at) => kind !== "day" || kinds.indexOf(kind) === at)
    .sort()
    .join(" ");
}

/** One lives in one city and works at one company, but speaks two languages. Between the same words, it is one for that purpose. */
function areInOnePlace(before: readonly Part[], now: readonly Part[], lost?: Part, come?: Part): boolean {
  if (lost === undefined || come === undefined || lost.after !== come.after) return false;
  const [last, lastNow] = [before.at(-1), now.at(-1)];
  const isBetween = last !== lost && lastNow !== come && last?.word === lastNow?.word;
  return PLACES.has(lost.after) || isBetween;
}
