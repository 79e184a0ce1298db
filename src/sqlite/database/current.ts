/**
 * The database file that is open now: opened when it is needed, and opened again if its file was deleted, replaced or damaged.
 * A copy in memory stands in for a file that can't be written.
 */
import { existsSync, statSync } from "node:fs";
import { RetainError } from "../../core/errors.ts";
import { FULL, isDiskFull, whyUnwritable } from "../faults.ts";
import { type OpenedDatabase, openDatabase, standIn } from "./open.ts";
import type { Opening } from "./opening.ts";

export class CurrentDatabase {
  #opened: OpenedDatabase | null = null;
  #closings = 0;
  #rebuilds = 0;

  constructor(
    private readonly path: string,
    /** Creates the workspace's directory and starting files before the database. */
    private readonly prepare: () => void,
    private readonly opening: Opening,
  ) {}

  /** null if it isn't open. */
  get opened(): OpenedDatabase | null {
    return this.#opened;
  }

  /** Changes with every replacement, which restarts the ids. */
  get closings(): number {
    return this.#closings;
  }

  /** How often a damaged database was replaced. */
  get rebuilds(): number {
    return this.#rebuilds;
  }

  open(): OpenedDatabase {
    if (this.#opened !== null) return this.#opened;
    if (!existsSync(this.path)) this.#tryToPrepare();
    this.#opened = this.#reopen();
    return this.#opened;
  }

  /** Reading works even if nothing can be created. */
  #tryToPrepare(): void {
    try {
      this.prepare();
    } catch (error) {
      if (!(error instanceof RetainError && error.code === "io")) throw error;
    }
  }

  #reopen(damaged = 0): OpenedDatabase {
    return openDatabase(this.path, this.opening, damaged);
  }

  close(): void {
    this.#closings++;
    this.#opened?.database.close();
    this.#opened = null;
  }

  /** A deleted or replaced database locks out no other process. */
  isStillThere({ inode, unavailable }: OpenedDatabase): boolean {
    return unavailable !== null || statSync(this.path, { throwIfNoEntry: false })?.ino === inode;
  }

  closeIfReplaced(): void {
    if (this.#opened !== null && !this.isStillThere(this.#opened)) this.close();
  }

  rebuild({ inode }: OpenedDatabase): void {
    this.#rebuilds++;
    this.close();
    this.#opened = this.#reopen(inode);
  }

  /** Uses a copy in memory until writing works again. */
  useCopy(): void {
    this.close();
    this.#opened = standIn(this.path, this.opening, isDiskFull(this.path) ? FULL : "it cannot be written");
  }

  /** Opens the file again if a copy stands in for it: the disk may have space again. */
  leaveCopy(): void {
    const copy = this.#opened;
    if (copy === null || copy.unavailable === null || whyUnwritable(this.path) !== null) return;
    const reopened = this.#reopen();
    if (reopened.unavailable === null) {
      this.#opened = reopened;
      this.#closings++;
    }
    (reopened.unavailable === null ? copy : reopened).database.close();
  }
}
