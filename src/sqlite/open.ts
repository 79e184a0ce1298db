/** The one place where `retain.db` is opened. */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, openSync, renameSync } from "node:fs";
import { errorCode, removeIfThere } from "../util/fs.ts";
import { migrate } from "./migrations.ts";

export interface OpenedDatabase {
  database: Database;
  /** The file could not be used, so an empty database in memory stands in: reading works, writing must not. */
  readOnly: boolean;
}

/** Opens or creates the database. A damaged one is set aside: everything in it can be rebuilt. */
export function openDatabase(path: string, warn: (message: string) => void): OpenedDatabase {
  try {
    return { database: openFile(path), readOnly: false };
  } catch (error) {
    if (isDamage(error)) {
      setAside(path, warn);
      return { database: openFile(path), readOnly: false };
    }
    if (!isUnavailable(error)) throw error;
    const database = new Database(":memory:");
    migrate(database);
    return { database, readOnly: true };
  }
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
