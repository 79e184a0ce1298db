/** Relative times: "yesterday", "last week", "this past weekend", "two weeks ago", "the last 3 months". */
import { dayBack, months, type Span, type Unit, unitSpan } from "./calendar.ts";
import {
  fixed,
  isJoined,
  isVerb,
  monthsAt,
  plusDays,
  type Reading,
  type Surroundings,
  says,
  weekdayAt,
  wordAt,
} from "./reading.ts";
import { COUNTS, HOURS, MONTHS, SEASONS, UNITS, WEEKDAYS } from "./words.ts";

const RECENT_DAYS = 14;

const STEPS: ReadonlyMap<string, number> = new Map([
  ["last", -1],
  ["previous", -1],
  ["past", -1],
  ["this", 0],
  ["current", 0],
  ["next", 1],
  ["coming", 1],
  ["upcoming", 1],
]);

/** After these, "the last week" means the past seven days. */
const ROLLING_LEADS: ReadonlySet<string> = new Set(["in", "over", "within", "during", "for", "throughout"]);

export function readNamedDay(around: Surroundings, index: number): Reading | null {
  const { now } = around;
  const day = (offset: number, next = index + 1) => fixed(next, unitSpan(now, "day", offset));
  switch (wordAt(around, index)) {
    case "today":
    case "tonight":
      return day(0);
    case "yesterday":
      return day(-1);
    case "tomorrow":
      return day(1);
    case "recently":
    case "lately":
      return fixed(index + 1, rolling(now, "day", RECENT_DAYS));
  }
  if (says(around, index, "day", "before", "yesterday")) return day(-2, index + 3);
  if (says(around, index, "day", "after", "tomorrow")) return day(2, index + 3);
  if (says(around, index, "other", "day")) return fixed(index + 2, rolling(now, "day", RECENT_DAYS));
  return null;
}

/** "Last week" is a calendar week; "the past week" and "in the last week" are the past seven days. */
export function readRelative(around: Surroundings, index: number, the: boolean): Reading | null {
  const { now } = around;
  const word = wordAt(around, index);
  const beforeLast = UNITS.get(word);
  if (beforeLast !== undefined && the && says(around, index, word, "before", "last"))
    return fixed(index + 3, unitSpan(now, beforeLast, -2));
  const step = STEPS.get(word);
  if (step === undefined || !isJoined(around, index + 1)) return null;
  if (word === "this" && wordAt(around, index + 1) === "past") return readRelative(around, index + 1, the);
  const counted = step === 0 ? null : readCounted(around, index + 1);
  if (counted !== null)
    return fixed(counted.next, step < 0 ? rolling(now, counted.unit, counted.most) : ahead(now, counted));
  const isRolling = word === "past" || (word === "last" && the && ROLLING_LEADS.has(around.lead));
  return readRelativeUnit(around, index + 1, step, isRolling) ?? readRelativeName(around, index + 1, step);
}

function readRelativeUnit(
  around: Surroundings,
  index: number,
  step: number,
  isRolling: boolean,
): Reading | null {
  const { now } = around;
  const word = wordAt(around, index);
  const next = index + 1;
  const unit = word.endsWith("s") ? undefined : UNITS.get(word);
  if (unit !== undefined) {
    if (wordAt(around, next) === "of" || (unit === "day" && !isRolling)) return null;
    return fixed(next, isRolling ? rolling(now, unit, 1) : unitSpan(now, unit, step));
  }
  if (word === "weekend") return fixed(next, weekend(now, step));
  if (word === "night" && step < 0) return fixed(next, lastNight(now));
  const isPartOfToday = step === 0 && ["morning", "afternoon", "evening"].includes(word);
  return isPartOfToday ? fixed(next, unitSpan(now, "day")) : null;
}

/** "Last Monday", "this May", "next summer". */
function readRelativeName(around: Surroundings, index: number, step: number): Reading | null {
  const { now } = around;
  const name = wordAt(around, index);
  const weekday = WEEKDAYS.get(name);
  const today = unitSpan(now, "day");
  if (weekday !== undefined) {
    if (step === 0) return fixed(index + 1, plusDays(unitSpan(now, "week").from, weekday));
    const reference = step < 0 ? { latest: plusDays(today.from, -1).from } : { earliest: today.to };
    return fixed(index + 1, weekdayAt(weekday, reference));
  }
  const month = MONTHS.get(name) ?? SEASONS.get(name);
  if (month === undefined || isVerb(around, index, step === 0)) return null;
  const length = SEASONS.has(name) ? 3 : 1;
  return fixed(index + 1, steppedMonths(now, month, length, step));
}

/** "Last" means it is over; "next" means it hasn't started. */
function steppedMonths(now: Date, month: number, length: number, step: number): Span | null {
  if (step === 0) return months(now.getFullYear(), month, length);
  if (step > 0) return monthsAt(month, length, { earliest: unitSpan(now, "day").to });
  const latest = monthsAt(month, length, { latest: now });
  if (latest === null || latest.to <= now) return latest;
  return months(latest.from.getFullYear() - 1, month, length);
}

interface Counted {
  readonly unit: Unit;
  readonly least: number;
  readonly most: number;
  readonly next: number;
}

/** "3 weeks", "two months", "a couple of days", "few years"; hours are converted to days. */
function readCounted(around: Surroundings, index: number): Counted | null {
  const isVague = ["couple", "few"].includes(wordAt(around, index + 1));
  let at = wordAt(around, index) === "a" && isVague ? index + 1 : index;
  const number = around.tokens[at]?.number;
  const count = number == null ? COUNTS.get(wordAt(around, at)) : ([number, number] as const);
  at++;
  if (wordAt(around, at) === "of" && wordAt(around, at - 1) === "couple") at++;
  if (count === undefined || !isJoined(around, at)) return null;
  const [least, most] = count;
  const unit = UNITS.get(wordAt(around, at));
  if (unit !== undefined) return { unit, least, most, next: at + 1 };
  const hours = HOURS.get(wordAt(around, at));
  if (hours === undefined) return null;
  const back = Math.ceil((most * hours) / 24);
  return { unit: "day", least: Math.floor((least * hours) / 24), most: back, next: at + 1 };
}

/** "2 days ago" is that day; weeks, months and years ago are that calendar week, month or year. */
export function readAgo(around: Surroundings, index: number): Reading | null {
  const counted = readCounted(around, index);
  if (counted === null || wordAt(around, counted.next) !== "ago") return null;
  const { unit, least, most } = counted;
  const from = unitSpan(around.now, unit, -most).from;
  return fixed(counted.next + 1, { from, to: unitSpan(around.now, unit, -least).to });
}

/** "The weekend": the current one, else the last. */
export function latestWeekend(now: Date): Span {
  const thisOne = weekend(now, 0);
  return thisOne.from <= now ? thisOne : weekend(now, -1);
}

function weekend(now: Date, step: number): Span {
  const week = unitSpan(now, "week", step);
  return { from: plusDays(week.from, 5).from, to: week.to };
}

/** From yesterday until 6 a.m. today: includes all of yesterday, since some memories have only a date. */
function lastNight(now: Date): Span {
  const { from } = unitSpan(now, "day", -1);
  return { from, to: new Date(now.getFullYear(), now.getMonth(), now.getDate(), 6) };
}

/** From `count` units back to the end of today. */
function rolling(now: Date, unit: Unit, count: number): Span {
  return { from: dayBack(now, unit, count), to: unitSpan(now, "day").to };
}

function ahead(now: Date, { unit, most }: Counted): Span {
  return { from: unitSpan(now, "day").to, to: unitSpan(dayBack(now, unit, -most), "day").to };
}
