/** The only place that opens `retain.db`. */
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RetainError } from "../../core/errors.ts";
import { reportIncident } from "../../core/incidents.ts";
import { isAbsence, lstatIfThere } from "../../util/fs.ts";
import { sleepSync } from "../../util/sleep.ts";
import { connect, connectInMemory, type Database, hasMoved } from "../driver.ts";
import {
  isBusy,
  isConstraint,
  isDamage,
  isMoved,
  isUnavailable,
  isWrongShape,
  reasonOf,
  requireWritable,
} from "../faults.ts";
import { COMPANIONS } from "./damaged-copy.ts";
import { copyInMemory } from "./memory-copy.ts";
import { migrate, SHAPE, type StoreConversations } from "./migrations.ts";
import type { Opening } from "./opening.ts";
import {
  type DatabaseOwner,
  requireOwn,
  runsCode,
  StrangersDatabase,
  storeToken,
  tokenIn,
} from "./ownership.ts";
import { createDatabase, inodeOf, replaceDatabase, replaceStrangers } from "./replace.ts";
import { filesSetAside } from "./set-aside.ts";

export interface OpenedDatabase {
  database: Database;
  /** The open file's inode; another file may replace it. */
  inode: number;
  /** Why the file can't be written (a copy in memory is used instead), or null. */
  unavailable: string | null;
}

/** Processes that start together on a new or damaged database collide for a moment. */
const TRIES = 30;
/** A read-only disk gives the same error, but permanently. */
const TRIES_WHERE_MOVED = 4;

/**
 * Opens or creates the database, replacing a damaged or foreign one. `damaged` is the inode of a database that turned out damaged
 * while it was open.
 */
export function openDatabase(path: string, opening: Opening, damaged: number): OpenedDatabase {
  requireDirectory(dirname(path));
  refuseLinks(path);
  let unusable = damaged;
  let strangers = 0;
  for (let tries = 1; tries <= TRIES; tries++) {
    let inode = 0;
    try {
      if (strangers !== 0) replaceStrangers(path, strangers, opening);
      strangers = 0;
      if (unusable !== 0) replaceDatabase(path, unusable, opening);
      unusable = 0;
      if (!existsSync(path)) createDatabase(path, opening);
      inode = inodeOf(path);
      return { database: openFile(path, opening), inode, unavailable: null };
    } catch (error) {
      if (error instanceof StrangersDatabase) strangers = inode;
      else if (isUnusable(error)) unusable = inode;
      else if (isBusy(error) || isReplaced(error, path) || (isMoved(error) && tries < TRIES_WHERE_MOVED))
        sleepSync(5 + Math.random() * 20);
      else if (isUnavailable(error)) return standIn(path, opening, reasonOf(error, path), unusable);
      else throw error;
    }
  }
  throw new RetainError("locked", `Another process keeps ${path} locked.`, "Try again; nothing was changed.");
}

/**
 * A copy in memory of a database that can't be written. `damaged` is the inode of one known to be damaged, which is not read
 * again.
 */
export function standIn(path: string, opening: Opening, unavailable: string, damaged = 0): OpenedDatabase {
  const inode = inodeOf(path);
  const copy = inode !== 0 && inode === damaged ? "it is damaged" : ownCopy(path, opening);
  if (typeof copy === "object" && copy !== null) return { database: copy, inode, unavailable };
  if (copy !== null) {
    const what = `${path} cannot be read: ${copy}. Searches are slower.`;
    reportIncident(opening, { kind: "damage", path, what, todo: "", state: String(inode) });
  }
  const database = connectInMemory();
  migrate(database);
  return { database, inode, unavailable };
}

