/** The one place where `retain.db` is opened. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, renameSync, statfsSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../core/errors.ts";
import { errorCode, removeIfThere } from "../util/fs.ts";
import { migrate } from "./migrations.ts";

export interface OpenedDatabase {
  database: Database;
  /** Why the file cannot be used: an empty database in memory stands in, so reading works; null normally. */
  unavailable: string | null;
}

/** Opens or creates the database. A damaged one is set aside: everything in it can be rebuilt. */
export function openDatabase(path: string, warn: (message: string) => void): OpenedDatabase {
  try {
    return { database: openFile(path), unavailable: null };
  } catch (error) {
    if (isDamage(error)) {
      setAside(path, warn);
      return { database: openFile(path), unavailable: null };
    }
    if (!isUnavailable(error)) throw error;
    const database = new Database(":memory:");
    migrate(database);
    return { database, unavailable: isDiskFull(path) ? "the disk is full" : messageOf(error) };
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
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function configure(database: Database): void {
  // Short, so that Ctrl-C is never far away; whoever needs the lock for longer asks again (see documents.ts).
  database.run("PRAGMA busy_timeout = 250");
  // Readers go on while one process writes.
  database.run("PRAGMA journal_mode = WAL");
  // A power cut may lose the newest rows, never the file's integrity; the rows are derived from files that were synced.
  database.run("PRAGMA synchronous = NORMAL");
}

/** Keeps the damaged file for whoever wants to look at it, one at a time. */
export function setAside(path: string, warn: (message: string) => void): void {
  renameSync(path, `${path}.damaged`);
  for (const suffix of ["-wal", "-shm"]) removeIfThere(path + suffix);
  warn(`The index ${path} was damaged. It is rebuilt from your files; the old one is now ${path}.damaged.`);
}

export function isDamage(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code ?? "");
}

export function isBusy(error: unknown): boolean {
  return error instanceof SQLiteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code ?? "");
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof SQLiteError)
    return /^SQLITE_(?:CANTOPEN|READONLY|IOERR|FULL|PERM)/.test(error.code ?? "");
  return ["EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT"].includes(errorCode(error) ?? "");
}
