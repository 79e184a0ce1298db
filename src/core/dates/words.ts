/**
 * English words that name times, and the tokenizer. Contains only unambiguous words: no "sun", "sat" or "second".
 */
import { MONTH_NAMES, WEEKDAY_NAMES } from "../../util/days.ts";
import type { Unit } from "./calendar.ts";

export interface Token {
  /** Lower case, without a final 's. */
  readonly word: string;
  /** A number, including "8th"; null if it is part of something longer: "3.5", "$20", "CVE-2023-1". */
  readonly number: number | null;
  readonly start: number;
  readonly end: number;
  /** Only spaces or a comma separate it from the token before. */
  readonly joined: boolean;
}

const TOKEN =
  /(?<![\p{L}\p{N}_./-])\d{4}(?:-\d\d(?:-\d\d)?|\/\d{1,2}\/\d{1,2})(?![\d/-])|[\p{L}\p{M}\p{N}_]+(?:['’]s(?![\p{L}\p{N}]))?/gu;
const NUMBER = /^(\d{1,9})(?:st|nd|rd|th)?$/;
const PART_OF_MORE_BEFORE = /[\p{Sc}#.:/\\+*=@-]/u;
const PART_OF_MORE_AFTER = /^(?:%|[.:/\\-][\p{L}\p{N}])/u;

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let before = "";
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const start = match.index;
    const word = match[0].toLowerCase().replace(/['’]s$/, "");
    const whole =
      !PART_OF_MORE_BEFORE.test(text[start - 1] ?? "") &&
      !PART_OF_MORE_AFTER.test(text.slice(start + match[0].length, start + match[0].length + 2));
    const number = whole ? NUMBER.exec(word)?.[1] : undefined;
    tokens.push({
      word,
      number: number === undefined ? null : Number(number),
      start,
      end: start + match[0].length,
      joined: isGap(text, end, start, before),
    });
    before = word;
    end = start + match[0].length;
  }
  return tokens;
}

/** A period joins only after an abbreviated month: "Sept. 2023". */
function isGap(text: string, from: number, to: number, before: string): boolean {
  if (from === 0 || to - from > 8) return false;
  const gap = text.slice(from, to).trim();
  return (
    gap === "" || gap === "," || (gap === "." && before.length <= 4 && before !== "may" && MONTHS.has(before))
  );
}

/** 0 is January. */
export const MONTHS: ReadonlyMap<string, number> = new Map([
  ...MONTH_NAMES.map((name, month) => [name.toLowerCase(), month] as const),
  ...MONTH_NAMES.map((name, month) => [name.slice(0, 3).toLowerCase(), month] as const),
  ["sept", 8],
]);

/** 0 is Monday. */
export const WEEKDAYS: ReadonlyMap<string, number> = new Map(
  WEEKDAY_NAMES.map((name, day) => [name.toLowerCase(), (day + 6) % 7]),
);

/** The first month of each season, in whole months of the northern hemisphere. Winter extends into the next year. */
export const SEASONS: ReadonlyMap<string, number> = new Map([
  ["spring", 2],
  ["summer", 5],
  ["autumn", 8],
  ["fall", 8],
  ["winter", 11],
]);

export const UNITS: ReadonlyMap<string, Unit> = new Map(
  (["day", "week", "month", "quarter", "year"] as const).flatMap((unit) => [
    [unit, unit] as const,
    [`${unit}s`, unit] as const,
  ]),
);

/** In hours. */
export const HOURS: ReadonlyMap<string, number> = new Map([
  ["hour", 1],
  ["hours", 1],
  ["minute", 1 / 60],
  ["minutes", 1 / 60],
]);

/** The range of a number word. "A couple" and "a few" are vague, so their ranges are wide. */
export const COUNTS: ReadonlyMap<string, readonly [least: number, most: number]> = new Map([
  ...["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"].map(
    (word, index) => [word, [index + 1, index + 1] as const] as const,
  ),
  ["a", [1, 1]],
  ["an", [1, 1]],
  ["couple", [2, 3]],
  ["few", [2, 5]],
  ["several", [3, 8]],
]);

/** Before one of these words, a number is a count, not a year or day: "in 2000 steps". */
export const COUNTED: ReadonlySet<string> = new Set(
  `ms seconds minutes hours days weeks months years people users words tokens files lines dollars euros steps items rows
   requests pages times km kilometers kilometres miles meters metres feet blocks bytes kb mb gb percent degrees`.split(
    /\s+/,
  ),
);

/** Words after "may" as a verb: always before a verb ("may be"); before a subject ("may I") only if no month can be meant. */
export const AFTER_MAY: Readonly<Record<"verbs" | "subjects", ReadonlySet<string>>> = {
  verbs: new Set(
    `be not have also well need want cause help seem take still never only even do get use become contain include
     result lead require happen make go come change`.split(/\s+/),
  ),
  subjects: new Set(["i", "we", "you", "he", "she", "it", "they", "or", "the", "this", "that", "then"]),
};
