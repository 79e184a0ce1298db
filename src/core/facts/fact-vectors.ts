import type { Embedding } from "../senses.ts";

/** Vectors of facts for comparing a new fact. Queried by id, so that not all have to be loaded. */
export interface FactVectors {
  /** The cosine of each fact with a vector of this embedding model; null for a fact that isn't embedded with it. */
  cosines(model: string, vector: Float32Array, ids: readonly string[]): (number | null)[];
  /**
   * Offers embeddings that were computed for a comparison. The next change stores them for facts that aren't embedded yet, so that each
   * text is embedded once. Each covers the whole text, which is one passage.
   */
  offer(model: string, embeddings: ReadonlyMap<string, Embedding>): void;
}
