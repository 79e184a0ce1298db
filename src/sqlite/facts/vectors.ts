/**
 * Reads the vectors of a few facts row by row: a comparison needs fifty, and loading all costs more. Vectors made for a
 * comparison are held in memory until the next change stores them in its transaction.
 */
import type { FactVectors } from "../../core/facts/fact-vectors.ts";
import { chunkHash } from "../../core/ports/vector-index.ts";
import type { Embedding } from "../../core/senses.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";
import { type StoredRow, VectorMatrix } from "../vectors/matrix.ts";
import {
  currentModel,
  makeCurrent,
  modelId,
  noteDimensions,
  putVectors,
  storedDimensions,
} from "../vectors/rows.ts";

const VECTORS_OF = `SELECT vector_id, chunk_id, passages, source
  FROM json_each(?) CROSS JOIN chunks ON kind = 'fact' AND source = value JOIN vectors USING (chunk_id)
  WHERE model_id = (SELECT model_id FROM models WHERE name = ? AND dimensions = ?) ORDER BY vector_id`;
const WAITING =
  "SELECT chunk_id FROM chunks JOIN pending USING (chunk_id) WHERE kind = 'fact' AND hash = ? AND text = ?";

/** Offered vectors are stored soon, or never. */
const MOST_OFFERED = 1_000;

export class SqliteFactVectors implements FactVectors {
  #model = "";
  /** By the fact's text, newest last. */
  readonly #offered = new Map<string, Embedding>();

  constructor(private readonly workspace: WorkspaceDatabase) {}

  cosines(model: string, vector: Float32Array, ids: readonly string[]): (number | null)[] {
    const found = this.workspace.read(new Map<string, number>(), (database) => {
      const rows = database.query(VECTORS_OF).values(JSON.stringify(ids), model, vector.length);
      return cosinesOf(vector, rows as unknown as NamedRow[]);
    });
    return ids.map((id) => found.get(id) ?? null);
  }

  offer(model: string, embeddings: ReadonlyMap<string, Embedding>): void {
    if (model !== this.#model) this.#offered.clear();
    this.#model = model;
    for (const [text, embedding] of embeddings) {
      this.#offered.delete(text);
      this.#offered.set(text, embedding);
    }
    for (const text of this.#offered.keys()) {
      if (this.#offered.size <= MOST_OFFERED) break;
      this.#offered.delete(text);
    }
  }

  /** Stores offered vectors for pending facts, inside the transaction that stores the facts. */
  store(database: Database): void {
    const dimensions = this.#offered.values().next().value?.vector.length;
    if (dimensions === undefined) return;
    const current = currentModel(database);
    // Not for another embedding model: switching embeds everything again.
    if (current !== null && current !== this.#model) return;
    if ((storedDimensions(database, this.#model) ?? dimensions) !== dimensions) return;
    const id = current === null ? makeCurrent(database, this.#model) : modelId(database, this.#model);
    noteDimensions(database, id, dimensions);
    for (const [text, embedding] of this.#offered)
      for (const [chunkId] of database.query(WAITING).values(chunkHash("", text), text) as [number][]) {
        putVectors(database, id, chunkId, [embedding]);
        this.#offered.delete(text);
      }
  }
}

type NamedRow = readonly [...StoredRow, id: string];

function cosinesOf(vector: Float32Array, rows: readonly NamedRow[]): Map<string, number> {
  const cosines = new Map<string, number>();
  if (rows.length === 0) return cosines;
  const matrix = new VectorMatrix(vector.length);
  matrix.add(rows.map(([vectorId, chunkId, passages]): StoredRow => [vectorId, chunkId, passages]));
  const { cosineOf } = matrix.nearest(vector, 1, null);
  for (const [, chunkId, , id] of rows) cosines.set(id, cosineOf(chunkId) ?? 0);
  return cosines;
}
