/**
 * One workspace's database, opened lazily, and the workspace's lock. File changes happen under the lock; their rows are stored at
 * the end in one transaction. The lock is a separate file, so it holds even if somebody deletes the database, which is a cache.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ErrorCode, messageOf, RetainError } from "../../core/errors.ts";
import { recordNothing, reportIncident } from "../../core/incidents.ts";
import type { WorkspaceLock } from "../../core/ports/documents.ts";
import { LOCK_FILE } from "../../util/fs.ts";
import { sleep } from "../../util/sleep.ts";
import type { Database } from "../driver.ts";
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
} from "../faults.ts";
import type { WorkspaceRows } from "../rows.ts";
import { CurrentDatabase } from "./current.ts";
import { FileLock } from "./file-lock.ts";
import type { OpenedDatabase } from "./open.ts";
import type { Opening } from "./opening.ts";

const LOCK_PATIENCE_MS = 30_000;
/** After this many damaged databases in a row, the disk can't be trusted. */
const DAMAGED_TRIES = 3;
/** Errors where the disk or another process prevented a write. */
const FAILED_WRITES: ReadonlySet<ErrorCode> = new Set(["io", "locked"]);

export class WorkspaceDatabase implements WorkspaceLock, WorkspaceRows {
  readonly #lock: FileLock;
  readonly #opening: Opening;
  readonly #current: CurrentDatabase;
  #changes: ((database: Database) => void)[] | null = null;
  #commits = 0;
  #unstored = 0;

  constructor(
    private readonly path: string,
    /** Creates the workspace's directory and starting files before the database. */
    private readonly prepare: () => void,
    warn: Opening["warn"],
    { owner = null, keep = cannotKeep, record = recordNothing }: Partial<Opening> = {},
  ) {
    this.#lock = new FileLock(join(dirname(path), LOCK_FILE));
    this.#opening = { warn, record, owner, keep };
    this.#current = new CurrentDatabase(path, prepare, this.#opening);
  }

  /** How often a damaged database was replaced; data read before that should be read again. */
  get rebuilds(): number {
    return this.#current.rebuilds;
  }

  /** Whether this process is making a change. */
  get isHeld(): boolean {
    return this.#changes !== null || (this.#current.opened?.database.inTransaction ?? false);
  }

  /** Whether this process has opened the database. */
  get isOpen(): boolean {
    return this.#current.opened !== null;
  }

  /** Whether the database is in this directory. */
  isIn(directory: string): boolean {
    return dirname(this.path) === directory;
  }

  get writable(): boolean {
    return this.unavailable === null;
  }

  /** Why nothing can be stored; null if it can, or if there is no workspace yet. */
  get unavailable(): string | null {
    return existsSync(dirname(this.path)) ? this.#current.open().unavailable : null;
  }

  get unwritable(): string | null {
    return existsSync(dirname(this.path)) ? this.#current.open().unavailable : whyNotMade(dirname(this.path));
  }

  get isDiskFull(): boolean {
    return existsSync(dirname(this.path)) && isDiskFull(this.path);
  }

  async exclusively<T>(work: () => T): Promise<T> {
    try {
      return await this.#untilDone(() => this.tryExclusively(work));
    } catch (error) {
      if (error instanceof RetainError && FAILED_WRITES.has(error.code)) this.#recordFailure(error);
      throw error;
    }
  }

