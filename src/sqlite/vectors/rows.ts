/** The vector rows: the current embedding model, and storing a chunk's vectors and senses. */
import type { Embedding } from "../../core/senses.ts";
import type { Database } from "../driver.ts";
import { storedPassages } from "./matrix.ts";

/** The embedding model for new vectors; null before the first. */
export function currentModel(database: Database): string | null {
  const [row] = database.query("SELECT name FROM models WHERE current = 1").values() as [string][];
  return row?.[0] ?? null;
}

/** Uses this embedding model for new vectors. */
export function makeCurrent(database: Database, model: string): number {
  database.run("UPDATE models SET current = 0");
  database
    .query("INSERT INTO models (name, current) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET current = 1")
    .run(model);
  return modelId(database, model);
}

export function modelId(database: Database, model: string): number {
  const [row] = database.query("SELECT model_id FROM models WHERE name = ?").values(model) as [number][];
  if (row === undefined) throw new Error(`'${model}' has no vectors table`);
  return row[0];
}

/** The dimensions of this embedding model's stored vectors; null if there are none. */
export function storedDimensions(database: Database, model: string): number | null {
  const [row] = database
    .query(
      `SELECT dimensions FROM models WHERE name = ?
         AND EXISTS (SELECT 1 FROM vectors WHERE vectors.model_id = models.model_id)`,
    )
    .values(model) as [number][];
  return row?.[0] ?? null;
}

export function noteDimensions(database: Database, id: number, dimensions: number): void {
  database.query("UPDATE models SET dimensions = ? WHERE model_id = ?").run(dimensions, id);
}

/** Stores the embeddings of a chunk's passages and removes it from the queue. */
export function putVectors(
  database: Database,
  id: number,
  chunkId: number,
  passages: readonly Embedding[],
): void {
  for (const table of ["vectors", "senses", "pending"])
    database.query(`DELETE FROM ${table} WHERE chunk_id = ?`).run(chunkId);
  if (passages.length === 0) return;
  database
    .query("INSERT INTO vectors (chunk_id, model_id, passages) VALUES (?, ?, ?)")
    .run(chunkId, id, storedPassages(passages.map(({ vector }) => vector)));
  const bits = Buffer.concat(passages.map(({ senses }) => senses));
  if (bits.length > 0) database.query("INSERT INTO senses (chunk_id, bits) VALUES (?, ?)").run(chunkId, bits);
}
