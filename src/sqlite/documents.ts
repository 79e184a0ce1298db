/** The index of documents, and the workspace's lock: SQLite's own write lock, held while files are changed. */
import type { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { DocumentRef } from "../core/document.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import type { DocumentIndex, IndexChanges, IndexedDocument } from "../core/ports.ts";
import type { Fields } from "../core/yaml-fields.ts";
import { isBusy, isDamage, type OpenedDatabase, openDatabase, setAside } from "./open.ts";

const LOCK_PATIENCE_MS = 30_000;

/** A row as SQL gives it: an indexed document whose fields are still text. */
type Row = Omit<IndexedDocument, "fields"> & { fields: string };

const COLUMNS = `collection, id, title, fields, problem, size, mtime, ctime, inode, hash,
  written_hash AS writtenHash, seen_at AS seenAt`;

type Change = { put: IndexedDocument } | { remove: DocumentRef };

export class SqliteDocumentIndex implements DocumentIndex {
  #opened: OpenedDatabase | null = null;

  constructor(
    private readonly path: string,
    /** Makes the workspace where there is none yet: called before the first write, never for reading. */
    private readonly prepare: () => void,
    private readonly warn: (message: string) => void,
  ) {}

  get writable(): boolean {
    return !existsSync(dirname(this.path)) || this.#open().unavailable === null;
  }

  async exclusively<T>(work: (changes: IndexChanges) => T): Promise<T> {
    this.prepare();
    const { unavailable } = this.#open();
    if (unavailable !== null)
      throw new RetainError(
        "io",
        `Cannot write to ${dirname(this.path)}: ${unavailable}.`,
        "Nothing was changed.",
      );
    const deadline = performance.now() + LOCK_PATIENCE_MS;
    // Between getting the lock and working there must be no await: another call of this process could slip in.
    while (!this.#begin()) {
      if (performance.now() > deadline)
        throw new RetainError(
          "locked",
          "Another process is writing to this workspace and does not finish.",
          "Look for a hanging 'retain' process, then try again; nothing was changed.",
        );
      await Bun.sleep(1 + Math.random() * 10);
    }
    const changes: Change[] = [];
    try {
      const result = work({
        put: (row) => changes.push({ put: row }),
        remove: (ref) => changes.push({ remove: ref }),
      });
      this.#store(changes);
      return result;
    } finally {
      if (this.#database.inTransaction) this.#database.run("ROLLBACK");
    }
  }

  all(): IndexedDocument[] {
    try {
      const query = this.#reader?.query<Row, []>(`SELECT ${COLUMNS} FROM documents`);
      return query?.all().map(fromRow) ?? [];
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#rebuild();
      return [];
    }
  }

  find({ collection, id }: DocumentRef): IndexedDocument | null {
    const sql = `SELECT ${COLUMNS} FROM documents WHERE collection = ? AND id = ?`;
    try {
      const row = this.#reader?.query<Row, [string, string]>(sql).get(collection, id);
      return row ? fromRow(row) : null;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return null;
    }
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = null;
  }

  #open(): OpenedDatabase {
    this.#opened ??= openDatabase(this.path, this.warn);
    return this.#opened;
  }

  get #database(): Database {
    return this.#open().database;
  }

  /** null where there is no workspace: nothing is made in order to find nothing. */
  get #reader(): Database | null {
    return this.#opened !== null || existsSync(dirname(this.path)) ? this.#database : null;
  }

  /** Takes the lock; false while another process has it. */
  #begin(): boolean {
    try {
      this.#database.run("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if (isDamage(error)) this.#rebuild();
      else if (!isBusy(error)) throw error;
      return false;
    }
  }

  /** The files are written by now: whatever happens to the rows, the next sync finds out. */
  #store(changes: readonly Change[]): void {
    try {
      for (const change of changes) {
        if ("put" in change) this.#put(change.put);
        else this.#remove(change.remove);
      }
      this.#database.run("COMMIT");
    } catch (error) {
      this.warn(
        `Stored, but the index could not be updated (${messageOf(error)}); it catches up at the next list.`,
      );
    }
  }

  #put(row: IndexedDocument): void {
    this.#database
      .query(
        `INSERT INTO documents
           (collection, id, title, fields, problem, size, mtime, ctime, inode, hash, written_hash, seen_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (collection, id) DO UPDATE SET
           title = excluded.title, fields = excluded.fields, problem = excluded.problem, size = excluded.size,
           mtime = excluded.mtime, ctime = excluded.ctime, inode = excluded.inode, hash = excluded.hash,
           written_hash = excluded.written_hash, seen_at = excluded.seen_at`,
      )
      .run(
        row.collection,
        row.id,
        row.title,
        JSON.stringify(row.fields),
        row.problem,
        row.size,
        row.mtime,
        row.ctime,
        row.inode,
        row.hash,
        row.writtenHash,
        row.seenAt,
      );
  }

  #remove({ collection, id }: DocumentRef): void {
    this.#database.query("DELETE FROM documents WHERE collection = ? AND id = ?").run(collection, id);
  }

  #rebuild(): void {
    this.close();
    setAside(this.path, this.warn);
  }
}

function fromRow(row: Row): IndexedDocument {
  return Object.assign(row, { fields: JSON.parse(row.fields) as Fields });
}
