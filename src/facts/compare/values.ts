/** Whether two facts give one thing different values: of a key, as a name, as a number, or in the same place of a sentence. */
import { keyedFact } from "../../core/facts/fact-text.ts";
import {
  givesValue,
  isNewWord,
  mainClause,
  withoutChange,
  withoutNow,
} from "../../core/text/change-words.ts";
import { isStopWord, isStopWordSomewhere } from "../../core/text/stop-words.ts";
import { factWords, kindOf, tokensOf } from "./fact-words.ts";
import { saysWhatOneDoes } from "./subjects.ts";

const ARTICLES: ReadonlySet<string> = new Set(
  "a an the der die das dem den ein eine einen einem einer el la los las un una le les du des".split(" "),
);
const PREPOSITIONS: ReadonlySet<string> = new Set(
  `in at on by for from of to with until auf bei für mit von zu bis im am zum zur en de al por para con hasta à au dans chez pour
   avec 在 于 於 到`.split(/\s+/),
);

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

/**
 * "Deploys go out on Thursdays" and "Deploys are on Tuesdays now" differ only in the weekday, "I work at Acme" and "I work at Globex
 * now" are the same up to a preposition. Not "The pool opens at 9" and "The pool now closes at 20", which says something else.
 */
export function givesAnotherValue(known: string, added: string): boolean {
  const [old, said] = [withoutNow(known), withoutChange(mainClause(added))];
  const [before, now] = [factWords(old), factWords(said.replace(TAKES_PLACE, " "))];
  const lost = new Set(before.filter((word) => !now.includes(word)).map(kindOf));
  const come = now.filter((word) => !before.includes(word)).map(kindOf);
  const areValues = come.length > 0 && come.every((kind) => kind !== null && lost.has(kind));
  return areValues || fillsTheSamePlace(old, said);
}

/** It says no more than "is". */
const TAKES_PLACE = /(?<!\p{L})(?:takes? place|findet? .*statt)(?!\p{L})/giu;

/** Two values after the same words and a preposition, or between the same words: "We use ... for CI". */
function fillsTheSamePlace(known: string, added: string): boolean {
  const [before, now] = [pieces(known), pieces(added)];
  const start = before.findIndex((word, at) => word !== now[at]);
  if (start < 2) return false;
  const longer = now.length - before.length;
  const end = before.findLastIndex((word, at) => word !== now[at + longer]) + 1;
  const hasContent = (words: readonly string[]) => words.some((word) => !isStopWord(word));
  const values = [before.slice(start, end), now.slice(start, end + longer)];
  // "with Sara on the app", "with Tim on the website"; "Paul 50", "Lea 20": two things differ.
  const isTwo = (words: readonly string[]) =>
    words.some((word) => PREPOSITIONS.has(word)) ||
    (words.some((word) => kindOf(word) !== null) && words.some((word) => kindOf(word) === null));
  if (values.every(isTwo) || !values.every(hasContent)) return false;
  return PREPOSITIONS.has(before[start - 1] ?? "") || hasContent(before.slice(end));
}

/** Words without articles; Chinese, Japanese and Korean by character. */
function pieces(text: string): string[] {
  const spaced = text.replace(/\p{Script=Han}/gu, " $& ");
  return spaced
    .split(/\s+/)
    .flatMap((word) => (/^\p{Script=Han}$/u.test(word) ? word : tokensOf(word)))
    .filter((word) => !ARTICLES.has(word));
}
