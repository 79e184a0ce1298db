/**
 * A database that can be read and not be written (a read-only disk, a full one, a file of somebody else's), as a copy in
 * memory: what is derived is brought up to date in there as everywhere, and nobody else sees it.
 */
import { Database } from "bun:sqlite";
import { readFileSync, statSync } from "node:fs";
import { isUnavailable } from "./faults.ts";

/** Throws what SQLite and the system say where it cannot be read. */
export function copyInMemory(path: string): Database {
  const image = imageOf(path);
  // Memory has no log of changes; these bytes of the header say that there is one.
  const withoutLog = 1;
  image.fill(withoutLog, 18, 20);
  return Database.deserialize(image, { strict: true });
}

function imageOf(path: string): Buffer {
  try {
    return throughLog(path);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    return fromFile(path);
  }
}

/** With the changes that are in the log: where that is there, with the file that tells who uses it. */
function throughLog(path: string): Buffer {
  const database = new Database(path, { readonly: true });
  try {
    database.query("SELECT 1 FROM sqlite_schema LIMIT 1").values();
    return database.serialize();
  } finally {
    database.close();
  }
}

const TRIES = 3;

/** SQLite does not read a file beside which it can make nothing; without a log it is the whole database. */
function fromFile(path: string): Buffer {
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
