/**
 * The queue of chunks to embed. A row stays until its vectors are stored, so a crash loses nothing; each process claims rows with
 * its own number, so that two share the work.
 */
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import type { EmbeddingQueue, PendingChunk } from "../../core/ports/search.ts";
import type { Embedding } from "../../core/senses.ts";
import { IS_EVIDENCE } from "../chunks/chunks.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";
import {
  currentModel,
  makeCurrent,
  modelId,
  noteDimensions,
  putVectors,
  storedDimensions,
} from "../vectors/rows.ts";

/** A process that holds rows longer than this has hung; a batch takes a second. */
const LONGEST_HOLD_MS = 120_000;

export class SqliteEmbeddingQueue implements EmbeddingQueue {
  constructor(
    private readonly workspace: WorkspaceDatabase,
    private readonly process: { readonly id: number; isAlive(id: number): boolean },
  ) {}

  async useModel(model: string): Promise<void> {
    // Don't create a workspace just for this.
    const inUse = this.workspace.read(true, (database) => currentModel(database) === model);
    if (inUse) return;
    await this.workspace.derive((database) => {
      const id = makeCurrent(database, model);
      const embedded = "SELECT chunk_id FROM vectors WHERE model_id = ?";
      database.query(`DELETE FROM pending WHERE chunk_id IN (${embedded})`).run(id);
      database
        .query(
          `INSERT OR IGNORE INTO pending (chunk_id) SELECT chunk_id FROM chunks
           WHERE ${IS_EVIDENCE} AND chunk_id NOT IN (${embedded})`,
        )
        .run(id);
    });
  }

  requireDimensions(model: string, dimensions: number): void {
    this.workspace.read(undefined, (database) => requireSameDimensions(database, model, dimensions));
  }

  count(): number {
    return this.workspace.read(0, (database) => {
      const [[count]] = database.query("SELECT count(*) FROM pending").values() as [[number]];
      return count;
    });
  }

  async take(limit: number, now: Date, wait: boolean): Promise<PendingChunk[]> {
    if (this.count() === 0) return [];
    const change = (database: Database) => {
      this.#freeAbandoned(database, now.getTime());
      const taken = database
        .query<PendingChunk, [number]>(
          `SELECT chunk_id AS chunkId, kind, heading, ifnull(stated, text) AS text FROM pending JOIN chunks USING (chunk_id)
           WHERE taken_by IS NULL ORDER BY chunk_id DESC LIMIT ?`,
        )
        .all(limit);
      const mark = database.query("UPDATE pending SET taken_by = ?, taken_at = ? WHERE chunk_id = ?");
      for (const { chunkId } of taken) mark.run(String(this.process.id), now.getTime(), chunkId);
      return taken;
    };
    return wait ? this.workspace.derive(change) : (this.workspace.tryDerive(change)?.result ?? []);
  }

  async store(
    model: string,
    done: readonly { chunk: PendingChunk; passages: readonly Embedding[] }[],
  ): Promise<void> {
    const dimensions = done.flatMap(({ passages }) => passages)[0]?.vector.length;
    await this.workspace.derive((database) => {
      // Another process may have switched the embedding model; then these vectors are obsolete.
      if (currentModel(database) !== model) return;
      const id = modelId(database, model);
      if (dimensions !== undefined) {
        requireSameDimensions(database, model, dimensions);
        noteDimensions(database, id, dimensions);
      }
      // In the order of their ids, which fills the table's pages: they are taken newest first.
      for (const { chunk, passages } of done.toSorted((a, b) => a.chunk.chunkId - b.chunk.chunkId))
        if (isThere(database, chunk)) putVectors(database, id, chunk.chunkId, passages);
    });
  }

  async release(chunks: readonly PendingChunk[]): Promise<void> {
    if (chunks.length === 0) return;
    await this.workspace.derive((database) => {
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

/** Vectors of different lengths can't be compared; the old ones stay until the user decides. */
function requireSameDimensions(database: Database, model: string, dimensions: number): void {
  const stored = storedDimensions(database, model);
  if (stored === null || stored === dimensions) return;
  throw new RetainError(
    "embedding",
    `${model} returned a vector of ${dimensions} dimensions, but the stored vectors have ${stored}.`,
    hint`If the server now serves a different model under that name, embed everything again: ${command("reindex")} (in a project also: ${command("reindex", option("global"))}). Otherwise set embedding_model to the model that made the stored vectors.`,
  );
}

/** A chunk's text never changes under its id, so existence is enough. */
function isThere(database: Database, { chunkId }: PendingChunk): boolean {
  return database.query("SELECT 1 FROM chunks WHERE chunk_id = ?").values(chunkId).length > 0;
}
