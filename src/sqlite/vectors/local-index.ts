/** The scan on this machine as a `VectorIndex`: one workspace's vectors of one embedding model. */
import type {
  VectorHit,
  VectorIndex,
  VectorMemory,
  VectorQuestion,
  VectorRef,
} from "../../core/ports/vector-index.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import { makeCurrent, noteDimensions, putVectors } from "./rows.ts";
import { chunksNamed, VECTOR_ID } from "./shared-chunks.ts";
import { VectorSearch } from "./vectors.ts";

export class LocalVectorIndex implements VectorIndex {
  readonly #search: VectorSearch;

  constructor(
    private readonly workspace: WorkspaceDatabase,
    private readonly model: string,
  ) {
    this.#search = new VectorSearch(workspace);
  }

  /** Stores vectors of chunks that are indexed here, and ignores others: the rows hold no text of their own. */
  async upsert(memories: readonly VectorMemory[]): Promise<void> {
    await this.workspace.derive((database) => {
      const model = makeCurrent(database, this.model);
      for (const { id, passages } of memories) {
        const vectors = passages.flatMap(({ vector }) => vector ?? []);
        noteDimensions(database, model, vectors[0]?.length ?? 0);
        for (const { chunkId } of chunksNamed(database, [id])) putVectors(database, model, chunkId, vectors);
      }
    });
  }

  async remove(refs: readonly VectorRef[]): Promise<void> {
    const ids = refs.map(({ id }) => id);
    await this.workspace.derive((database) => {
      const drop = database.query("DELETE FROM vectors WHERE chunk_id = ?");
      for (const { chunkId } of chunksNamed(database, ids)) drop.run(chunkId);
    });
  }

  /** Needs the question's vector. */
  async nearest({ vector, kinds, since, until, limit }: VectorQuestion): Promise<VectorHit[]> {
    const filter = {
      ...(kinds === null ? {} : { kinds }),
      ...(since === null ? {} : { since }),
      ...(until === null ? {} : { until }),
    };
    const found = vector === null ? null : this.#search.nearest(this.model, vector, filter, limit);
    const hits = found?.hits ?? [];
    const ids = this.workspace.read(new Map<number, string>(), (database) => {
      const name = database.query(
        `SELECT chunk_id, ${VECTOR_ID} FROM chunks WHERE chunk_id IN (SELECT value FROM json_each(?))`,
      );
      return new Map(name.values(JSON.stringify(hits.map(({ chunkId }) => chunkId))) as [number, string][]);
    });
    const best = new Map<string, VectorHit>();
    for (const { chunkId, cosine } of hits) {
      const id = ids.get(chunkId);
      if (id !== undefined && !best.has(id)) best.set(id, { id, cosine, about: null });
    }
    return [...best.values()];
  }
}
