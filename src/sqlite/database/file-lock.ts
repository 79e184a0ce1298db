/**
 * A lock between processes that stands beside what it guards, in a file that holds nothing. It is SQLite's own lock, so it ends
 * with the process, and removing `retain.db` does not take it away.
 */
import { Database } from "bun:sqlite";
import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { removeIfThere } from "../../util/fs.ts";
import { isBusy, isDamage, isMoved } from "./faults.ts";
import { hasMoved } from "./with-file-lock.ts";

/** Whoever has it writes a few lines of a file. */
const PATIENCE_MS = 10_000;

export class FileLock {
  #database: Database | null = null;

  constructor(private readonly path: string) {}

  /** Runs `work` while nobody else has the lock. Throws `locked` where somebody does not let go of it. */
  hold<T>(work: () => T): T {
    const deadline = performance.now() + PATIENCE_MS;
    while (!this.tryTake()) {
      if (performance.now() > deadline)
        throw new RetainError(
          "locked",
          `Another process keeps ${this.path} locked.`,
          "Nothing was changed. Look for a hung 'retain' process, then try again.",
        );
      Bun.sleepSync(1 + Math.random() * 4);
    }
    try {
      return work();
    } finally {
      this.release();
    }
  }

  /** False while somebody else has it. The directory has to be there. */
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
    const database = new Database(this.path, { readwrite: true, create: true });
    database.run("PRAGMA busy_timeout = 0");
    // An empty database is begun whenever it is locked: in memory, so that nothing is written.
    database.run("PRAGMA journal_mode = MEMORY");
    this.#database = database;
    return database;
  }
}
