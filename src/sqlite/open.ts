/** The one place where `retain.db` is opened. */
import { Database, SQLiteError } from "bun:sqlite";
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import { isAbsence, lstatIfThere } from "../util/fs.ts";
import { COMPANIONS } from "./damaged-copy.ts";
import { isBusy, isDamage, isMoved, isUnavailable } from "./faults.ts";
import { migrate, SHAPE } from "./migrations.ts";
import { createDatabase, hasMoved, inodeOf, replaceDatabase } from "./replace.ts";

export { isBusy };

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

/**
 * Opens or creates the database. One that is damaged, or not ours, is set aside: what is derived is made anew, and
 * conversations are rescued. `damaged` is the inode of one that was found to be so while it was open.
 */
export function openDatabase(path: string, warn: (message: string) => void, damaged = 0): OpenedDatabase {
  refuseLinks(path);
  let unusable = damaged;
  for (let tries = 1; tries <= TRIES; tries++) {
    let inode = 0;
    try {
      if (unusable !== 0) replaceDatabase(path, unusable, warn);
      unusable = 0;
      if (!existsSync(path)) createDatabase(path, warn);
      inode = inodeOf(path);
      return { database: openFile(path), inode, unavailable: null };
    } catch (error) {
      if (isUnusable(error)) unusable = inode;
      else if (isBusy(error) || isReplaced(error, path) || (isMoved(error) && tries < TRIES_WHERE_MOVED))
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

/** A repository can carry links; through one, SQLite would write into somebody else's file. */
function refuseLinks(path: string): void {
  for (const file of ["", ...COMPANIONS, ".lock"].map((suffix) => path + suffix)) {
    if (lstatIfThere(file)?.isSymbolicLink())
      throw new RetainError(
        "unsafe",
        `${file} is a link; it is not followed.`,
        "Remove it: the index is rebuilt.",
      );
  }
}

/** Of the disk that a file is on, or is to be on. */
export function isDiskFull(path: string): boolean {
  return statfsSync(dirname(path)).bavail === 0;
}

function openFile(path: string): Database {
  if (statSync(path).isDirectory()) throw new ForeignDatabase("it is a directory");
  const database = new Database(path, { readwrite: true, create: false, strict: true });
  try {
    configure(database);
    // Its log of changes is open by now: one that belongs to it, if it is where it was.
    if (hasMoved(database)) throw new ReplacedDatabase();
    makeOurs(database);
    // From here on short, so that Ctrl-C is never far away; whoever needs the lock for longer asks again.
    database.run("PRAGMA busy_timeout = 250");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Thrown where another process put a new database in the place of the one that was being opened. */
class ReplacedDatabase extends Error {}

function isReplaced(error: unknown, path: string): boolean {
  if (error instanceof ReplacedDatabase) return true;
  return (isMoved(error) || isAbsence(error)) && !existsSync(path) && existsSync(dirname(path));
}

function configure(database: Database): void {
  // Processes that start together on a new workspace take turns in making its database.
  database.run("PRAGMA busy_timeout = 2000");
  // Readers go on while one process writes.
  database.run("PRAGMA journal_mode = WAL");
  // For rows that are derived from files; `WorkspaceDatabase.transaction` asks for more.
  database.run("PRAGMA synchronous = NORMAL");
  // A search touches rows all over the file: up to 64 MB of it stay in memory once read.
  database.run("PRAGMA cache_size = -65536");
}

/** Thrown for a database that is sound but has another program's tables, or rows that its own tables do not allow. */
class ForeignDatabase extends Error {}

function makeOurs(database: Database): void {
  try {
    migrate(database);
    database.query(SHAPE).all();
  } catch (error) {
    const code = error instanceof SQLiteError ? (error.code ?? "SQLITE_ERROR") : "";
    // Damage can leave rows that no table would take: they stop a migration that copies them.
    if (code === "SQLITE_ERROR" || code.startsWith("SQLITE_CONSTRAINT"))
      throw new ForeignDatabase(messageOf(error));
    throw error;
  }
}

/** Not a database that could be ours: broken, a directory, or of another shape. */
function isUnusable(error: unknown): boolean {
  return isDamage(error) || error instanceof ForeignDatabase;
}
