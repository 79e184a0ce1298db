/**
 * One workspace's database: opened when it is first needed, and the workspace's lock. Whoever changes files holds
 * SQLite's write lock meanwhile; the rows that belong to the change are stored at the end, in the same transaction.
 */
import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import type { WorkspaceLock } from "../core/ports.ts";
import {
  asIoError,
  cannotWrite,
  damagedAgain,
  isBusy,
  isDamage,
  isDiskFull,
  isMoved,
  isUnavailable,
  whyNotMade,
  whyUnwritable,
} from "./faults.ts";
import { type OpenedDatabase, openDatabase } from "./open.ts";
import type { DatabaseOwner } from "./ownership.ts";
import type { WorkspaceRows } from "./rows.ts";

const LOCK_PATIENCE_MS = 30_000;
/** A database that is found damaged as often in a row has a disk that cannot be trusted. */
const DAMAGED_TRIES = 3;

/**
 * FULL flushes every commit to the disk before it is reported: 0.4 ms more on an idle SSD, 4 ms on a busy one. NORMAL
 * leaves the newest ones to a power cut, never the file's integrity: for rows that are derived from files, which were
 * flushed themselves.
 */
type Synchronous = "FULL" | "NORMAL";

export class WorkspaceDatabase implements WorkspaceLock, WorkspaceRows {
  #opened: OpenedDatabase | null = null;
  #changes: ((database: Database) => void)[] | null = null;
  #commits = 0;
  /** How often a damaged database was set aside: what was read from it meanwhile is worth asking for again. */
  rebuilds = 0;

  constructor(
    private readonly path: string,
    /** Makes the workspace's directory and starting files: called before the database is made. */
    private readonly prepare: () => void,
    private readonly warn: (message: string) => void,
    /** Tells a stranger's database from the user's; null where nobody else's can be in its place. */
    private readonly owner: DatabaseOwner | null = null,
  ) {}

  get writable(): boolean {
    return this.unavailable === null;
  }

  /** Why nothing can be stored; null where it can, or where there is no workspace yet. */
  get unavailable(): string | null {
    return existsSync(dirname(this.path)) ? this.#open().unavailable : null;
  }

  get unwritable(): string | null {
    return existsSync(dirname(this.path)) ? this.#open().unavailable : whyNotMade(dirname(this.path));
  }

  get isDiskFull(): boolean {
    return existsSync(dirname(this.path)) && isDiskFull(this.path);
  }

  exclusively<T>(work: () => T): Promise<T> {
    return this.#untilDone(() => this.tryExclusively(work));
  }

  tryExclusively<T>(work: () => T): { result: T } | null {
    const opened = this.#begin();
    if (opened === null) return null;
    return this.#collect(opened.database, work);
  }

  inMemory<T>(work: () => T): T {
    const { database, unavailable } = this.#open();
    if (unavailable === null) throw new Error("Only for a workspace that cannot be written");
    database.run("BEGIN");
    return this.#collect(database, work).result;
  }

  transaction<T>(change: (database: Database) => T): Promise<T> {
    return this.#untilDone(() => this.#attempt(change, "FULL"));
  }

  /** As `transaction`, for rows that can be made again: in a read-only workspace they are kept in memory. */
  async derive<T>(change: (database: Database) => T): Promise<T> {
    return this.writable ? this.#untilDone(() => this.#attempt(change, "NORMAL")) : this.#remember(change);
  }

  /** As `derive`, but without waiting: null when another process is writing. */
  tryDerive<T>(change: (database: Database) => T): { result: T } | null {
    return this.writable ? this.#attempt(change, "NORMAL") : { result: this.#remember(change) };
  }

  /** Changes whenever the rows may have changed, by this process or another. */
  revision(): string {
    return this.read("", (database) => {
      const { data_version } = database.query("PRAGMA data_version").get() as { data_version: number };
      return `${this.file}/${data_version}/${this.#commits}`;
    });
  }

  /** Which file is open: another one may have taken its place, and counts its ids from one again. */
  get file(): string {
    const { inode, unavailable = null } = this.#opened ?? {};
    return `${inode}/${this.rebuilds}${unavailable === null ? "" : "/memory"}`;
  }

