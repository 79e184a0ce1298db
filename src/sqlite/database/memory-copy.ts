/**
 * Copies a database that is readable but not writable (read-only or full disk, missing permission) into memory. Derived rows are
 * updated there, invisible to other processes.
 */
import { readFileSync, statSync } from "node:fs";
import { connect, connectInMemory, type Database } from "../driver.ts";
import { isUnavailable } from "../faults.ts";

/** Throws SQLite and system errors if it is unreadable. */
export function copyInMemory(path: string): Database {
  const image = imageOf(path);
  // An in-memory database has no WAL; these header bytes say it has one.
  const withoutLog = 1;
  image.fill(withoutLog, 18, 20);
  return connectInMemory(image);
}

function imageOf(path: string): Uint8Array {
  try {
    return throughLog(path);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return fromFile(path);
  }
}

/** Includes the changes in the WAL, if it and its shared-memory file exist. */
function throughLog(path: string): Uint8Array {
  const database = connect(path, "read");
  try {
    database.query("SELECT 1 FROM sqlite_schema LIMIT 1").values();
    return database.serialize();
  } finally {
    database.close();
  }
}

const TRIES = 3;

/** SQLite can't read a WAL database in a read-only directory; without a WAL, the file is complete. */
function fromFile(path: string): Uint8Array {
  for (let tries = 1; tries <= TRIES; tries++) {
    const before = stampOf(path);
    if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0)
      throw new Error(
        `its newest changes are in ${path}-wal, which SQLite cannot read without write permission`,
      );
    const image = readFileSync(path);
    if (stampOf(path) === before) return image;
  }
  throw new Error("another process is changing it");
}

function stampOf(path: string): string {
  const { size, mtimeMs, ino } = statSync(path);
  return `${size} ${mtimeMs} ${ino}`;
}
