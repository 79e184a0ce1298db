/** The one place where `retain.db` is opened. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, renameSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import { errorCode, isAbsence, lstatIfThere } from "../util/fs.ts";
import { migrate, SHAPE } from "./migrations.ts";

export interface OpenedDatabase {
  database: Database;
  /** Which file it is: another one may take its place while it is open. */
  inode: number;
  /** Why the file cannot be used: an empty database in memory stands in, so reading works; null normally. */
  unavailable: string | null;
}

/** Processes that start together on a new or a damaged database get in each other's way for a moment. */
const TRIES = 30;
/** A disk that is read-only looks the same at first, but stays so. */
const TRIES_WHERE_MOVED = 4;

/** Opens or creates the database. One that is damaged, or not ours, is set aside: ours can be rebuilt. */
export function openDatabase(path: string, warn: (message: string) => void): OpenedDatabase {
  refuseLinks(path);
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      return { database: openFile(path), inode: inodeOf(path), unavailable: null };
    } catch (error) {
      if (isUnusable(error)) setAside(path, inodeOf(path), warn);
      else if (isBusy(error) || (isMoved(error) && tries < TRIES_WHERE_MOVED))
        Bun.sleepSync(5 + Math.random() * 20);
      else if (isUnavailable(error)) return standIn(path, error);
      else throw error;
    }
  }
  throw new RetainError("locked", `Another process keeps ${path} locked.`, "Try again; nothing was changed.");
}

function standIn(path: string, cause: unknown): OpenedDatabase {
  const database = new Database(":memory:");
  migrate(database);
  return { database, inode: 0, unavailable: isDiskFull(path) ? "the disk is full" : messageOf(cause) };
}

function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/** A repository can carry links; through one, SQLite would write into somebody else's file. */
function refuseLinks(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`, `${path}-journal`]) {
    if (lstatIfThere(file)?.isSymbolicLink())
      throw new RetainError(
        "unsafe",
        `${file} is a link; it is not followed.`,
        "Remove it: the index is rebuilt.",
      );
  }
}

function isDiskFull(path: string): boolean {
  return statfsSync(dirname(path)).bavail === 0;
}

function openFile(path: string): Database {
  createPrivate(path);
  const database = new Database(path, { strict: true });
  try {
    configure(database);
    makeOurs(database);
    // From here on short, so that Ctrl-C is never far away; whoever needs the lock for longer asks again.
    database.run("PRAGMA busy_timeout = 250");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Never opened where it exists: closing any handle of a file takes away the locks that SQLite has on it. */
function createPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (statSync(path).isDirectory()) throw new ForeignDatabase("it is a directory");
  }
}

function configure(database: Database): void {
  // Processes that start together on a new workspace take turns in making its database.
  database.run("PRAGMA busy_timeout = 2000");
  // Readers go on while one process writes.
  database.run("PRAGMA journal_mode = WAL");
  // A power cut may lose the newest rows, never the file's integrity; the rows are derived from files that were synced.
  database.run("PRAGMA synchronous = NORMAL");
  // A search touches rows all over the file: up to 64 MB of it stay in memory once read.
  database.run("PRAGMA cache_size = -65536");
}

/** Thrown for a database that is sound but has another program's tables. */
class ForeignDatabase extends Error {}

function makeOurs(database: Database): void {
  try {
    migrate(database);
    database.query(SHAPE).all();
  } catch (error) {
    if (error instanceof SQLiteError && (error.code ?? "SQLITE_ERROR") === "SQLITE_ERROR")
      throw new ForeignDatabase(error.message);
    throw error;
  }
}

/**
 * Moves the database out of the way, for whoever wants to look at it, if it is still the one that was found unusable:
 * another process may have put a new one in its place.
 */
export function setAside(path: string, inode: number, warn: (message: string) => void): void {
  if (inodeOf(path) !== inode || inode === 0) return;
  const aside = `${path}.damaged-${Date.now()}`;
  for (const suffix of ["-wal", "-shm"]) moveIfThere(path + suffix, aside + suffix);
  moveIfThere(path, aside);
  if (inodeOf(aside) === inode)
    warn(`The index ${path} was damaged. It is rebuilt from your files; the old one is now ${aside}.`);
}

function moveIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code ?? "");
}

/** Not a database that could be ours: broken, a directory, or of another shape. */
function isUnusable(error: unknown): boolean {
  return isDamage(error) || error instanceof ForeignDatabase;
}

/** Another process moved the file away while it was being opened; or the disk is read-only, which looks the same. */
function isMoved(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:CANTOPEN|READONLY|IOERR)/.test(error.code ?? "");
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code ?? "");
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof SQLiteError)
    return /^SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|PERM)/.test(error.code ?? "");
  return ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");
}
