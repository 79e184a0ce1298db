/**
 * The files of conversations and the rows that follow from them, kept in step. Whatever happens to the rows (a crash in between, a
 * `retain.db` that somebody removed), they are brought in step before the next answer and before the next change.
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
import { areInStep, bringInStep } from "./import.ts";

/** How long a reader waits for another process to finish before it answers from the rows as they are. */
const READERS_PATIENCE_MS = 2_000;

export class SessionsInStep {
  readonly rows: SqliteSessions;
  readonly #lock: FileLock;
  /** The files that the rows agree with, as of a revision: kept, since there may be thousands. */
  #known: { readonly revision: string; readonly files: Map<string, KnownFile> } | null = null;

  constructor(
    readonly files: SessionFiles,
    readonly database: WorkspaceDatabase,
    private readonly warn: (message: string) => void,
    /** Called before the directory of the files is made. */
    private readonly prepare: () => void = () => {},
    private readonly record: RecordIncident = recordNothing,
  ) {
    this.rows = new SqliteSessions(database);
    this.#lock = new FileLock(join(files.directory, LOCK_FILE));
  }

  /** Runs `work` while no other process changes the files; what the rows were in step with is not known afterwards. */
  alone(work: () => void): void {
    this.#lock.hold(work);
    this.#known = null;
  }

  /** For rows that were emptied: every file is read again. */
  rebuild(): void {
    this.#known = null;
    this.sync();
  }

  /** Brings the rows in step with the files. Waits a moment for a process that is writing. */
  sync(): void {
    if (this.database.isHeld) return;
    const deadline = performance.now() + READERS_PATIENCE_MS;
    while (!this.#areInStep()) {
      if (this.#tryToBring()) return;
      if (performance.now() > deadline) return;
      Bun.sleepSync(2 + Math.random() * 5);
    }
  }

  /** What the rows say, in step with the files; once more where damage to them was found meanwhile. */
  read<T>(query: (rows: SqliteSessions) => T): T {
    this.sync();
    const { rebuilds } = this.database;
    const answer = query(this.rows);
    if (this.database.rebuilds === rebuilds) return answer;
    this.sync();
    return query(this.rows);
  }

  /** What is between reading the directory and the last line of `work` happens to no other process. */
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

  #ensureDirectory(): void {
    try {
      if (!existsSync(this.files.directory)) this.prepare();
      ensureDirectory(this.files.directory);
    } catch (error) {
      throw ioError(error, `Cannot create ${this.files.directory}`);
    }
  }

  #unlessOutdated<T>(work: () => T): { result: T } | null {
    if (!this.#areInStep()) return null;
    try {
      return { result: work() };
    } catch (error) {
      // Files may have changed by now, of which the rows are not told.
      this.#known = null;
      if (error instanceof Outdated) return null;
      throw error;
    }
  }

  /** False while another process is writing. What cannot be stored, as on a full disk, is known to this process. */
  #tryToBring(): boolean {
    try {
      return this.database.tryDerive((rows) => this.#bring(rows)) !== null;
    } catch (error) {
      if (!(error instanceof RetainError && error.code === "io") || !this.database.writable) throw error;
      this.database.readFromCopy();
      return this.database.tryDerive((rows) => this.#bring(rows)) !== null;
    }
  }

  /** The rows come first: opening the database may be what makes files of its conversations. */
  #areInStep(): boolean {
    const known = this.knownFiles();
    return areInStep(this.files.list(), known);
  }

  /** The files that the rows agree with, by name. */
  knownFiles(): Map<string, KnownFile> {
    const revision = this.database.othersRevision();
    if (this.#known?.revision !== revision) this.#known = { revision, files: this.rows.files() };
    return this.#known.files;
  }

  /** Of a file that was removed. */
  dropped({ name }: KnownFile): void {
    this.knownFiles().delete(name);
  }

  /** The rows are told of the file at the end of the lock; where they cannot be stored, the revision changes. */
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
