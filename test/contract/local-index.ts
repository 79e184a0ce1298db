/** The scan on this machine as a `VectorIndex`, for the contract: one workspace's vectors of one embedding model. */
import type { Kind } from "../../src/core/memory.ts";
import {
  type VectorHit,
  type VectorIndex,
  type VectorMemory,
  type VectorQuestion,
  type VectorRef,
  vectorId,
} from "../../src/core/ports/vector-index.ts";
import { vectorOnly } from "../../src/core/senses.ts";
import type { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { makeCurrent, noteDimensions, putVectors } from "../../src/sqlite/vectors/rows.ts";
import { SqliteSharedChunks } from "../../src/sqlite/vectors/shared-chunks.ts";
import { VectorSearch } from "../../src/sqlite/vectors/vectors.ts";

const MODEL = "test";

export class LocalVectorIndex implements VectorIndex {
  readonly #search: VectorSearch;
  readonly #chunks: SqliteSharedChunks;

  constructor(private readonly workspace: WorkspaceDatabase) {
    this.#search = new VectorSearch(workspace);
    this.#chunks = new SqliteSharedChunks(workspace);
  }

  async upsert(memories: readonly VectorMemory[]): Promise<void> {
    await this.workspace.derive((database) => {
      const model = makeCurrent(database, MODEL);
      for (const { id, passages } of memories) {
        const vectors = passages.flatMap(({ vector }) => vector ?? []);
        noteDimensions(database, model, vectors[0]?.length ?? 0);
        for (const { chunkId } of this.#chunks.find([id], {}))
          putVectors(database, model, chunkId, vectors.map(vectorOnly));
      }
    });
  }

  async remove(refs: readonly VectorRef[]): Promise<void> {
    const ids = refs.map(({ id }) => id);
    await this.workspace.derive((database) => {
      const drop = database.query("DELETE FROM vectors WHERE chunk_id = ?");
      for (const { chunkId } of this.#chunks.find(ids, {})) drop.run(chunkId);
    });
  }

  async nearest({ vector, kinds, since, until, limit }: VectorQuestion): Promise<VectorHit[]> {
    const filter = {
      ...(kinds !== null && { kinds }),
      ...(since !== null && { since }),
      ...(until !== null && { until }),
    };
    const found = vector === null ? null : this.#search.nearest(MODEL, vector, filter, limit);
    return (found?.hits ?? []).map(({ chunkId, cosine }) => ({
      id: this.#idOf(chunkId),
      cosine,
      about: null,
    }));
  }

  #idOf(chunkId: number): string {
    return this.workspace.read("", (database) => {
      const [row] = database.query("SELECT kind, hash FROM chunks WHERE chunk_id = ?").values(chunkId);
      return vectorId(...(row as [Kind, string]));
    });
  }
}
