/**
 * Parses single times in words or digits: "8 May 2023", "2023-05", "summer 2023", "Q3", and relative times. If the year is missing,
 * the reading knows how to find it.
 */
import { months, realDay, unitSpan } from "./calendar.ts";
import {
  fixed,
  isJoined,
  isVerb,
  monthsAt,
  nearestYear,
  plusDays,
  type Reading,
  type Reference,
  type Surroundings,
  weekdayAt,
  wordAt,
} from "./reading.ts";
import { latestWeekend, readAgo, readNamedDay, readRelative } from "./relative.ts";
import { COUNTED, MONTHS, SEASONS, WEEKDAYS } from "./words.ts";

/** The time that the tokens from `index` name; null if they name none. */
export function readTime(around: Surroundings, index: number): Reading | null {
  const the = wordAt(around, index) === "the" && isJoined(around, index + 1);
  const start = the ? index + 1 : index;
  return (
    readIso(around, start) ??
    readNamedDay(around, start) ??
    readRelative(around, start, the) ??
    readAgo(around, start) ??
    readDate(around, start) ??
    readPartOfYear(around, start, the) ??
    readYear(around, start)
  );
}

/** "2023-05-08", "2023/05/08", "2023-05". */
function readIso(around: Surroundings, index: number): Reading | null {
  const match = /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?$/.exec(wordAt(around, index));
  if (match === null) return null;
  const [year, month] = [Number(match[1]), Number(match[2])];
  if (!isYear(year) || month < 1 || month > 12) return null;
  const day = match[3];
  return fixed(
    index + 1,
    day === undefined ? months(year, month - 1, 1) : realDay(year, month - 1, Number(day)),
  );
}

/** "8 May 2023", "the 8th of May", "May 8, 2023", "May 2023", "May", each also after a weekday. */
function readDate(around: Surroundings, index: number): Reading | null {
  const weekday = WEEKDAYS.get(wordAt(around, index));
  if (weekday !== undefined) return readWeekday(around, index, weekday);
  const day = dayOfMonth(around, index);
  if (day !== null) {
    const monthAt = wordAt(around, index + 1) === "of" ? index + 2 : index + 1;
    const month = MONTHS.get(wordAt(around, monthAt));
    if (month === undefined || !isJoined(around, monthAt)) return null;
    const isOrdinal = !/^\d+$/.test(wordAt(around, index));
    if (!isOrdinal && around.lead === "" && isVerb(around, monthAt, true)) return null;
    return withYear(around, monthAt + 1, month, day);
  }
  const month = MONTHS.get(wordAt(around, index));
  if (month === undefined) return null;
  const after = isJoined(around, index + 1) ? dayOfMonth(around, index + 1) : null;
  if (after !== null && !COUNTED.has(wordAt(around, index + 2)))
    return withYear(around, index + 2, month, after);
  return withYear(around, index + 1, month, null);
}

function readWeekday(around: Surroundings, index: number, weekday: number): Reading {
  const dateAt = wordAt(around, index + 1) === "the" ? index + 2 : index + 1;
  const dated = isJoined(around, dateAt) ? readDate(around, dateAt) : null;
  if (dated !== null && dated.weak === undefined) return dated;
  const yesterday = plusDays(unitSpan(around.now, "day").from, -1).from;
  const at = (reference: Reference = { latest: yesterday }) => weekdayAt(weekday, reference);
  return { next: index + 1, weak: "weekday", open: true, at };
}

function withYear(around: Surroundings, index: number, month: number, day: number | null): Reading | null {
  const spanIn = (year: number) => (day === null ? months(year, month, 1) : realDay(year, month, day));
  const given = yearAfter(around, index);
  if (given !== null) return fixed(given.next, spanIn(given.year));
  const at = (reference: Reference = { latest: around.now }) => nearestYear(reference, spanIn);
  return { next: index, weak: day === null ? "month" : undefined, open: true, at };
}

/** "Summer of 2023", "the summer", "Q3 2024", "Q3", "the weekend". */
function readPartOfYear(around: Surroundings, index: number, the: boolean): Reading | null {
  const word = wordAt(around, index);
  if (the && word === "weekend") return { ...fixed(index + 1, latestWeekend(around.now)), weak: "weekend" };
  const quarter = quarterStart(word);
  const month = quarter ?? SEASONS.get(word);
  if (month === undefined) return null;
  const given = yearAfter(around, index + 1);
  if (given !== null) return fixed(given.next, months(given.year, month, 3));
  if (quarter === undefined && !the && around.lead !== "since") return null;
  const at = (reference: Reference = { latest: around.now }) => monthsAt(month, 3, reference);
  return { next: index + 1, weak: quarter === undefined ? "season" : "quarter", open: true, at };
}

/** "The year 2023", "2023", "2024 Q3". */
function readYear(around: Surroundings, index: number): Reading | null {
  const isSaid = wordAt(around, index) === "year";
  const at = isSaid ? index + 1 : index;
  const year = yearAt(around, at);
  if (year === null || (isSaid && !isJoined(around, at))) return null;
  const quarter = quarterStart(wordAt(around, at + 1));
  if (quarter !== undefined) return fixed(at + 2, months(year, quarter, 3));
  if (!isSaid && COUNTED.has(wordAt(around, at + 1))) return null;
  return { ...fixed(at + 1, months(year, 0, 12)), weak: isSaid ? undefined : "year" };
}

function quarterStart(word: string): number | undefined {
  const quarter = /^q([1-4])$/.exec(word)?.[1];
  return quarter === undefined ? undefined : (Number(quarter) - 1) * 3;
}

function yearAfter(around: Surroundings, index: number): { year: number; next: number } | null {
  const at = wordAt(around, index) === "of" ? index + 1 : index;
  const year = isJoined(around, at) ? yearAt(around, at) : null;
  return year === null ? null : { year, next: at + 1 };
}

function yearAt(around: Surroundings, index: number): number | null {
  const token = around.tokens[index];
  return token?.number != null && /^\d{4}$/.test(token.word) && isYear(token.number) ? token.number : null;
}

function isYear(number: number): boolean {
  return number >= 1900 && number < 2200;
}

function dayOfMonth(around: Surroundings, index: number): number | null {
  const token = around.tokens[index];
  const isDay = token?.number != null && token.word.length <= 4 && token.number >= 1 && token.number <= 31;
  return isDay ? token.number : null;
}
