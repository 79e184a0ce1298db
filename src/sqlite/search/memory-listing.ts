/** Lists documents and notes from the index. Reads no files and no texts. */
import type { MemoryEntry, MemoryFilter, MemoryListing, Tally } from "../../core/ports/search.ts";
import { sqlFilter } from "../chunks/filter.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";

/** A document whose whole text is private has no chunks. */
const WITHOUT_CHUNKS = `SELECT NULL AS chunkId, 'document' AS kind, collection || '/' || id AS source, mtime AS at FROM documents
  WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE kind = 'document' AND source = collection || '/' || documents.id)`;
const COLLECTIONS =
  "SELECT collection AS name, count(*) AS count FROM documents GROUP BY collection ORDER BY collection";
const TAGS = `SELECT value AS name, count(*) AS count FROM chunks, json_each(chunks.tags)
  WHERE part = 0 AND chunks.tags <> '[]' AND kind IN ('document', 'fact') GROUP BY value ORDER BY count DESC, name LIMIT ?`;

/** Rows per page: about a millisecond. */
const PAGE = 500;

export class SqliteMemoryListing implements MemoryListing {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  revision(): string {
    return this.workspace.revision();
  }

  *entries(filter: MemoryFilter): Generator<MemoryEntry[]> {
    let documents = 0;
    for (const kind of ["document", "note"] as const)
      for (const page of this.#pages(kind, filter)) {
        if (kind === "document") documents += page.length;
        yield page;
      }
    yield this.workspace.read([], (database) => withoutChunks(database, filter, documents));
  }

  /** By source, as the index `chunks_listed` has them. */
  *#pages(kind: MemoryEntry["kind"], filter: MemoryFilter): Generator<MemoryEntry[]> {
    const { where, values } = sqlFilter(filter);
    const sql = `SELECT chunk_id AS chunkId, kind, source, at FROM chunks
      WHERE part = 0 AND kind = ? AND source > ? ${where === "" ? "" : `AND ${where}`} ORDER BY source LIMIT ${PAGE}`;
    for (let after: string | undefined = ""; after !== undefined; ) {
      const from: string = after;
      const page = this.workspace.read([], (database) =>
        database.query<MemoryEntry, (string | number)[]>(sql).all(kind, from, ...values),
      );
      yield page;
      after = page.length < PAGE ? undefined : page.at(-1)?.source;
    }
  }

  collections(): Tally[] {
    return this.workspace.read([], (database) => database.query<Tally, []>(COLLECTIONS).all());
  }

  tags(limit: number): Tally[] {
    return this.workspace.read([], (database) => database.query<Tally, [number]>(TAGS).all(limit));
  }
}

/** Looked for only if documents are missing among those found, since it takes a look at each. */
function withoutChunks(
  database: Database,
  { kinds, collection, tags, tagRule, since, until }: MemoryFilter,
  found: number,
): MemoryEntry[] {
  const isLimited = [tags, tagRule, since, until].some((limit) => limit !== undefined);
  if (isLimited || kinds?.includes("document") === false) return [];
  const { count } = database
    .query("SELECT count(*) AS count FROM documents WHERE collection = ifnull(?, collection)")
    .get(collection ?? null) as { count: number };
  if (count === found) return [];
  return database
    .query<MemoryEntry, []>(WITHOUT_CHUNKS)
    .all()
    .filter(({ source }) => collection === undefined || source.startsWith(`${collection}/`));
}
