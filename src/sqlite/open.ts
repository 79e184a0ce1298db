/** The one place where `retain.db` is opened. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, renameSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import { errorCode, lstatIfThere, removeIfThere } from "../util/fs.ts";
import { migrate, SHAPE } from "./migrations.ts";

export interface OpenedDatabase {
  database: Database;
  /** Why the file cannot be used: an empty database in memory stands in, so reading works; null normally. */
  unavailable: string | null;
}

/** Opens or creates the database. One that is damaged, or not ours, is set aside: ours can be rebuilt. */
export function openDatabase(path: string, warn: (message: string) => void): OpenedDatabase {
  refuseLinks(path);
  try {
    return { database: openFile(path), unavailable: null };
  } catch (error) {
    if (isUnusable(error)) {
      setAside(path, warn);
      return { database: openFile(path), unavailable: null };
    }
    if (!isUnavailable(error)) throw error;
    const database = new Database(":memory:");
    migrate(database);
    return { database, unavailable: isDiskFull(path) ? "the disk is full" : messageOf(error) };
  }
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
  closeSync(openSync(path, "a", 0o600));
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

function configure(database: Database): void {
  // Processes that start together on a new workspace take turns in making its database.
  database.run("PRAGMA busy_timeout = 10000");
  // Readers go on while one process writes.
  database.run("PRAGMA journal_mode = WAL");
  // A power cut may lose the newest rows, never the file's integrity; the rows are derived from files that were synced.
  database.run("PRAGMA synchronous = NORMAL");
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

/** Keeps what was there for whoever wants to look at it. */
export function setAside(path: string, warn: (message: string) => void): void {
  const aside = `${path}.damaged-${Date.now()}`;
  renameSync(path, aside);
  for (const suffix of ["-wal", "-shm"]) removeIfThere(path + suffix);
  warn(`The index ${path} was damaged. It is rebuilt from your files; the old one is now ${aside}.`);
}

export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code ?? "");
}

/** Not a database that could be ours: broken, a directory, or of another shape. */
function isUnusable(error: unknown): boolean {
  return isDamage(error) || error instanceof ForeignDatabase || errorCode(error) === "EISDIR";
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code ?? "");
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof SQLiteError)
    return /^SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|PERM)/.test(error.code ?? "");
  return ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");
}
