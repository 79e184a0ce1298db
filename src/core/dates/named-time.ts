/** A time as somebody types it for a command or an option: all of the words name it, so a bare year or month is one too. */

import { RetainError } from "../errors.ts";
import { findPeriod, type Period } from "./period.ts";

/** What a sentence would have before it, to tell "2026" from a number and "May" from a word. */
const LEADS = ["", "in ", "on "];

/** Throws `usage`, with the example. */
export function namedPeriod(said: string, now: Date, example: string): Period {
  const words = said.trim();
  for (const lead of LEADS) {
    const period = findPeriod(`${lead}${words}`, now);
    if (period !== null && period.said.length >= words.length) return period;
  }
  throw new RetainError("usage", `'${said}' is not a date.`, `For example: ${example}`);
}

/** A moment to the minute, or where a period begins or ends. Throws as `namedPeriod`. */
export function namedMoment(said: string, edge: "from" | "until", now: Date, example: string): number {
  const moment = /^\d{4}-\d\d-\d\d[T ]\d/.test(said) ? Date.parse(said) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  const { from, until } = namedPeriod(said, now, example);
  return (edge === "from" ? (from ?? until) : (until ?? from)) ?? now.getTime();
}
