/** Exponential backoff: doubles after each try, up to a limit. */

/** In milliseconds, after this try, counted from 1. */
export function backoff(attempt: number, first = 1_000, longest = 600_000): number {
  return Math.min(first * 2 ** Math.max(0, attempt - 1), longest);
}
