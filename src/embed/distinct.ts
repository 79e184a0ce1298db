/** Embeds repeated texts (headings, boilerplate, the same note twice) only once per call. */

/**
 * Passes each text to `embedAll` once, longest first for an even load, and maps the vectors back. `embedAll` calls `finished`
 * with the index of a finished text; `progress` gets the number of finished texts.
 */
export async function embedDistinct(
  texts: readonly string[],
  progress: (done: number) => void,
  embedAll: (distinct: readonly string[], finished: (index: number) => void) => Promise<Float32Array[]>,
): Promise<Float32Array[]> {
  const placesOf = new Map<string, number[]>();
  for (const [place, text] of texts.entries()) {
    const places = placesOf.get(text);
    if (places === undefined) placesOf.set(text, [place]);
    else places.push(place);
  }
  const distinct = [...placesOf.keys()].sort((a, b) => b.length - a.length);
  let done = 0;
  const vectors = await embedAll(distinct, (index) => {
    done += placesOf.get(distinct[index] ?? "")?.length ?? 0;
    progress(done);
  });
  const inOrder: Float32Array[] = [];
  for (const [index, text] of distinct.entries())
    for (const place of placesOf.get(text) ?? [])
      inOrder[place] = (vectors[index] ?? new Float32Array()).slice();
  return inOrder;
}
