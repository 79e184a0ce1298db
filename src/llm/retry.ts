/** Retries: after the time the server asks for, or with exponential backoff. */
import { backoff } from "../util/backoff.ts";
import type { Trouble } from "./failures.ts";
import type { ModelSpec } from "./spec.ts";
import type { Timing } from "./timing.ts";

const TRIES = 5;
/** A local server isn't busy: if it does not answer, it is not running or still starting. */
const LOCAL_TRIES = 2;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** If the server asks for a longer pause, the request fails at once. */
const LONGEST_ASKED_MS = 60_000;

export function triesFor({ failure }: Trouble, spec: Pick<ModelSpec, "local">): number {
  return spec.local && failure.kind === "network" ? LOCAL_TRIES : TRIES;
}

/** The pause in milliseconds after this attempt, counted from 1; null if a retry is pointless. */
export function pauseAfter(attempt: number, trouble: Trouble, timing: Timing): number | null {
  if (!trouble.passing) return null;
  const asked = pauseAskedFor(trouble.headers, timing.now());
  if (asked !== null) return asked <= LONGEST_ASKED_MS ? asked : null;
  const first = FIRST_PAUSE_MS * (0.75 + timing.random() / 2);
  return Math.round(backoff(attempt, first, LONGEST_PAUSE_MS));
}

/** Reads `retry-after-ms` or `retry-after` (seconds or a date); null if neither is valid. */
function pauseAskedFor(headers: Readonly<Record<string, string>>, now: number): number | null {
  const ms = headers["retry-after-ms"]?.trim();
  if (ms !== undefined && /^\d+(?:\.\d+)?$/.test(ms)) return Math.ceil(Number(ms));
  const after = headers["retry-after"]?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(after)) return Math.ceil(Number(after) * 1000);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
