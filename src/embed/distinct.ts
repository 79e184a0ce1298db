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
  const indexesOf = new Map<string, number[]>();
  for (const [index, text] of texts.entries()) {
    const indexes = indexesOf.get(text);
    if (indexes === undefined) indexesOf.set(text, [index]);
    else indexes.push(index);
  }
  const distinct = [...indexesOf.keys()].sort((a, b) => b.length - a.length);
  let done = 0;
  const embeddings = await embedAll(distinct, (index) => {
    done += indexesOf.get(distinct[index] ?? "")?.length ?? 0;
    progress(done);
  });
  const inOrder: Embedding[] = [];
  for (const [index, embedding] of embeddings.entries())
    for (const at of indexesOf.get(distinct[index] ?? "") ?? [])
      inOrder[at] = { ...embedding, vector: embedding.vector.slice() };
  return inOrder;
}
