/** A time given as an argument or option. All its words name the time, so a bare year or month counts too. */

import { RetainError } from "../errors.ts";
import { findPeriod, type Period } from "./period.ts";

/** Words that mark "2026" as a year and "May" as a month, as in a sentence. */
const LEADS = ["", "in ", "on "];

/** Throws `usage` with the example. */
export function namedPeriod(said: string, now: Date, example: string): Period {
  const words = said.trim();
  for (const lead of LEADS) {
    const period = findPeriod(`${lead}${words}`, now);
    if (period !== null && period.said.length >= words.length) return period;
  }
  throw new RetainError("usage", `'${said}' is not a date.`, `For example: ${example}`);
}

/** An exact moment, or the start or end of a period. Throws like `namedPeriod`. */
export function namedMoment(said: string, edge: "from" | "until", now: Date, example: string): number {
  const moment = /^\d{4}-\d\d-\d\d[T ]\d/.test(said) ? Date.parse(said) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  const { from, until } = namedPeriod(said, now, example);
  return (edge === "from" ? (from ?? until) : (until ?? from)) ?? now.getTime();
}