/** The copy, or why it can't be read; null if there is nothing of the user's to read. */
function ownCopy(path: string, { owner, warn }: Opening): Database | string | null {
  if (!existsSync(path))
    return filesSetAside(path).length === 0
      ? null
      : "it was damaged, and its conversations are not recovered yet";
  try {
    const database = copyInMemory(path);
    guard(database);
    if (owner !== null) requireOwn(tokenIn(database), path, owner);
    makeOurs(database, null, () => {});
    return database;
  } catch (error) {
    if (error instanceof RetainError) throw error;
    if (!(error instanceof StrangersDatabase)) return isUnusable(error) ? "it is damaged" : why(error, path);
    warn(`The index ${path} came with the repository, so its contents aren't yours. It is not used.`);
    return null;
  }
}

function why(error: unknown, path: string): string {
  return isUnavailable(error) ? reasonOf(error, path) : messageOf(error);
}

function requireDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new RetainError(
      "io",
      `${path} is not a directory, so no memory can be stored there.`,
      "Move or remove it.",
    );
}

/** A repository can contain links, and SQLite would write through them. */
function refuseLinks(path: string): void {
  for (const file of ["", ...COMPANIONS, ".lock"].map((suffix) => path + suffix)) {
    if (lstatIfThere(file)?.isSymbolicLink())
      throw new RetainError(
        "unsafe",
        `${file} is a link, which Retain does not follow.`,
        "Remove it; Retain rebuilds the index.",
      );
  }
}

function openFile(path: string, { owner, keep }: Opening): Database {
  if (statSync(path).isDirectory()) throw new ForeignDatabase("it is a directory");
  requireWritable(path);
  const database = connect(path, "write");
  try {
    guard(database);
    const token = owner === null ? null : ownToken(database, path, owner);
    configure(database);
    // The WAL is open now; it belongs to this file only if the file has not moved.
    if (hasMoved(database)) throw new ReplacedDatabase();
    makeOurs(database, token, keep);
    // Short from here on, so that Ctrl-C works; callers that need the lock for longer retry.
    database.run("PRAGMA busy_timeout = 250");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Like `requireOwn`, before anything in the file changes. */
function ownToken(database: Database, path: string, owner: DatabaseOwner): string | null {
  const token = tokenIn(database);
  if (hasMoved(database)) throw new ReplacedDatabase();
  return requireOwn(token, path, owner);
}

/** Another process replaced the database while it was being opened. */
class ReplacedDatabase extends Error {}

function isReplaced(error: unknown, path: string): boolean {
  if (error instanceof ReplacedDatabase) return true;
  return (isMoved(error) || isAbsence(error)) && !existsSync(path) && existsSync(dirname(path));
}

function guard(database: Database): void {
  // Processes that start together on a new workspace take turns creating its database.
  database.run("PRAGMA busy_timeout = 2000");
  // The file may be a stranger's: its schema may have no side effects, and pages are checked as they are read.
  database.run("PRAGMA trusted_schema = OFF");
  database.run("PRAGMA cell_size_check = ON");
}

function configure(database: Database): void {
  // Overwrites deleted data instead of only freeing it.
  database.run("PRAGMA secure_delete = ON");
  // Readers continue while one process writes.
  database.run("PRAGMA journal_mode = WAL");
  // A power cut may cost the newest rows but never integrity; all rows are derived from flushed files.
  database.run("PRAGMA synchronous = NORMAL");
  // A search touches rows all over the file, so up to 64 MB of it are cached.
  database.run("PRAGMA cache_size = -65536");
}

/** A sound database with another program's tables, or rows that the schema does not allow. */
class ForeignDatabase extends Error {}

/** `token` to store; null if it has one or needs none. */
function makeOurs(database: Database, token: string | null, keep: StoreConversations): void {
  try {
    // Before any change, since that would fire triggers.
    if (runsCode(database)) throw new ForeignDatabase("its schema has triggers or views");
    migrate(database, keep);
    database.query(SHAPE).all();
    if (token !== null) storeToken(database, token);
  } catch (error) {
    // Damage can leave rows that violate constraints and stop a migration.
    if (isWrongShape(error) || isConstraint(error)) throw new ForeignDatabase(messageOf(error));
    throw error;
  }
}

/** Broken, a directory, or a different schema. */
function isUnusable(error: unknown): boolean {
  return isDamage(error) || error instanceof ForeignDatabase;
}
