/** One process at a time for what is done to a file as a whole: making it, putting another one in its place. */
import { constants, Database } from "bun:sqlite";
import { accessSync, existsSync, constants as fileModes } from "node:fs";
import { dirname } from "node:path";
import { removeIfThere } from "../../util/fs.ts";
import { isDamage, isMoved } from "./faults.ts";

/** How long one process waits for another before it says that it is busy. */
export const PATIENCE = "PRAGMA busy_timeout = 2000";

/** Whether the file that is open is no longer the one of that name. */
export function hasMoved(database: Database): boolean {
  const moved = new Int32Array(2);
  database.fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] !== 0;
}

/**
 * Runs `work` while no other process does the like to this file. The lock is SQLite's, on a file that holds nothing, so it
 * ends with the process. Throws where it is busy, and where the directory cannot be written.
 */
export function withFileLock<T>(path: string, work: () => T): T {
  accessSync(dirname(path), fileModes.W_OK);
  const file = `${path}.lock`;
  let lock = takeLock(file);
  while (lock === null) lock = takeLock(file);
  try {
    return work();
  } finally {
    removeIfThere(file);
    lock.close();
  }
}

/** null where the file that was locked is gone by then, or was none to lock and is removed. Throws where it is busy. */
function takeLock(file: string): Database | null {
  const lock = new Database(file);
  try {
    lock.run(PATIENCE);
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    if (!hasMoved(lock)) return lock;
  } catch (error) {
    // Somebody removed it this very moment.
    const isGone = isMoved(error) && !existsSync(file) && existsSync(dirname(file));
    if (!isGone && !isDamage(error)) {
      lock.close();
      throw error;
    }
    if (!isGone && !hasMoved(lock)) removeIfThere(file);
  }
  lock.close();
  return null;
}
