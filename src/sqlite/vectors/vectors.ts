/** Vector search: keeps each embedding model's matrix in sync with the rows in SQLite, which other processes write too. */
import type { MeaningList, MemoryFilter } from "../../core/ports/search.ts";
import { sqlFilter } from "../chunks/filter.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";
import { type StoredRow, VectorMatrix } from "./matrix.ts";

interface Loaded {
  readonly matrix: VectorMatrix;
  readonly revision: string;
  readonly file: string;
  /** The result of `rowsOf`. */
  readonly rows: string;
}

/** Rows are read in pages, so that a million of them are not in memory twice. */
const PAGE_ROWS = 20_000;

export class VectorSearch {
  readonly #loaded = new Map<string, Loaded>();

  constructor(private readonly workspace: WorkspaceDatabase) {}

  models(): string[] {
    return this.workspace.read([], (database) =>
      (
        database
          .query(
            "SELECT name FROM models WHERE EXISTS (SELECT 1 FROM vectors WHERE vectors.model_id = models.model_id)",
          )
          .values() as [string][]
      ).flat(),
    );
  }

  nearest(model: string, vector: Float32Array, filter: MemoryFilter, limit: number): MeaningList | null {
    return this.#upToDate(model)?.nearest(vector, limit, this.#passing(filter)) ?? null;
  }

  similarity(model: string, a: number, b: number): number | null {
    return this.#loaded.get(model)?.matrix.similarity(a, b) ?? null;
  }

  senses(model: string, chunkIds: readonly number[]): Map<number, Uint8Array> {
    const matrix = this.#loaded.get(model)?.matrix;
    const own = chunkIds.filter((chunkId) => matrix?.has(chunkId));
    return this.workspace.read(new Map(), (database) => {
      const query = database.query(
        "SELECT chunk_id, bits FROM json_each(?) CROSS JOIN senses ON chunk_id = value",
      );
      return new Map(query.values(JSON.stringify(own)) as [number, Uint8Array][]);
    });
  }

  #passing(filter: MemoryFilter): Set<number> | null {
    const { where, values } = sqlFilter(filter);
    if (where === "") return null;
    return this.workspace.read(new Set(), (database) => {
      const rows = database.query(`SELECT chunk_id FROM chunks WHERE ${where}`).values(...values);
      return new Set((rows as [number][]).flat());
    });
  }

  /** null if this embedding model has no vectors here. */
  #upToDate(model: string): VectorMatrix | null {
    const revision = this.workspace.revision();
    const { file } = this.workspace;
    const loaded = this.#loaded.get(model);
    if (loaded?.revision === revision) return loaded.matrix;
    const known = loaded?.file === file ? loaded : null;
    return this.workspace.read(null, (database) => {
      const rows = rowsOf(database);
      // Most writes don't touch vectors, such as counting recalls.
      const matrix = known?.rows === rows ? known.matrix : refresh(database, model, known?.matrix ?? null);
      if (matrix === null) this.#loaded.delete(model);
      else this.#loaded.set(model, { matrix, revision, file, rows });
      return matrix;
    });
  }
}

/** Detects added or removed rows: rows never change and ids only grow. SQLite answers both without reading rows. */
function rowsOf(database: Database): string {
  const query = "SELECT (SELECT count(*) FROM vectors), (SELECT max(vector_id) FROM vectors)";
  return database.query(query).values().join();
}

/** Adds new rows, then drops deleted ones. */
function refresh(database: Database, model: string, known: VectorMatrix | null): VectorMatrix | null {
  const found = database.query("SELECT model_id, dimensions FROM models WHERE name = ?");
  const [[modelId, dimensions] = [null, 0]] = found.values(model) as [number | null, number][];
  if (modelId === null) return null;
  const total = (
    database.query("SELECT count(*) FROM vectors WHERE model_id = ?").values(modelId) as [[number]]
  )[0][0];
  if (total === 0) return null;
  let matrix = known?.dimensions === dimensions ? known : null;
  // "+" forces a table scan; an index would look up each row.
  const page = database.query(
    "SELECT vector_id, chunk_id, passages FROM vectors WHERE vector_id > ? AND +model_id = ? ORDER BY vector_id LIMIT ?",
  );
  for (;;) {
    const rows = page.values(matrix?.lastVectorId ?? 0, modelId, PAGE_ROWS) as unknown as StoredRow[];
    if (rows.length === 0) break;
    if (matrix === null) {
      matrix = new VectorMatrix(dimensions);
      matrix.reserve(total);
    }
    matrix.add(rows);
    if (rows.length < PAGE_ROWS) break;
  }
  if (matrix !== null && matrix.chunks !== total) {
    const ids = database.query("SELECT vector_id FROM vectors WHERE model_id = ? ORDER BY vector_id");
    matrix.keepOnly((ids.values(modelId) as [number][]).flat());
  }
  return matrix;
}