  enqueue(change: (database: Database) => void): void {
    if (this.#changes === null) throw new Error("Rows are changed only while the lock is held");
    this.#changes.push(change);
  }

  savepoint(change: () => void, instead: (cause: unknown) => void): void {
    this.enqueue((database) => {
      database.run("SAVEPOINT before");
      try {
        this.#enact(database, change);
      } catch (error) {
        if (!database.inTransaction || isDamage(error) || isUnavailable(error)) throw error;
        database.run("ROLLBACK TO before");
        this.#enact(database, () => instead(error));
      }
      database.run("RELEASE before");
    });
  }

  /** Makes the changes that `work` enqueues, at once. */
  #enact(database: Database, work: () => void): void {
    const outer = this.#changes;
    this.#changes = [];
    try {
      work();
      for (const change of this.#changes) change(database);
    } finally {
      this.#changes = outer;
    }
  }

  /** What `query` finds, in a new database where it finds damage; `nothing` where there is no workspace: none is made. */
  read<T>(nothing: T, query: (database: Database) => T): T {
    if (this.#opened === null && !existsSync(dirname(this.path))) return nothing;
    if (this.#opened !== null && !this.#isStillThere(this.#opened)) this.close();
    for (let tries = 1; ; tries++) {
      const opened = this.#open();
      try {
        return query(opened.database);
      } catch (error) {
        if (!isDamage(error) || tries === DAMAGED_TRIES) throw asIoError(error, this.path, "read");
        this.#rebuild(opened);
      }
    }
  }

  readKept<T>(nothing: T, query: (database: Database) => T): T {
    return this.read(nothing, (database) => {
      const unread = this.#opened?.unread ?? null;
      if (unread === null) return query(database);
      throw new RetainError(
        "io",
        `Conversations in ${this.path} cannot be read: ${unread}.`,
        "Look at its disk, and who owns it; nothing was changed.",
      );
    });
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = null;
  }

  #open(): OpenedDatabase {
    if (this.#opened !== null) return this.#opened;
    if (!existsSync(this.path)) this.#tryToPrepare();
    this.#opened = this.#openAnew();
    return this.#opened;
  }

  /** Where nothing can be made, what is there is read all the same. */
  #tryToPrepare(): void {
    try {
      this.prepare();
    } catch (error) {
      if (!(error instanceof RetainError && error.code === "io")) throw error;
    }
  }

  #openAnew(damaged = 0): OpenedDatabase {
    return openDatabase(this.path, { warn: this.warn, owner: this.owner }, damaged);
  }

  /** Takes the lock; null while another process has it. Throws `io` where the workspace cannot be written. */
  #begin(synchronous: Synchronous = "NORMAL"): OpenedDatabase | null {
    this.prepare();
    if (this.#opened !== null && !this.#isStillThere(this.#opened)) this.close();
    this.#tryAgain();
    const opened = this.#open();
    if (opened.unavailable !== null) throw cannotWrite(this.path, opened.unavailable);
    try {
      opened.database.run(`PRAGMA synchronous = ${synchronous}`);
      opened.database.run("BEGIN IMMEDIATE");
    } catch (error) {
      return this.#standAside(opened, error);
    }
    if (this.#isStillThere(opened)) return opened;
    this.#rollBack(opened.database);
    this.close();
    return null;
  }

  /** A disk that was full when the database was opened may have space by now. */
  #tryAgain(): void {
    const standIn = this.#opened;
    if (standIn === null || standIn.unavailable === null || whyUnwritable(this.path) !== null) return;
    const anew = this.#openAnew();
    if (anew.unavailable === null) this.#opened = anew;
    (anew.unavailable === null ? standIn : anew).database.close();
  }

  /** After a change that failed: null where it is worth another try, else it throws. Nothing was stored. */
  #standAside(opened: OpenedDatabase, error: unknown): null {
    if (isDamage(error)) this.#rebuild(opened);
    else if (isMoved(error) && !this.#isStillThere(opened)) this.close();
    else if (!isBusy(error)) throw asIoError(error, this.path, "write");
    return null;
  }

  /** Whatever stands in the way of that, the lock is let go. */
  #rollBack(database: Database): void {
    if (this.#opened?.database !== database || !database.inTransaction) return;
    try {
      database.run("ROLLBACK");
    } catch {
      this.close();
    }
  }

  /** A database that somebody removed or replaced locks nobody out any more. */
  #isStillThere({ inode, unavailable }: OpenedDatabase): boolean {
    return unavailable !== null || statSync(this.path, { throwIfNoEntry: false })?.ino === inode;
  }

  #collect<T>(database: Database, work: () => T): { result: T } {
    this.#changes = [];
    try {
      const result = work();
      this.#store(database, this.#changes);
      return { result };
    } finally {
      this.#changes = null;
      this.#rollBack(database);
    }
  }

  async #untilDone<T>(attempt: () => { result: T } | null): Promise<T> {
    const deadline = performance.now() + LOCK_PATIENCE_MS;
    const before = this.rebuilds;
    for (;;) {
      const done = attempt();
      if (done !== null) return done.result;
      if (this.rebuilds - before >= DAMAGED_TRIES) throw damagedAgain(this.path);
      await waitForTurn(deadline);
    }
  }

  #attempt<T>(change: (database: Database) => T, synchronous: Synchronous): { result: T } | null {
    const opened = this.#begin(synchronous);
    if (opened === null) return null;
    const { database } = opened;
    try {
      const result = change(database);
      database.run("COMMIT");
      this.#commits++;
      return { result };
    } catch (error) {
      return this.#standAside(opened, error);
    } finally {
      this.#rollBack(database);
    }
  }

  #remember<T>(change: (database: Database) => T): T {
    this.#commits++;
    const { database } = this.#open();
    return database.transaction(() => change(database))();
  }

  /** The files are written by now: whatever happens to the rows, the next sync finds out. */
  #store(database: Database, changes: readonly ((database: Database) => void)[]): void {
    try {
      for (const change of changes) change(database);
      database.run("COMMIT");
      this.#commits++;
    } catch (error) {
      this.warn(
        `Stored, but the index could not be updated (${messageOf(error)}); it catches up at the next search.`,
      );
      if (isDamage(error) && this.#opened !== null) this.#rebuild(this.#opened);
    }
  }

  #rebuild({ inode }: OpenedDatabase): void {
    this.rebuilds++;
    this.close();
    this.#opened = this.#openAnew(inode);
  }
}

async function waitForTurn(deadline: number): Promise<void> {
  if (performance.now() > deadline)
    throw new RetainError(
      "locked",
      "Another process is writing to this workspace and does not finish.",
      "Look for a hanging 'retain' process, then try again; nothing was changed.",
    );
  await Bun.sleep(1 + Math.random() * 10);
}
