/**
 * Makes a workspace's database, and puts a new one in the place of one that cannot be used. It appears at its place
 * complete, with the conversations of those that were set aside; whatever stops this, the next process that finds no
 * database does it again.
 */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, linkSync, openSync, renameSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import { entriesIfThere, fsyncDirectory, fsyncFile, isAbsence, removeIfThere } from "../util/fs.ts";
import { plural } from "../util/text.ts";
import { alone, PATIENCE } from "./alone.ts";
import { COMPANIONS, readCopy, removeDatabase } from "./damaged-copy.ts";
import { isBusy, isUnavailable } from "./faults.ts";
import { migrate } from "./migrations.ts";
import { type DatabaseOwner, newToken, storeToken } from "./ownership.ts";
import { isRescued, markRescued, type Rescued, rescue } from "./rescue.ts";
import { indexConversations } from "./session-index.ts";

type Warn = (message: string) => void;

/** Who is told what happened, and whose the database is to be; null where nobody else's can be in its place. */
export interface Opening {
  readonly warn: Warn;
  readonly owner: DatabaseOwner | null;
}

/** 0 where there is no file. */
export function inodeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? 0;
}

/** Makes the database, unless another process did meanwhile. */
export function createDatabase(path: string, opening: Opening): void {
  alone(path, () => {
    if (!existsSync(path)) make(path, null, opening);
  });
}

/** Sets the database aside for whoever wants to look at it, unless another process did meanwhile, and makes a new one. */
export function replaceDatabase(path: string, inode: number, opening: Opening): void {
  alone(path, () => {
    if (inode === 0 || inodeOf(path) !== inode) return;
    const aside = setAside(path, "damaged");
    try {
      make(path, aside, opening);
    } catch (error) {
      opening.warn(`The index ${path} was damaged. It is kept as ${aside}; nothing is deleted.`);
      throw error;
    }
  });
}

/** As `replaceDatabase`, for a stranger's: what is said in it is not taken over, now or later. */
export function replaceStrangers(path: string, inode: number, opening: Opening): void {
  alone(path, () => {
    if (inodeOf(path) !== inode) return;
    // Before anything is moved: without a token the new one would be taken for a stranger's too.
    const token = opening.owner === null ? null : newToken(opening.owner);
    const aside = setAside(path, "untrusted");
    opening.warn(
      `The index ${path} came with the repository, so what is said in it is somebody else's. It is not used but kept as ${aside}, and a new one is built from the files. If it is your own: take it out of git, then move it back.`,
    );
    make(path, null, opening, token);
  });
}

/**
 * Moves the database away under a new name, with the log of changes that are not in its file yet. Who is in the middle
 * of a change is waited for, and who has it open notices before the next one. A crash in between loses nothing: the
 * log has its new name before the main file has, and without a main file its old name means nothing.
 */
function setAside(path: string, why: "damaged" | "untrusted"): string {
  const aside = freeName(path, why);
  const writer = keepWritersOut(path);
  try {
    try {
      linkSync(`${path}-wal`, `${aside}-wal`);
    } catch {
      // There is none; or this disk knows no links, and it is renamed below.
    }
    renameSync(path, aside);
    for (const suffix of ["-wal", "-journal"]) moveIfThere(path + suffix, aside + suffix);
    removeIfThere(`${path}-shm`);
    if (statSync(`${aside}-wal`, { throwIfNoEntry: false })?.size === 0) removeIfThere(`${aside}-wal`);
    fsyncDirectory(dirname(path));
  } finally {
    // Its file has moved by now, so SQLite leaves all as it is.
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

/** null where damage keeps everybody out. Throws where another process goes on writing. */
function keepWritersOut(path: string): Database | null {
  let database: Database | null = null;
  try {
    database = new Database(path, { readwrite: true, create: false });
    database.run(PATIENCE);
    database.run("BEGIN IMMEDIATE");
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) throw error;
    return null;
  }
}

/** A rename to another name of the same file would do nothing. */
function moveIfThere(from: string, to: string): void {
  try {
    if (inodeOf(from) === inodeOf(to)) removeIfThere(from);
    else renameSync(from, to);
  } catch (error) {
    if (!isAbsence(error)) throw error;
  }
}

/** `replaced` is the one that was just set aside. */
function make(
  path: string,
  replaced: string | null,
  { warn, owner }: Opening,
  token = owner === null ? null : unlessUnknown(owner),
): void {
  // What belongs to a database that is gone would be taken for a part of the new one.
  for (const suffix of COMPANIONS) removeIfThere(path + suffix);
  const files = filesSetAside(path).filter((file) => !owner?.isTracked(file));
  if (replaced !== null && !files.includes(replaced)) warn(report(path, replaced, null));
  if (files.length === 0 && token === null) {
    makeEmpty(path);
    return;
  }
  const unfinished = `${path}.new`;
  removeDatabase(unfinished);
  makeEmpty(unfinished);
  const told: string[] = [];
  try {
    const database = new Database(unfinished, { strict: true });
    try {
      database.run("PRAGMA journal_mode = MEMORY");
      database.run("PRAGMA synchronous = OFF");
      migrate(database);
      database.transaction(() => {
        if (token !== null) storeToken(database, token);
        for (const file of files) {
          if (isRescued(database, file)) continue;
          const rescued = rescueFile(database, file, `${path}.scratch`, warn);
          if (file === replaced || rescued.messages + rescued.lost > 0)
            told.push(report(path, file, rescued));
        }
        indexConversations(database);
      })();
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
  for (const message of told) warn(message);
}

/** null where the home workspace cannot keep it: git is asked then whenever the database is opened. */
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

/** The newest first: what it says of a conversation holds. */
export function filesSetAside(path: string): string[] {
  const prefix = `${basename(path)}.damaged-`;
  return entriesIfThere(dirname(path))
    .filter((entry) => entry.isFile() && entry.name.startsWith(prefix))
    .map(({ name }) => ({ name, time: name.slice(prefix.length) }))
    .filter(({ time }) => /^\d+$/.test(time))
    .sort((a, b) => Number(b.time) - Number(a.time))
    .map(({ name }) => join(dirname(path), name));
}

/** A file that nothing can be got out of must not keep a new database from being made. */
function rescueFile(database: Database, file: string, scratch: string, warn: Warn): Rescued {
  try {
    const rescued = readCopy(file, scratch, (damaged) => rescue(database, damaged, statSync(file).size));
    markRescued(database, file);
    return rescued;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    warn(`Conversations in ${file} could not be read: ${messageOf(error)}.`);
    return { messages: 0, sessions: 0, lost: 0, readable: false };
  }
}

/** null where there was nothing to rescue from: a directory. */
function report(path: string, file: string, rescued: Rescued | null): string {
  const parts = [
    `The index ${path} was damaged. It is rebuilt from your files.`,
    ...(rescued === null ? [] : whatWasRescued(rescued)),
    `The damaged one is kept as ${file}; nothing is deleted.`,
  ];
  return parts.join(" ");
}

function whatWasRescued({ messages, sessions, lost, readable }: Rescued): string[] {
  if (!readable) return ["No conversation in it could be read."];
  if (messages + lost === 0) return [];
  const verb = messages === 1 ? "was" : "were";
  const rescued = `${plural(messages, "message")} of ${plural(sessions, "session")} ${verb} rescued`;
  return [lost === 0 ? `${rescued}.` : `${rescued}, ${lost} could not be read.`];
}
