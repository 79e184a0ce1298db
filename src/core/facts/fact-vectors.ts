/** The vectors of facts, as far as a new fact is compared by them: asked by id, so that nobody has to load all of them. */
export interface FactVectors {
  /** How near each of these facts is to a vector of this model, as a cosine; null for one that has no vector of it. */
  cosines(model: string, vector: Float32Array, ids: readonly string[]): (number | null)[];
  /**
   * Vectors of facts' texts that were made for a comparison: a fact that waits for its vector gets it with the next change, so
   * that it is made once. Each stands for the whole text, which is one passage.
   */
  offer(model: string, vectors: ReadonlyMap<string, Float32Array>): void;
}
