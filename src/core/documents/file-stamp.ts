/** Tells from a file's stamp alone whether it has changed since it was read. */
import type { FileStamp } from "../ports/documents.ts";

/**
 * File systems use a clock that ticks every few milliseconds. A file that was read within one tick of its last change may change
 * again under the same stamp, so next time its content is compared.
 */
const CLOCK_TICK_MS = 20;

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtime === b.mtime && a.ctime === b.ctime && a.inode === b.inode;
}

/**
 * Whether a file read at `readAt` can't have changed again under this stamp. Retain sets the mtime of files it writes ahead of their
 * ctime; any later change sets both to the current time, so it shows.
 */
export function isSettledBy(readAt: number, { mtime, ctime }: FileStamp): boolean {
  return mtime > ctime || readAt - ctime > CLOCK_TICK_MS;
}

export function printedStamp({ size, mtime, ctime, inode }: FileStamp): string {
  return `${size} ${mtime} ${ctime} ${inode}`;
}
