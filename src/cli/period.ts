/** A time as somebody types it for a command: all of the words name it, so a bare year or month is one too. */
import { RetainError } from "../core/errors.ts";
import { findPeriod, type Period } from "../recall/dates.ts";

/** What a sentence would have before it, to tell "2026" from a number and "May" from a word. */
const LEADS = ["", "in ", "on "];

/** Throws `usage`, with the example. */
export function periodNamed(said: string, now: Date, example: string): Period {
  const words = said.trim();
  for (const lead of LEADS) {
    const period = findPeriod(`${lead}${words}`, now);
    if (period !== null && period.said.length >= words.length) return period;
  }
  throw new RetainError("usage", `'${said}' is not a date.`, `For example: ${example}`);
}
