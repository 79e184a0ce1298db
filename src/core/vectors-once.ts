/** Caches vectors of texts that are compared repeatedly. */
import type { Embedder } from "./ports/documents.ts";

export function vectorsOnce(embedder: Embedder): Embedder {
  const made = new Map<string, Float32Array>();
  return {
    model: embedder.model,
    async embed(texts, ...more) {
      const fresh = [...new Set(texts)].filter((text) => !made.has(text));
      const vectors = fresh.length === 0 ? [] : await embedder.embed(fresh, ...more);
      for (const [index, vector] of vectors.entries()) made.set(fresh[index] ?? "", vector);
      return texts.flatMap((text) => made.get(text) ?? []);
    },
    close: () => embedder.close(),
  };
}
