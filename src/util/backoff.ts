/** How long to wait before a try is made again: twice as long each time, up to a limit. */

/** In milliseconds, after the try of this number, counted from 1. */
export function backoff(attempt: number, first = 1_000, longest = 600_000): number {
  return Math.min(first * 2 ** Math.max(0, attempt - 1), longest);
}
