/**
 * Keeps the rows of conversations in sync with their files. Whatever happens to the rows (a crash, a deleted `retain.db`), they are
 * synced before the next read and the next write.
 */
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { ioError, RetainError } from "../../core/errors.ts";
import { type RecordIncident, recordNothing } from "../../core/incidents.ts";
import type { SessionFiles } from "../../files/session-files.ts";
import type { WorkspaceDatabase } from "../../sqlite/database/database.ts";
import { FileLock } from "../../sqlite/database/file-lock.ts";
import { type KnownFile, SqliteSessions } from "../../sqlite/sessions/sessions.ts";
import { ensureDirectory, LOCK_FILE, Outdated } from "../../util/fs.ts";
import { sleepSync } from "../../util/sleep.ts";
import { areInStep, bringInStep } from "./import.ts";

/** How long a reader waits for another process before it answers from the current rows. */
const READERS_PATIENCE_MS = 2_000;

export class SessionsInStep {
  readonly rows: SqliteSessions;
  readonly #lock: FileLock;
  /** The files that the rows match, as of a revision; cached, since there may be thousands. */
  #known: { readonly revision: string; readonly files: Map<string, KnownFile> } | null = null;
  /** How often the database had been rebuilt when the running write began. */
  #rebuildsBefore = 0;

  constructor(
    readonly files: SessionFiles,
    readonly database: WorkspaceDatabase,
    private readonly warn: (message: string) => void,
    /** Called before the files' directory is created. */
    private readonly prepare: () => void = () => {},
    private readonly record: RecordIncident = recordNothing,
  ) {
    this.rows = new SqliteSessions(database);
    this.#lock = new FileLock(join(files.directory, LOCK_FILE));
  }

  /** Runs `work` while no other process changes the files, then drops the cache. */
  alone(work: () => void): void {
    this.#lock.hold(work);
    this.#known = null;
  }

  /** After the rows were emptied: reads every file again. */
  rebuild(): void {
    this.#known = null;
    this.sync();
  }

  /** Syncs the rows with the files. Waits briefly for a process that is writing; false if it still is. */
  sync(): boolean {
    if (this.database.isHeld) return true;
    const deadline = performance.now() + READERS_PATIENCE_MS;
    while (!this.#areInStep()) {
      if (this.#tryToBring()) return true;
      if (performance.now() > deadline) return false;
      sleepSync(2 + Math.random() * 5);
    }
    return true;
  }

  /** Queries synced rows; repeats the query if the database had to be rebuilt in the meantime. */
  read<T>(query: (rows: SqliteSessions) => T): T {
    this.sync();
    const { rebuilds } = this.database;
    const answer = query(this.rows);
    if (this.database.rebuilds === rebuilds) return answer;
    this.sync();
    return query(this.rows);
  }

  /** Excludes other processes from listing the directory to the end of `work`. */
  async write<T>(work: () => T): Promise<T> {
    for (;;) {
      const done = await this.database.exclusively(() => {
        this.#ensureDirectory();
        return this.#lock.hold(() => this.#unlessOutdated(work));
      });
      if (done !== null) return done.result;
      await this.database.derive((rows) => this.#bring(rows));
    }
  }

  /** Throws `Outdated` if a read of this write has met damage: the rows are lost until the next sync, so their absence means nothing. */
  requireRows(): void {
    if (this.database.rebuilds !== this.#rebuildsBefore) throw new Outdated(this.files.directory);
  }

  #ensureDirectory(): void {
    try {
      if (!existsSync(this.files.directory)) this.prepare();
      ensureDirectory(this.files.directory);
    } catch (error) {
      throw ioError(error, `Cannot create ${this.files.directory}`);
    }
  }

  #unlessOutdated<T>(work: () => T): { result: T } | null {
    this.#rebuildsBefore = this.database.rebuilds;
    if (!this.#areInStep()) return null;
    try {
      return { result: work() };
    } catch (error) {
      // `work` may have changed files without updating the rows.
      this.#known = null;
      if (error instanceof Outdated) return null;
      throw error;
    }
  }

  /** False while another process is writing. If rows cannot be stored, as on a full disk, uses an in-memory copy. */
  #tryToBring(): boolean {
    try {
      return this.database.tryDerive((rows) => this.#bring(rows)) !== null;
    } catch (error) {
      if (!(error instanceof RetainError && error.code === "io") || !this.database.writable) throw error;
      this.database.readFromCopy();
      return this.database.tryDerive((rows) => this.#bring(rows)) !== null;
    }
  }

  /** Reads the rows first: opening the database may write its conversations to files. */
  #areInStep(): boolean {
    const known = this.knownFiles();
    return areInStep(this.files.list(), known);
  }

  /** The files that the rows match, by name. */
  knownFiles(): Map<string, KnownFile> {
    const revision = this.database.othersRevision();
    if (this.#known?.revision !== revision) this.#known = { revision, files: this.rows.files() };
    return this.#known.files;
  }

  dropped({ name }: KnownFile): void {
    this.knownFiles().delete(name);
  }

  /** The rows are committed when the lock is released; if that fails, the revision changes. */
  noted(file: KnownFile): KnownFile {
    this.knownFiles().set(file.name, file);
    return file;
  }

  #bring(rows: Parameters<typeof bringInStep>[0]): void {
    this.#known = null;
    const isWritable = this.database.writable && this.#isDirectoryWritable();
    const bring = () => bringInStep(rows, this.files, { isWritable, warn: this.warn, record: this.record });
    if (isWritable) this.#lock.hold(bring);
    else bring();
  }

  #isDirectoryWritable(): boolean {
    try {
      accessSync(this.files.directory, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    this.files.close();
    this.#lock.close();
  }
}
