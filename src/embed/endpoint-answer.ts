/** Reads what an embeddings API answered, believing nothing: count, order, numbers and dimensions are checked. */

export type ReadEmbeddings = { readonly vectors: Float32Array[] } | { readonly problem: string };

/** Vectors of unit length, in the order of the texts. `dimensions` is what earlier answers had. */
export function readEmbeddings(body: string, count: number, dimensions: number | undefined): ReadEmbeddings {
  const items = itemsOf(body);
  if (items === null) return { problem: "its answer is not a list of embeddings" };
  if (items.length !== count) return { problem: `it gave ${items.length} embeddings for ${count} texts` };
  const vectors: Float32Array[] = [];
  let expected = dimensions;
  for (const [position, item] of items.entries()) {
    const { embedding, index = position } = item as { embedding?: unknown; index?: unknown };
    if (typeof index !== "number" || !Number.isInteger(index) || index < 0 || index >= count)
      return { problem: `it gave an embedding the number ${String(index)}` };
    if (vectors[index] !== undefined) return { problem: `it gave two embeddings the number ${index}` };
    const vector = unitVector(embedding);
    if (vector === null) return { problem: "it gave an embedding that is not a list of numbers" };
    expected ??= vector.length;
    if (vector.length !== expected)
      return { problem: `it gave an embedding of ${vector.length} dimensions instead of ${expected}` };
    vectors[index] = vector;
  }
  return { vectors };
}

function itemsOf(body: string): object[] | null {
  try {
    const { data } = JSON.parse(body) as { data?: unknown };
    const isList = Array.isArray(data) && data.every((item) => typeof item === "object" && item !== null);
    return isList ? data : null;
  } catch {
    return null;
  }
}

/** null where this is no list of numbers, or has no direction. */
function unitVector(embedding: unknown): Float32Array | null {
  if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === "number")) return null;
  const largest = Math.max(...embedding.map(Math.abs));
  if (!Number.isFinite(largest) || largest === 0) return null;
  const scaled = embedding.map((value) => value / largest);
  const length = Math.hypot(...scaled);
  return Float32Array.from(scaled, (value) => value / length);
}
