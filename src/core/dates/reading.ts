/** Shared by all parsers of times: access to tokens, and readings that can find a missing year. */
import { days, mondayBased, months, type Span } from "./calendar.ts";
import { AFTER_MAY, type Token } from "./words.ts";

/** The latest span that starts by then, or the earliest that doesn't start before. */
export type Reference = { readonly latest: Date } | { readonly earliest: Date };

export type Weak = "month" | "year" | "weekday" | "season" | "quarter" | "weekend";

export interface Reading {
  /** The token after it. */
  readonly next: number;
  /** Counts as a time only after a word such as "in": a bare month, year or weekday. */
  readonly weak?: Weak;
  /** The year or week isn't given. */
  readonly open?: boolean;
  /** null if there is no such time. Default: the latest that isn't in the future. */
  at(reference?: Reference): Span | null;
}

export interface Surroundings {
  readonly tokens: readonly Token[];
  readonly now: Date;
  /** The word before: "in", "since", ...; "" for none. */
  readonly lead: string;
}

export function fixed(next: number, span: Span | null): Reading {
  return { next, at: () => span };
}

export function wordAt(around: Surroundings, index: number): string {
  return around.tokens[index]?.word ?? "";
}

export function isJoined(around: Surroundings, index: number): boolean {
  return around.tokens[index]?.joined === true;
}

export function says(around: Surroundings, index: number, ...words: readonly string[]): boolean {
  return words.every(
    (word, offset) =>
      wordAt(around, index + offset) === word && (offset === 0 || isJoined(around, index + offset)),
  );
}

/** "May" as in "it may be" and, unless a word before makes it a month, "may I". */
export function isVerb(around: Surroundings, index: number, pronounsToo: boolean): boolean {
  if (wordAt(around, index) !== "may" || !isJoined(around, index + 1)) return false;
  const next = wordAt(around, index + 1);
  return AFTER_MAY.verbs.has(next) || (pronounsToo && AFTER_MAY.subjects.has(next));
}

export function plusDays(day: Date, count: number): Span {
  return days(day.getFullYear(), day.getMonth(), day.getDate() + count, 1);
}

/** `weekday` counts from Monday. */
export function weekdayAt(weekday: number, reference: Reference): Span {
  if ("latest" in reference)
    return plusDays(reference.latest, -((mondayBased(reference.latest) - weekday + 7) % 7));
  return plusDays(reference.earliest, (weekday - mondayBased(reference.earliest) + 7) % 7);
}

/** `length` months starting with `month`, in the year nearest to the reference. */
export function monthsAt(month: number, length: number, reference: Reference): Span | null {
  return nearestYear(reference, (year) => months(year, month, length));
}

/** Eight years always include a 29 February. */
export function nearestYear(reference: Reference, spanIn: (year: number) => Span | null): Span | null {
  const isLatest = "latest" in reference;
  const limit = isLatest ? reference.latest : reference.earliest;
  for (let step = 0; step <= 8; step++) {
    const span = spanIn(limit.getFullYear() + (isLatest ? -step : step));
    if (span !== null && (isLatest ? span.from <= limit : span.from >= limit)) return span;
  }
  return null;
}
