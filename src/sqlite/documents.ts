/** The document index: one row each, with frontmatter and file status to detect changes. */
import type { DocumentRef } from "../core/documents/document.ts";
import type { Fields } from "../core/documents/read-yaml.ts";
import type {
  DocumentIndex,
  IndexedDocument,
  StampedDocument,
  UnreadDocument,
} from "../core/ports/documents.ts";
import { ChangeLog } from "./database/change-log.ts";
import type { WorkspaceDatabase } from "./database/database.ts";
import { stateOf } from "./database/state.ts";
import type { Database } from "./driver.ts";

/** A row from SQL: an indexed document with its fields still as JSON text. */
type Row = Omit<IndexedDocument, "fields"> & { fields: string };

const SELECT = `SELECT collection, id, title, fields, problem, size, mtime, ctime, inode, hash,
  written_hash AS writtenHash, seen_at AS seenAt, format FROM documents`;

const SELECT_STAMPS =
  "SELECT collection, id, size, mtime, ctime, inode, seen_at AS seenAt, format FROM documents";

/** Rows per page: about a millisecond. */
const PAGE = 500;

const UPSERT = `INSERT INTO documents
    (collection, id, title, fields, problem, size, mtime, ctime, inode, hash, written_hash, seen_at, format)
  VALUES
    ($collection, $id, $title, $fields, $problem, $size, $mtime, $ctime, $inode, $hash, $writtenHash, $seenAt, $format)
  ON CONFLICT (collection, id) DO UPDATE SET
    title = excluded.title, fields = excluded.fields, problem = excluded.problem, size = excluded.size,
    mtime = excluded.mtime, ctime = excluded.ctime, inode = excluded.inode, hash = excluded.hash,
    written_hash = excluded.written_hash, seen_at = excluded.seen_at, format = excluded.format`;

/** A document with unreadable frontmatter still has its text in chunks. */
const UNREAD = `SELECT collection, id, problem,
    EXISTS (SELECT 1 FROM chunks WHERE kind = 'document' AND source = collection || '/' || id) AS isSearched
  FROM documents WHERE problem IS NOT NULL ORDER BY collection, id`;

/** The number of documents with problems at the last sync. */
const PROBLEMS = "problems";

export class SqliteDocumentIndex implements DocumentIndex {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  *all(): Generator<IndexedDocument[]> {
    for (const page of this.#pages<Row>(SELECT)) yield page.map(fromRow);
  }

  stamps(): Generator<StampedDocument[]> {
    return this.#pages<StampedDocument>(SELECT_STAMPS);
  }

  *#pages<T>(select: string): Generator<T[]> {
    const last = this.workspace.read(0, (database) => {
      const query = database.query<{ last: number | null }, []>("SELECT max(row_id) AS last FROM documents");
      return query.get()?.last ?? 0;
    });
    for (let from = 0; from < last; from += PAGE)
      yield this.workspace.read([], (database) =>
        database
          .query<T, [number, number]>(`${select} WHERE row_id > ? AND row_id <= ?`)
          .all(from, from + PAGE),
      );
  }

  unread(): UnreadDocument[] {
    type Unread = Omit<UnreadDocument, "isSearched"> & { isSearched: number };
    return this.workspace
      .read([], (database) => database.query<Unread, []>(UNREAD).all())
      .map((document) => ({ ...document, isSearched: document.isSearched === 1 }));
  }

  settled(): { fingerprint: string | null; unread: number; generation: number } {
    return this.workspace.read({ fingerprint: null, unread: 0, generation: 0 }, (database) => {
      const rows = database.query("SELECT key, value FROM state").values() as [string, string][];
      const state = new Map(rows);
      const unread = state.get(PROBLEMS);
      return {
        // An older index without this count is scanned once more.
        fingerprint: unread === undefined ? null : (state.get("settled") ?? null),
        unread: Number(unread ?? 0),
        generation: Number(state.get("generation") ?? 0),
      };
    });
  }

  settle(fingerprint: string, unread: number, generation: number): void {
    this.workspace.enqueue((database) => {
      const set = database.query(
        `INSERT OR REPLACE INTO state (key, value) SELECT ?, ? WHERE ? =
           ifnull((SELECT CAST(value AS INTEGER) FROM state WHERE key = 'generation'), 0)`,
      );
      set.run(PROBLEMS, String(unread), generation);
      set.run("settled", fingerprint, generation);
    });
  }

  find({ collection, id }: DocumentRef): IndexedDocument | null {
    return this.workspace.read(null, (database) => {
      const query = database.query<Row, [string, string]>(`${SELECT} WHERE collection = ? AND id = ?`);
      const row = query.get(collection, id);
      return row === null ? null : fromRow(row);
    });
  }

  findEach(refs: readonly DocumentRef[]): (IndexedDocument | null)[] {
    return this.workspace.atOnce(() => refs.map((ref) => this.find(ref)));
  }

  changedSince(generation: number): DocumentRef[] | null {
    return this.workspace.read(null, (database) => {
      const now = Number(stateOf(database, "generation") ?? 0);
      return changes.last(database, now - generation);
    });
  }

  put(row: IndexedDocument): void {
    this.#unsettle(row);
    const fields = JSON.stringify(row.fields);
    this.workspace.enqueue((database) => database.query(UPSERT).run({ ...row, fields }));
  }

  remove({ collection, id }: DocumentRef): void {
    this.#unsettle({ collection, id });
    this.workspace.enqueue((database) =>
      database.query("DELETE FROM documents WHERE collection = ? AND id = ?").run(collection, id),
    );
  }

  #unsettle(changed: DocumentRef): void {
    this.workspace.enqueue((database) => unsettle(database, changed));
  }
}

function fromRow(row: Row): IndexedDocument {
  return Object.assign(row, { fields: JSON.parse(row.fields) as Fields });
}

const changes = new ChangeLog<DocumentRef>("document changes", 50);

/** Invalidates the sync state. Unless a single document changed, also drops the log of changes. */
export function unsettle(database: Database, changed: DocumentRef | null = null): void {
  database.run("DELETE FROM state WHERE key = 'settled'");
  // A random start, so that a replacement database is not mistaken for the old one.
  database.run(
    `INSERT INTO state (key, value) VALUES ('generation', CAST(abs(random()) % 1000000000000 AS TEXT))
     ON CONFLICT (key) DO UPDATE SET value = CAST(value AS INTEGER) + 1`,
  );
  if (changed === null) changes.clear(database);
  else changes.note(database, { collection: changed.collection, id: changed.id });
}
