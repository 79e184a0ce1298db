/** Whether a file still says what it did when it was read, by its stamp alone. */
import type { FileStamp } from "../ports/documents.ts";

/**
 * File systems stamp changes by a clock that ticks every few milliseconds. A file that was read within one tick of
 * its last change may change again under the same stamp, so it is compared by content the next time.
 */
const CLOCK_TICK_MS = 20;

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

/**
 * Whether a file that was read then cannot have changed once more under this stamp. One that is stamped ahead of the time at
 * which it was stamped cannot: that is how Retain leaves what it writes, and a change sets both to the clock's time.
 */
export function isSettledBy(readAt: number, { mtime, ctime }: FileStamp): boolean {
  return mtime > ctime || readAt - ctime > CLOCK_TICK_MS;
}

export function printedStamp({ size, mtime, ctime, inode }: FileStamp): string {
  return `${size} ${mtime} ${ctime} ${inode}`;
}
