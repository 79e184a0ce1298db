/** Embeds repeated texts (headings, boilerplate, the same note twice) only once per call. */
import type { Embedding } from "../core/senses.ts";

/**
 * Passes each text to `embedAll` once, longest first for an even load, and maps the embeddings back. `embedAll` calls `finished`
 * with the index of a finished text; `progress` gets the number of finished texts.
 */
export async function embedDistinct(
  texts: readonly string[],
  progress: (done: number) => void,
  embedAll: (distinct: readonly string[], finished: (index: number) => void) => Promise<Embedding[]>,
): Promise<Embedding[]> {
  const placesOf = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const places = placesOf.get(text);
    if (places === undefined) placesOf.set(text, [place]);
    else places.push(place);
  }
  const distinct = [...placesOf.keys()].sort((a, b) => b.length - a.length);
  let done = 0;
  const embeddings = await embedAll(distinct, (index) => {
    done += placesOf.get(distinct[index] ?? "")?.length ?? 0;
    progress(done);
  });
  const inOrder: Embedding[] = [];
  for (const [index, embedding] of embeddings.entries())
    for (const place of placesOf.get(distinct[index] ?? "") ?? [])
      inOrder[place] = { ...embedding, vector: embedding.vector.slice() };
  return inOrder;
}
