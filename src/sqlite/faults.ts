/** Classifies database errors. */
import { accessSync, constants, existsSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import { errorCode } from "../util/fs.ts";
import { sqliteCode } from "./driver.ts";

export function isDamage(error: unknown): boolean {
  return hasCode(error, "CORRUPT", "NOTADB");
}

/** Another process holds the lock; retry soon. */
export function isBusy(error: unknown): boolean {
  return hasCode(error, "BUSY", "LOCKED");
}

/** Another process moved the file while it was being opened. A read-only disk gives the same error. */
export function isMoved(error: unknown): boolean {
  return hasCode(error, "CANTOPEN", "READONLY", "IOERR");
}

/** The disk is full or read-only, or permission is missing. */
export function isUnavailable(error: unknown): boolean {
  if (sqliteCode(error) !== null) return hasCode(error, "CANTOPEN", "READONLY", "IOERR", "FULL", "PERM");
  return Object.hasOwn(REASONS, errorCode(error) ?? "");
}

export const FULL = "the disk is full";
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: FULL,
  EDQUOT: "the disk quota is used up",
};

/** Whether the disk of this file is full. A read-only disk has no space either. */
export function isDiskFull(path: string): boolean {
  return existsSync(dirname(path)) && whyUnwritable(path) === null && statfsSync(dirname(path)).bavail === 0;
}

/** Throws EACCES or EROFS if the file, or files next to it, can't be written. A missing file can be created. */
export function requireWritable(path: string): void {
  accessSync(dirname(path), constants.W_OK);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  }
}

/** Why the database can't be used, as text after a colon. */
export function reasonOf(error: unknown, path: string): string {
  if (hasCode(error, "FULL") || isDiskFull(path)) return FULL;
  return whyUnwritable(path) ?? REASONS[errorCode(error) ?? ""] ?? messageOf(error);
}

/** null if nothing is known to prevent writing. */
export function whyUnwritable(path: string): string | null {
  try {
    requireWritable(path);
    return null;
  } catch (error) {
    return REASONS[errorCode(error) ?? ""] ?? null;
  }
}

/** Why a missing directory can't be created, or null. */
export function whyNotMade(directory: string): string | null {
  const parent = dirname(directory);
  return existsSync(parent) || parent === directory ? whyUnwritable(directory) : whyNotMade(parent);
}

export function cannotWrite(path: string, reason: string): RetainError {
  const retry = reason === FULL ? " Free some space, then try again." : "";
  return new RetainError(
    "io",
    `Cannot write to ${dirname(path)}: ${reason}.`,
    `Nothing was changed.${retry}`,
  );
}

/** Converts an error into one that says what to do; a bug is returned as it is. */
export function asIoError(error: unknown, path: string, doing: "write" | "read"): unknown {
  if (isDamage(error)) return damagedAgain(path);
  if (sqliteCode(error) === null || !isUnavailable(error)) return error;
  const reason = reasonOf(error, path);
  if (doing === "write" || reason === FULL) return cannotWrite(path, reason);
  return new RetainError(
    "io",
    `Cannot read ${path}: ${reason}.`,
    "Check the disk and the file's permissions.",
  );
}

export function damagedAgain(path: string): RetainError {
  return new RetainError(
    "io",
    `${path} keeps getting damaged.`,
    "The disk may be failing: check it, and back up your files to another disk.",
  );
}

/** A statement that doesn't fit the tables. */
export function isWrongShape(error: unknown): boolean {
  return hasCode(error, "ERROR");
}

/** A row that the tables don't allow. */
export function isConstraint(error: unknown): boolean {
  return hasCode(error, "CONSTRAINT");
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(sqliteCode(error) ?? "");
}
