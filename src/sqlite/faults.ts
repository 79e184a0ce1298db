/** What an error of the database means for whoever meets it. */
import { SQLiteError } from "bun:sqlite";
import { errorCode } from "../util/fs.ts";

export function isDamage(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:CORRUPT|NOTADB)/);
}

/** Another process is at it: it works in a moment. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:BUSY|LOCKED)/);
}

/** Another process moved the file away while it was being opened; or the disk is read-only, which looks the same. */
export function isMoved(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(?:CANTOPEN|READONLY|IOERR)/);
}

/** The disk is full or read-only, or the file somebody else's. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof SQLiteError) return hasCode(error, /^SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|PERM)/);
  return ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof SQLiteError && codes.test(error.code ?? "");
}
