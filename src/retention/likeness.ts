/** How near a new fact is to known ones by meaning: their vectors are in the index, those that wait are made on the spot. */
import type { Embedder } from "../core/ports.ts";
import type { Likeness } from "./dedup.ts";
import type { RetentionWorkspace } from "./ports.ts";

const NEAREST = 100;
const MOST_EMBEDDED = 32;

export function likenessIn({ search }: RetentionWorkspace, embedder: Embedder): Likeness {
  return async (text, known) => {
    const [vector] = await embedder.embed([text]);
    if (vector === undefined) return known.map(() => null);
    const list = search.byMeaning(embedder.model, vector, { kinds: ["fact"] }, NEAREST);
    const cosines = new Map<string, number>();
    const texts = search.texts(list?.hits.map(({ chunkId }) => chunkId) ?? []);
    for (const { chunkId, source } of texts) {
      const cosine = list?.cosineOf(chunkId) ?? null;
      if (cosine !== null) cosines.set(source, cosine);
    }
    const unknown = known.filter(({ id }) => !cosines.has(id)).slice(0, MOST_EMBEDDED);
    const vectors = await embedder.embed(unknown.map((fact) => fact.text));
    for (const [index, { id }] of unknown.entries()) {
      const other = vectors[index];
      if (other !== undefined) cosines.set(id, dot(vector, other));
    }
    return known.map(({ id }) => cosines.get(id) ?? null);
  };
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