  /** The caller may be a model or a script that reports nothing. */
  #recordFailure({ message, hint = "" }: RetainError): void {
    const what = `A write failed. ${message}`;
    this.#opening.record({ kind: "failed-write", path: dirname(this.path), what, todo: hint });
  }

  tryExclusively<T>(work: () => T): { result: T } | null {
    const opened = this.#begin();
    if (opened === null) return null;
    return this.#collect(opened.database, work);
  }

  inMemory<T>(work: () => T): T {
    const { database, unavailable } = this.#current.open();
    if (unavailable === null) throw new Error("Only for a workspace that cannot be written");
    database.run("BEGIN");
    return this.#collect(database, work).result;
  }

  transaction<T>(change: (database: Database) => T): Promise<T> {
    return this.#untilDone(() => this.#attempt(change));
  }

  /** Like `transaction`, for derived rows: in a read-only workspace they stay in memory. */
  async derive<T>(change: (database: Database) => T): Promise<T> {
    return this.writable ? this.#untilDone(() => this.#attempt(change)) : this.#remember(change);
  }

  /** Like `derive`, without waiting: null if another process is writing. */
  tryDerive<T>(change: (database: Database) => T): { result: T } | null {
    return this.writable ? this.#attempt(change) : { result: this.#remember(change) };
  }

  /** Changes whenever any process may have changed the rows. */
  revision(): string {
    return `${this.othersRevision()}/${this.#commits}`;
  }

  /** Changes whenever another process may have changed the rows, or this one failed to store its own. */
  othersRevision(): string {
    return this.read("", (database) => {
      const { data_version } = database.query("PRAGMA data_version").get() as { data_version: number };
      return `${this.file}/${data_version}/${this.#unstored}`;
    });
  }

  /** Identifies the open database; a replacement restarts its ids. */
  get file(): string {
    return `${this.#current.closings}`;
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

  /** Runs the changes that `work` enqueues at once. */
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

  /**
   * The result of `query`, from a rebuilt database if it hits damage; `nothing` if there is no workspace, without creating one.
   */
  read<T>(nothing: T, query: (database: Database) => T): T {
    if (!this.isOpen && !existsSync(dirname(this.path))) return nothing;
    if (!this.isHeld) this.#current.closeIfReplaced();
    for (let tries = 1; ; tries++) {
      const opened = this.#current.open();
      try {
        return query(opened.database);
      } catch (error) {
        if (!isDamage(error) || tries === DAMAGED_TRIES) throw asIoError(error, this.path, "read");
        this.#current.rebuild(opened);
      }
    }
  }

  /** Runs reads on one state of the rows. Saves time, since otherwise each of them looks at the file and locks it. */
  atOnce<T>(reads: () => T): T {
    if (this.isHeld || (!this.isOpen && !existsSync(dirname(this.path)))) return reads();
    this.#current.closeIfReplaced();
    const { database } = this.#current.open();
    database.run("BEGIN");
    try {
      return reads();
    } finally {
      // A damaged database is closed.
      if (this.#current.opened?.database === database) database.run("COMMIT");
    }
  }

  close(): void {
    this.#current.close();
    this.#lock.close();
  }

  /** Reads from a copy in memory until writing works again, for callers that hit a full disk. */
  readFromCopy(): void {
    this.#current.useCopy();
  }

  /** Takes the lock; null if another process has it. Throws `io` if the workspace is not writable. */
  #begin(): OpenedDatabase | null {
    this.prepare();
    this.#current.closeIfReplaced();
    this.#current.leaveCopy();
    const opened = this.#current.open();
    if (opened.unavailable !== null) throw cannotWrite(this.path, opened.unavailable);
    if (!this.#takeLock()) return null;
    try {
      opened.database.run("BEGIN IMMEDIATE");
      if (this.#current.isStillThere(opened)) return opened;
    } catch (error) {
      this.#letGo(opened.database);
      return this.#standAside(opened, error);
    }
    this.#letGo(opened.database);
    this.#current.close();
    return null;
  }

  #takeLock(): boolean {
    try {
      return this.#lock.tryTake();
    } catch (error) {
      throw asIoError(error, this.path, "write");
    }
  }

  /** After a failed change: returns null if a retry is worthwhile, else throws. Nothing was stored. */
  #standAside(opened: OpenedDatabase, error: unknown): null {
    if (isDamage(error)) this.#current.rebuild(opened);
    else if (isMoved(error) && !this.#current.isStillThere(opened)) this.#current.close();
    else if (!isBusy(error)) throw asIoError(error, this.path, "write");
    return null;
  }

  /** Rolls back what is not committed. */
  #letGo(database: Database): void {
    try {
      if (this.#current.opened?.database === database && database.inTransaction) database.run("ROLLBACK");
    } catch {
      this.#current.close();
    } finally {
      this.#lock.release();
    }
  }

  #collect<T>(database: Database, work: () => T): { result: T } {
    this.#changes = [];
    try {
      const result = work();
      this.#store(database, this.#changes);
      return { result };
    } finally {
      this.#changes = null;
      this.#letGo(database);
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

  #attempt<T>(change: (database: Database) => T): { result: T } | null {
    const opened = this.#begin();
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
      this.#letGo(database);
    }
  }

  #remember<T>(change: (database: Database) => T): T {
    this.#commits++;
    const { database } = this.#current.open();
    database.run("SAVEPOINT derived");
    try {
      const result = change(database);
      database.run("RELEASE derived");
      return result;
    } catch (error) {
      if (database.inTransaction) database.run("ROLLBACK TO derived; RELEASE derived");
      throw error;
    }
  }

  /** The files are already written; if storing the rows fails, the next sync repairs them. */
  #store(database: Database, changes: readonly ((database: Database) => void)[]): void {
    try {
      for (const change of changes) change(database);
      database.run("COMMIT");
      this.#commits++;
    } catch (error) {
      this.#unstored++;
      reportIncident(this.#opening, {
        kind: "failed-write",
        path: this.path,
        what: `Saved, but updating the index failed (${messageOf(error)}). The next search updates it.`,
        todo: "",
      });
      const { opened } = this.#current;
      if (isDamage(error) && opened !== null) this.#current.rebuild(opened);
    }
  }
}

async function waitForTurn(deadline: number): Promise<void> {
  if (performance.now() > deadline)
    throw new RetainError(
      "locked",
      "Timed out: another process is writing to this workspace.",
      "Nothing was changed. Look for a hung 'retain' process, then try again.",
    );
  await sleep(1 + Math.random() * 10);
}

/** For workspaces that no earlier version can have used. */
function cannotKeep(): void {
  throw new Error("There are conversations in the database, and nowhere to put them");
}
