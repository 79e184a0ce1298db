/** The usual methods on the same texts: FTS5's BM25, MiniLM's cosine, and both by reciprocal rank fusion. */
import { Database } from "bun:sqlite";
import { cjkBigrams } from "../../src/core/text/cjk.ts";
import { parseQuery } from "../../src/recall/query.ts";
import type { Turn } from "./corpus.ts";

export class PlainFts {
  readonly #database = new Database(":memory:");

  constructor(private readonly turns: readonly Turn[]) {
    this.#database.run("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')");
    const insert = this.#database.query("INSERT INTO plain (rowid, text) VALUES (?, ?)");
    this.#database.transaction(() => {
      for (const [index, { text }] of turns.entries()) insert.run(index, text);
    })();
  }

  /** OR of the words that aren't stop words. */
  search(query: string, limit: number): string[] {
    const words = [...parseQuery(query, new Date(0), []).words, ...cjkBigrams(query)];
    if (words.length === 0) return [];
    const match = words.map((word) => `"${word}"`).join(" OR ");
    const rows = this.#database
      .query("SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ?")
      .values(match, limit) as [number][];
    return rows.map(([row]) => this.turns[row]?.id ?? "");
  }
}

/** One vector per text. */
export class PlainVectors {
  constructor(
    private readonly turns: readonly Turn[],
    private readonly vectors: readonly Float32Array[],
  ) {}

  search(query: Float32Array, limit: number): string[] {
    const scores = this.vectors.map((vector, index) => ({ index, score: dot(vector, query) }));
    scores.sort((a, b) => b.score - a.score);
    return scores.slice(0, limit).map(({ index }) => this.turns[index]?.id ?? "");
  }
}

export function reciprocalRanks(lists: readonly (readonly string[])[], k: number): string[] {
  const scores = new Map<string, number>();
  for (const list of lists)
    for (const [rank, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (k + rank + 1));
  return [...scores].sort((a, b) => b[1] - a[1]).map(([id]) => id);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
