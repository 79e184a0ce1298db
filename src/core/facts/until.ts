/** A fact's last day, from its writer or from its text. Days are in the local time zone. */

import { localDay, MONTH_NAMES, WEEKDAY_NAMES } from "../../util/days.ts";
import { type Span, unitSpan } from "../dates/calendar.ts";
import { readTime } from "../dates/expressions.ts";
import type { Reading } from "../dates/reading.ts";
import { type Token, tokensOf, UNITS, WEEKDAYS } from "../dates/words.ts";

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;

export function isDay(text: string): boolean {
  return DAY.test(text);
}

/** "Nora is on leave (until 2026-11-20)"; unchanged if the text already names that day. */
export function withEnd(text: string, until: string | null | undefined): string {
  return until && !text.includes(until) ? `${text} (until ${until})` : text;
}

/** The first moment after a day ("2026-11-20"). */
export function endOfDay(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1);
}

/** The last day of the time that `said` names, relative to `from`; null if it names none, or one before `from`. */
export function lastDay(said: string, from: Date): string | null {
  const moment = momentIn(said);
  if (!Number.isNaN(moment)) {
    const day = localDay(new Date(moment).toISOString());
    return endOfDay(day) > from ? day : null;
  }
  const reading = timeIn(said, from);
  const span = reading === null ? null : comingSpan(reading, from);
  return span === null ? null : dayBefore(span.to);
}

/** Why `lastDay` is null, for an error: "'2020-01-01' is in the past". */
export function noLastDay(said: string, from: Date): string {
  // "2027-02-30" reads like a day.
  const isTime = !Number.isNaN(momentIn(said)) || timeIn(said, from)?.at({ latest: from }) != null;
  return `'${said}' is ${isTime ? "in the past" : "not a day"}`;
}

function momentIn(said: string): number {
  const words = said.trim();
  return /^\d{4}-\d\d-\d\d[T ]\d/.test(words) ? Date.parse(words) : Number.NaN;
}

/** null unless the whole text names a time, in the words that may follow "until" in a sentence. */
function timeIn(said: string, now: Date): Reading | null {
  const words = said.trim();
  return wholeTime(words, now) ?? wholeTime(dayInEnglish(words), now);
}

function wholeTime(words: string, now: Date): Reading | null {
  const tokens = tokensOf(words);
  const reading = readTime({ tokens, now, lead: "until" }, 0);
  const isAll =
    reading?.next === tokens.length && tokens[0]?.start === 0 && tokens.at(-1)?.end === words.length;
  return isAll ? reading : null;
}

/** "zum 30. Oktober", "the end of October" and "gestern" as "30 October", "October" and "yesterday". */
function dayInEnglish(said: string): string {
  const words = withEnglishMonths(said).replace(END_OF_UNIT, "end of this").replace(LEADING, "");
  return daysInEnglish().get(words.toLowerCase()) ?? words;
}

const LEADING = /^(?:(?:the|el|zum) )?(?:end of )?/i;

const UNTIL: ReadonlySet<string> = new Set(["until", "till", "bis", "hasta"]);
/** "Hasta el 30 de octubre", "bis zum 30. Oktober". */
const ARTICLES: ReadonlySet<string> = new Set(["the", "el", "zum"]);
/** Every week has a Friday. */
const REPEATED = /\b(?:every|each|always|usually|daily|weekly)\b/i;

/**
 * The last day that a sentence names directly after "until"; null if it names none. A bare month, season or year doesn't count: "the
 * lifts run until April" may be true every year. "The end of April" does.
 */
export function lastDayIn(text: string, from: Date): string | null {
  if (!/until|till|bis|hasta/i.test(text)) return null;
  const words = /(?:bis|hasta)(?!\p{L})/iu.test(text) ? withEnglishMonths(text) : text;
  const tokens = tokensOf(words.replace(END_OF_UNIT, "end of this"));
  const says = (index: number, word: string) =>
    tokens[index]?.word === word && tokens[index]?.joined === true;
  const days = tokens.flatMap(({ word }, index) => {
    if (!UNTIL.has(word) || tokens[index + 1]?.joined !== true) return [];
    const time = ARTICLES.has(tokens[index + 1]?.word ?? "") ? index + 2 : index + 1;
    const isEnd = says(time, "end") && says(time + 1, "of");
    const reading = readTime({ tokens, now: from, lead: "until" }, isEnd ? time + 2 : time);
    if (reading === null || !isOneTime(reading, text, { before: tokens[index - 1], isEnd })) return [];
    const span = comingSpan(reading, from);
    const isComing = span !== null && (isEnd || span.from >= unitSpan(from, "day").from);
    return isComing ? dayBefore(span.to) : [];
  });
  return days.sort().at(-1) ?? null;
}

const END_OF_UNIT = new RegExp(`end of the(?= (?:${[...UNITS.keys()].join("|")})(?!\\p{L}))`, "giu");

/** The English names of German and Spanish months. Making them takes longer than reading a text. */
let englishMonths: ReadonlyMap<string, string> | null = null;

function monthsInEnglish(): ReadonlyMap<string, string> {
  englishMonths ??= inEnglish(MONTH_NAMES, { month: "long" }, (month) => new Date(2026, month, 15));
  return englishMonths;
}

function daysInEnglish(): ReadonlyMap<string, string> {
  // A Sunday.
  const weekdays = inEnglish(WEEKDAY_NAMES, { weekday: "long" }, (day) => new Date(2026, 1, day + 1));
  return new Map([...weekdays, ...NEAR_DAYS]);
}

const NEAR_DAYS = [
  ["heute", "today"],
  ["hoy", "today"],
  ["morgen", "tomorrow"],
  ["mañana", "tomorrow"],
  ["gestern", "yesterday"],
  ["ayer", "yesterday"],
] as const;

function inEnglish(
  names: readonly string[],
  form: Intl.DateTimeFormatOptions,
  dateOf: (index: number) => Date,
): Map<string, string> {
  return new Map(
    ["de", "es"].flatMap((language) => {
      const { format } = new Intl.DateTimeFormat(language, form);
      return names.map((name, index) => [format(dateOf(index)).toLowerCase(), name] as const);
    }),
  );
}

const DAY_OF_MONTH = /(\d{1,2})[.º]? (?:de )?(\p{L}{3,})(?: del?(?= \d))?/giu;

/** "30 de octubre de 2026" and "30. Oktober 2026" as "30 October 2026". */
function withEnglishMonths(text: string): string {
  return text.replace(DAY_OF_MONTH, (date, day: string, word: string) => {
    const month = monthsInEnglish().get(word.toLowerCase());
    return month === undefined ? date : `${day} ${month}`;
  });
}

interface EndContext {
  readonly before: Token | undefined;
  /** After "the end of". */
  readonly isEnd: boolean;
}

function isOneTime({ weak }: Reading, text: string, { before, isEnd }: EndContext): boolean {
  if (weak === undefined) return true;
  const isOnce = isEnd || (weak === "weekday" && !WEEKDAYS.has(before?.word ?? ""));
  return isOnce && !REPEATED.test(text);
}

/** The current span, else the next; null if it is over. */
function comingSpan(reading: Reading, from: Date): Span | null {
  if (Number.isNaN(from.getTime())) return null;
  const today = unitSpan(from, "day").from;
  const latest = reading.at({ latest: from });
  const span = latest !== null && latest.to > today ? latest : reading.at({ earliest: today });
  return span !== null && span.to > today ? span : null;
}

function dayBefore(moment: Date): string {
  return localDay(new Date(moment.getTime() - 1).toISOString());
}
