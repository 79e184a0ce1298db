/**
 * The queue of chunks that wait for vectors. A row stays until its vectors are stored, so a crash loses nothing; a
 * process takes rows under its own number, so that two share the work instead of doing it twice.
 */
import type { Database } from "bun:sqlite";
import type { EmbeddingQueue, PendingChunk } from "../core/ports.ts";
import type { WorkspaceDatabase } from "./database.ts";
import { storedPassages } from "./vector-matrix.ts";

/** A process that holds rows longer than this has hung: embedding a batch takes a second. */
const LONGEST_HOLD_MS = 120_000;

export class SqliteEmbeddingQueue implements EmbeddingQueue {
  constructor(
    private readonly workspace: WorkspaceDatabase,
    private readonly process: { readonly id: number; isAlive(id: number): boolean },
  ) {}

  async useModel(model: string): Promise<void> {
    const current = this.workspace.read(null, currentModel);
    if (current === model) return;
    await this.workspace.transaction((database) => {
      if (currentModel(database) === model) return;
      database.run("UPDATE models SET current = 0");
      database
        .query(
          "INSERT INTO models (name, current) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET current = 1",
        )
        .run(model);
      database
        .query(
          `INSERT OR IGNORE INTO pending (chunk_id) SELECT chunk_id FROM chunks WHERE NOT EXISTS
             (SELECT 1 FROM vectors WHERE vectors.chunk_id = chunks.chunk_id AND model_id = ?)`,
        )
        .run(modelId(database, model));
    });
  }

  count(): number {
    return this.workspace.read(0, (database) => {
      const [[count]] = database.query("SELECT count(*) FROM pending").values() as [[number]];
      return count;
    });
  }

  async take(limit: number, now: Date): Promise<PendingChunk[]> {
    if (this.count() === 0) return [];
    return this.workspace.transaction((database) => {
      this.#freeAbandoned(database, now.getTime());
      const taken = database
        .query<PendingChunk, [number]>(
          `SELECT chunk_id AS chunkId, heading, text FROM pending JOIN chunks USING (chunk_id)
           WHERE taken_by IS NULL ORDER BY chunk_id DESC LIMIT ?`,
        )
        .all(limit);
      const mark = database.query("UPDATE pending SET taken_by = ?, taken_at = ? WHERE chunk_id = ?");
      for (const { chunkId } of taken) mark.run(String(this.process.id), now.getTime(), chunkId);
      return taken;
    });
  }

  async store(
    model: string,
    done: readonly { chunk: PendingChunk; vectors: readonly Float32Array[] }[],
  ): Promise<void> {
    await this.workspace.transaction((database) => {
      const id = modelId(database, model);
      const dimensions = done[0]?.vectors[0]?.length ?? 0;
      database.query("UPDATE models SET dimensions = ? WHERE model_id = ?").run(dimensions, id);
      for (const { chunk, vectors } of done) {
        if (!isUnchanged(database, chunk)) continue;
        database.query("DELETE FROM vectors WHERE chunk_id = ?").run(chunk.chunkId);
        database
          .query("INSERT INTO vectors (chunk_id, model_id, passages) VALUES (?, ?, ?)")
          .run(chunk.chunkId, id, storedPassages(vectors));
        database.query("DELETE FROM pending WHERE chunk_id = ?").run(chunk.chunkId);
      }
    });
  }

  async release(chunks: readonly PendingChunk[]): Promise<void> {
    if (chunks.length === 0) return;
    await this.workspace.transaction((database) => {
      const free = database.query("UPDATE pending SET taken_by = NULL WHERE chunk_id = ? AND taken_by = ?");
      for (const { chunkId } of chunks) free.run(chunkId, String(this.process.id));
    });
  }

  #freeAbandoned(database: Database, now: number): void {
    const holders = database
      .query("SELECT DISTINCT taken_by FROM pending WHERE taken_by IS NOT NULL")
      .values() as [string][];
    for (const [holder] of holders) {
      const id = Number(holder);
      const hangs = id === this.process.id || this.process.isAlive(id) ? now - LONGEST_HOLD_MS : now;
      database
        .query("UPDATE pending SET taken_by = NULL WHERE taken_by = ? AND taken_at <= ?")
        .run(holder, hangs);
    }
  }
}

function currentModel(database: Database): string | null {
  const [row] = database.query("SELECT name FROM models WHERE current = 1").values() as [string][];
  return row?.[0] ?? null;
}

function modelId(database: Database, model: string): number {
  const [row] = database.query("SELECT model_id FROM models WHERE name = ?").values(model) as [number][];
  if (row === undefined) throw new Error(`'${model}' is not in use`);
  return row[0];
}

function isUnchanged(database: Database, { chunkId, heading, text }: PendingChunk): boolean {
  const found = database
    .query("SELECT 1 FROM chunks WHERE chunk_id = ? AND heading = ? AND text = ?")
    .values(chunkId, heading, text);
  return found.length > 0;
}
