/** Parses responses of embeddings and reranking APIs, and validates count, order, numbers and dimensions. */

type ReadEmbeddings = { readonly vectors: Float32Array[] } | { readonly problem: string };

/** Unit vectors in the order of the texts. `dimensions` is the length in earlier responses. */
export function readEmbeddings(body: string, count: number, dimensions: number | undefined): ReadEmbeddings {
  let expected = dimensions;
  const read = inOrder<Float32Array>(body, "data", count, "embedding", ({ embedding }) => {
    const vector = unitVector(embedding);
    if (vector === null) return { problem: "it returned an embedding that is not a list of numbers" };
    expected ??= vector.length;
    return vector.length === expected
      ? { value: vector }
      : { problem: `it returned an embedding of ${vector.length} dimensions instead of ${expected}` };
  });
  return "problem" in read ? read : { vectors: read.values };
}

type ReadScores = { readonly scores: number[] } | { readonly problem: string };

/** In the order of the texts. `relevance_score` in `results` is Jina's, Cohere's and llama.cpp's form, a bare list TEI's. */
export function readScores(body: string, count: number): ReadScores {
  const read = inOrder<number>(body, "results", count, "score", (item) => {
    const { index, relevance_score, score = relevance_score } = item;
    // Results are sorted by score, so the position doesn't identify the text.
    if (index === undefined) return { problem: "it returned a score without an index" };
    const isScore = typeof score === "number" && Number.isFinite(score);
    return isScore ? { value: score } : { problem: "it returned a score that is not a number" };
  });
  return "problem" in read ? read : { scores: read.values };
}

type Value<T> = { readonly value: T } | { readonly problem: string };

/** One value per text, by the items' `index`, else by position. */
function inOrder<T>(
  body: string,
  list: string,
  count: number,
  noun: string,
  read: (item: Record<string, unknown>) => Value<T>,
): { readonly values: T[] } | { readonly problem: string } {
  const items = itemsOf(body, list);
  if (items === null) return { problem: `its response is not a list of ${noun}s` };
  if (items.length !== count) return { problem: `it gave ${items.length} ${noun}s for ${count} texts` };
  const values: T[] = [];
  for (const [position, item] of items.entries()) {
    const { index = position } = item;
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count)
      return { problem: `it returned the invalid index ${String(index)} for one of its ${noun}s` };
    if (index in values) return { problem: `it returned two ${noun}s with index ${index}` };
    const one = read(item);
    if ("problem" in one) return one;
    values[index] = one.value;
  }
  return { values };
}

/** The list with this name, or the whole response if it is a list. */
function itemsOf(body: string, list: string): Record<string, unknown>[] | null {
  try {
    const answer = JSON.parse(body) as Record<string, unknown>;
    const items = Array.isArray(answer) ? answer : answer[list];
    const isList = Array.isArray(items) && items.every((item) => typeof item === "object" && item !== null);
    return isList ? items : null;
  } catch {
    return null;
  }
}

/** null if it isn't a list of numbers, or is zero. */
function unitVector(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === "number")) return null;
  const largest = Math.max(...embedding.map(Math.abs));
  if (!Number.isFinite(largest) || largest === 0) return null;
  const scaled = embedding.map((value) => value / largest);
  const length = Math.hypot(...scaled);
  return Float32Array.from(scaled, (value) => value / length);
}
