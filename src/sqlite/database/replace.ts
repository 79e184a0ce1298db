/**
 * Creates a workspace's database and replaces an unusable one. It is a cache: a damaged one is deleted and rebuilt from the
 * files. Only a database of an earlier version is moved aside, since it holds conversations.
 */
import { closeSync, existsSync, linkSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { reportIncident } from "../../core/incidents.ts";
import { fsyncDirectory, fsyncFile, isAbsence, removeIfThere } from "../../util/fs.ts";
import { connect, type Database } from "../driver.ts";
import { isBusy } from "../faults.ts";
import { COMPANIONS, removeDatabase } from "./damaged-copy.ts";
import { CACHE_VERSION, migrate } from "./migrations.ts";
import type { Opening } from "./opening.ts";
import { type DatabaseOwner, newToken, storeToken } from "./ownership.ts";
import { keepSetAside } from "./set-aside.ts";
import { PATIENCE, withFileLock } from "./with-file-lock.ts";

/** 0 if there is no file. */
export function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/** Creates the database, unless another process already has. */
export function createDatabase(path: string, opening: Opening): void {
  withFileLock(path, () => {
    if (!existsSync(path)) make(path, opening);
  });
}

/** Replaces a damaged database, unless another process already has. */
export function replaceDatabase(path: string, inode: number, opening: Opening): void {
  withFileLock(path, () => {
    if (inode === 0 || inodeOf(path) !== inode) return;
    if (isCache(path)) {
      removeDatabase(path);
      reportIncident(opening, {
        kind: "damage",
        path,
        what: `The index ${path} was damaged. Retain rebuilds it from your files; nothing is lost.`,
        todo: "If it happens again, check the disk.",
      });
      make(path, opening);
      return;
    }
    const aside = setAside(path, "damaged");
    make(path, opening);
    // It is renamed once its conversations are recovered.
    if (existsSync(aside))
      reportIncident(opening, {
        kind: "set-aside",
        path: aside,
        what: `${path} was not a Retain database. It was moved to ${aside}; Retain builds a new one from your files.`,
        todo: "Delete it if you don't need it.",
      });
  });
}

/** The offset of SQLite's user_version, set by `migrate`. */
const VERSION_OFFSET = 60;

/** Whether all its data is derived from files, judging by its header. */
function isCache(path: string): boolean {
  if (statSync(path).isDirectory()) return false;
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(VERSION_OFFSET + 4);
    readSync(descriptor, header, 0, header.length, 0);
    const version = header.readUInt32BE(VERSION_OFFSET);
    return version >= CACHE_VERSION && version < 1_000;
  } finally {
    closeSync(descriptor);
  }
}

/** Like `replaceDatabase`, for a stranger's database. It is moved aside, and nothing in it is ever imported. */
export function replaceStrangers(path: string, inode: number, opening: Opening): void {
  withFileLock(path, () => {
    if (inodeOf(path) !== inode) return;
    // First: without a token, the new database would look like a stranger's too.
    const token = opening.owner === null ? null : newToken(opening.owner);
    const aside = setAside(path, "untrusted");
    reportIncident(opening, {
      kind: "set-aside",
      path: aside,
      what: `The index ${path} came with the repository, so its contents aren't yours. It was moved to ${aside}; Retain builds a new one from the files.`,
      todo: "If it is yours, remove it from git, then move it back.",
    });
    make(path, opening, token);
  });
}

/**
 * Renames the database together with its WAL. Waits for a writer; processes that have it open notice before their next change.
 * Crash-safe: the WAL gets its new name before the main file, and its old name means nothing without one.
 */
function setAside(path: string, why: "damaged" | "untrusted"): string {
  const aside = freeName(path, why);
  const writer = keepWritersOut(path);
  try {
    try {
      linkSync(`${path}-wal`, `${aside}-wal`);
    } catch {
      // There is no WAL, or the disk has no hard links and it is renamed below.
    }
    renameSync(path, aside);
    for (const suffix of ["-wal", "-journal"]) moveIfThere(path + suffix, aside + suffix);
    removeIfThere(`${path}-shm`);
    if (statSync(`${aside}-wal`, { throwIfNoEntry: false })?.size === 0) removeIfThere(`${aside}-wal`);
    fsyncDirectory(dirname(path));
  } finally {
    // The file has moved, so SQLite touches nothing.
    writer?.close();
  }
  return aside;
}

function freeName(path: string, why: string): string {
  for (let time = Date.now(); ; time++) {
    const name = `${path}.${why}-${time}`;
    if (!existsSync(name)) return name;
  }
}

/** null if damage prevents locking. Throws if another process keeps writing. */
function keepWritersOut(path: string): Database | null {
  let database: Database | null = null;
  try {
    database = connect(path, "write");
    database.run(PATIENCE);
    database.run("BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) throw error;
    return null;
  }
}

/** Renaming to another link of the same file would do nothing. */
function moveIfThere(from: string, to: string): void {
  try {
    if (inodeOf(from) === inodeOf(to)) removeIfThere(from);
    else renameSync(from, to);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

function make(
  path: string,
  opening: Opening,
  token = opening.owner === null ? null : unlessUnknown(opening.owner),
): void {
  // SQLite would take leftover companion files for part of the new database.
  for (const suffix of COMPANIONS) removeIfThere(path + suffix);
  const unfinished = `${path}.new`;
  removeDatabase(unfinished);
  keepSetAside(path, opening);
  if (token === null) {
    makeEmpty(path);
    return;
  }
  makeEmpty(unfinished);
  try {
    const database = connect(unfinished, "create");
    try {
      database.run("PRAGMA journal_mode = MEMORY");
      migrate(database);
      storeToken(database, token);
    } finally {
      database.close();
    }
    fsyncFile(unfinished);
    renameSync(unfinished, path);
  } catch (error) {
    removeDatabase(unfinished);
    throw error;
  }
  fsyncDirectory(dirname(path));
}

/** null if the home workspace can't store it; git is then asked at each opening. */
function unlessUnknown(owner: DatabaseOwner): string | null {
  try {
    return newToken(owner);
  } catch (error) {
    if (error instanceof RetainError) return null;
    throw error;
  }
}

function makeEmpty(path: string): void {
  closeSync(openSync(path, "wx", 0o600));
}
