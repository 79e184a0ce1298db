/** Serialises whole-file operations, such as creating or replacing a file. */
import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { removeIfThere } from "../../util/fs.ts";
import { connect, type Database, hasMoved } from "../driver.ts";
import { isDamage, isMoved } from "../faults.ts";

/** How long to wait before reporting busy. */
export const PATIENCE = "PRAGMA busy_timeout = 2000";

/**
 * Runs `work` under a lock for this file. It is SQLite's lock on an empty file, so it ends with the process. Throws if it is busy
 * or the directory is not writable.
 */
export function withFileLock<T>(path: string, work: () => T): T {
  accessSync(dirname(path), constants.W_OK);
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

/** null if the locked file was deleted in the meantime, or was invalid and is removed. Throws if busy. */
function takeLock(file: string): Database | null {
  const lock = connect(file, "create");
  try {
    lock.run(PATIENCE);
    lock.run("PRAGMA journal_mode = MEMORY");
    lock.run("BEGIN EXCLUSIVE");
    if (!hasMoved(lock)) return lock;
  } catch (error) {
    // Another process has just removed it.
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
