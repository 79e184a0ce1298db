/** Ages and calendar days. */
import { DAY_MS, localDay } from "../util/days.ts";
import { plural } from "../util/in-words.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** "2 hours ago"; "just now" for less than a minute or the future. */
export function ageInWords(ms: number): string {
  if (ms < MINUTE_MS) return "just now";
  if (ms < HOUR_MS) return `${plural(Math.floor(ms / MINUTE_MS), "minute")} ago`;
  if (ms < DAY_MS) return `${plural(Math.floor(ms / HOUR_MS), "hour")} ago`;
  return `${plural(Math.floor(ms / DAY_MS), "day")} ago`;
}

/**
 * The last calendar days in local time, including today: "2026-11-15". A generator, because a process's first use of the time zone
 * takes 5 ms, and without notes the days are not needed.
 */
export function* lastDays(now: Date, count: number): Generator<string> {
  for (let back = 0; back < count; back++) {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - back);
    yield localDay(day.toISOString());
  }
}
