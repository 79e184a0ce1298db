/** Whether a file still says what it did when it was read, by its stamp alone. */
import type { FileStamp } from "./ports.ts";

/**
 * File systems stamp changes by a clock that ticks every few milliseconds. A file that was read within one tick of
 * its last change may change again under the same stamp, so it is compared by content the next time.
 */
const CLOCK_TICK_MS = 20;

/** Bytes. What is smaller is read as soon as doubted. */
const LARGE = 16_384;

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

/** Whether a file that was read then cannot have changed once more under this stamp. */
export function isSettledBy(readAt: number, { mtime, ctime }: FileStamp): boolean {
  return readAt - Math.max(mtime, ctime) > CLOCK_TICK_MS;
}

/**
 * Whether one that could have is believed for now: a large one is looked at again only when the clock has ticked, since it may
 * have been written by ourselves a moment ago, and soon be written again.
 */
export function isBelieved(stamp: FileStamp, now: number): boolean {
  return stamp.size > LARGE && !isSettledBy(now, stamp);
}
