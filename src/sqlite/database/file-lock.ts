/**
 * A lock between processes, in an empty file next to what it guards. It is SQLite's lock, so it ends with the process, and
 * deleting `retain.db` does not release it.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { removeIfThere } from "../../util/fs.ts";
import { sleepSync } from "../../util/sleep.ts";
import { connect, type Database, hasMoved } from "../driver.ts";
import { isBusy, isDamage, isMoved } from "../faults.ts";

/** The holder writes only a few lines. */
const PATIENCE_MS = 10_000;

export class FileLock {
  #database: Database | null = null;

  constructor(private readonly path: string) {}

  /** Runs `work` under the lock. Throws `locked` on timeout. */
  hold<T>(work: () => T): T {
    const deadline = performance.now() + PATIENCE_MS;
    while (!this.tryTake()) {
      if (performance.now() > deadline)
        throw new RetainError(
          "locked",
          `Another process keeps ${this.path} locked.`,
          "Nothing was changed. Look for a hung 'retain' process, then try again.",
        );
      sleepSync(1 + Math.random() * 4);
    }
    try {
      return work();
    } finally {
      this.release();
    }
  }

  /** false if another process has it. The directory must exist. */
  tryTake(): boolean {
    for (;;) {
      const database = this.#opened();
      try {
        database.run("BEGIN IMMEDIATE");
        if (!hasMoved(database)) return true;
      } catch (error) {
        if (isBusy(error) && !hasMoved(database)) return false;
        const isGone = isMoved(error) && !existsSync(this.path) && existsSync(dirname(this.path));
        if (!isBusy(error) && !isDamage(error) && !isGone) {
          this.close();
          throw error;
        }
        if (isDamage(error) && !hasMoved(database)) removeIfThere(this.path);
      }
      this.close();
    }
  }

  release(): void {
    if (this.#database?.inTransaction) this.#database.run("ROLLBACK");
  }

  close(): void {
    this.#database?.close();
    this.#database = null;
  }

  #opened(): Database {
    if (this.#database !== null) return this.#database;
    if (!existsSync(this.path)) closeSync(openSync(this.path, "a", 0o600));
    const database = connect(this.path, "create");
    database.run("PRAGMA busy_timeout = 0");
    // Locking initialises an empty database; keep that in memory.
    database.run("PRAGMA journal_mode = MEMORY");
    this.#database = database;
    return database;
  }
}
