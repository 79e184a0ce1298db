/** Caches vectors of texts that are compared repeatedly. */
import type { Embedder } from "./ports/documents.ts";
import type { Embedding } from "./senses.ts";

export function vectorsOnce(embedder: Embedder): Embedder {
  const made = new Map<string, Embedding>();
  return {
    model: embedder.model,
    async embed(texts, ...more) {
      const fresh = [...new Set(texts)].filter((text) => !made.has(text));
      const embeddings = fresh.length === 0 ? [] : await embedder.embed(fresh, ...more);
      for (const [index, one] of embeddings.entries()) made.set(fresh[index] ?? "", one);
      return texts.flatMap((text) => made.get(text) ?? []);
    },
    close: () => embedder.close(),
  };
}
