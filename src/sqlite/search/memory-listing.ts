/** Lists documents and notes from the index. Reads no files and no texts. */
import type { MemoryEntry, MemoryFilter, MemoryListing, Tally } from "../../core/ports/search.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";
import { sqlFilter } from "./filter.ts";

/** A document whose whole text is private has no chunks. */
const WITHOUT_CHUNKS = `SELECT NULL AS chunkId, 'document' AS kind, collection || '/' || id AS source, mtime AS at FROM documents
  WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE kind = 'document' AND source = collection || '/' || documents.id)`;
const COLLECTIONS =
  "SELECT collection AS name, count(*) AS count FROM documents GROUP BY collection ORDER BY collection";
const TAGS = `SELECT value AS name, count(*) AS count FROM chunks, json_each(chunks.tags)
  WHERE part = 0 AND chunks.tags <> '[]' AND kind IN ('document', 'fact') GROUP BY value ORDER BY count DESC, name LIMIT ?`;

export class SqliteMemoryListing implements MemoryListing {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  revision(): string {
    return this.workspace.revision();
  }

  entries(filter: MemoryFilter): MemoryEntry[] {
    const { where, values } = sqlFilter(filter);
    return this.workspace.read([], (database) => {
      const found = database
        .query<MemoryEntry, (string | number)[]>(
          `SELECT chunk_id AS chunkId, kind, source, at FROM chunks
           WHERE part = 0 AND kind IN ('document', 'note') ${where === "" ? "" : `AND ${where}`}`,
        )
        .all(...values);
      return [...found, ...withoutChunks(database, filter, found)];
    });
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
  found: readonly MemoryEntry[],
): MemoryEntry[] {
  const isLimited = [tags, tagRule, since, until].some((limit) => limit !== undefined);
  if (isLimited || kinds?.includes("document") === false) return [];
  const { count } = database
    .query("SELECT count(*) AS count FROM documents WHERE collection = ifnull(?, collection)")
    .get(collection ?? null) as { count: number };
  if (count === found.filter(({ kind }) => kind === "document").length) return [];
  return database
    .query<MemoryEntry, []>(WITHOUT_CHUNKS)
    .all()
    .filter(({ source }) => collection === undefined || source.startsWith(`${collection}/`));
}
