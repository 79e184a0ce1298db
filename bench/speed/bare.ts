/** Engines without Retain's recall, on the same memories: the minimum cost of a search, and alternatives. */
import { Database } from "bun:sqlite";
import { storedPassages, VectorMatrix } from "../../src/sqlite/vectors/matrix.ts";
import { type Batch, DIMENSIONS } from "./generate.ts";

export const DEPTH = 100;

/** Row numbers are memory numbers, from 1. */
export interface VectorEngine {
  add(batch: Batch): void;
  /** The nearest 100, best first. */
  nearest(query: Float32Array): number[];
}

/** One FTS5 table, queried for any of the words. */
export class PlainWords {
  readonly #database: Database;

  constructor(path: string) {
    this.#database = new Database(path);
    this.#database.run("PRAGMA journal_mode = WAL");
    this.#database.run("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')");
  }

  add({ first, texts }: Batch): void {
    const insert = this.#database.query("INSERT INTO plain (rowid, text) VALUES (?, ?)");
    this.#database.transaction(() => {
      for (const [offset, text] of texts.entries()) insert.run(first + offset + 1, text);
    })();
  }

  search(query: string): void {
    this.#database
      .query(`SELECT rowid, rank FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT ${DEPTH}`)
      .values(
        query
          .split(" ")
          .map((word) => `"${word}"`)
          .join(" OR "),
      );
  }
}

/** Retain's own vector kernel, without its table, filters and fusion. */
export class BareKernel implements VectorEngine {
  readonly #matrix = new VectorMatrix(DIMENSIONS);

  constructor(size: number) {
    this.#matrix.reserve(size);
  }

  add({ first, vectors }: Batch): void {
    this.#matrix.add(
      vectors.map((vector, offset) => [first + offset + 1, first + offset + 1, storedPassages([vector])]),
    );
  }

  nearest(query: Float32Array): number[] {
    return this.#matrix.nearest(query, DEPTH, null).hits.map(({ chunkId }) => chunkId);
  }
}

/** A plain loop over all components. */
export class FloatLoop implements VectorEngine {
  readonly #rows: Float32Array;
  readonly #scores: Float32Array;

  constructor(size: number) {
    this.#rows = new Float32Array(size * DIMENSIONS);
    this.#scores = new Float32Array(size);
  }

  add({ first, vectors }: Batch): void {
    for (const [offset, vector] of vectors.entries()) this.#rows.set(vector, (first + offset) * DIMENSIONS);
  }

  nearest(query: Float32Array): number[] {
    scoreRows(this.#rows, query, this.#scores);
    return bestRows(this.#scores, DEPTH).map((row) => row + 1);
  }
}

/** sqlite-vec, exact, in memory. Throws if SQLite can't load it. */
export class SqliteVec implements VectorEngine {
  readonly #database = new Database(":memory:");

  constructor(extension: string) {
    this.#database.loadExtension(extension);
    this.#database.run(`CREATE VIRTUAL TABLE plain USING vec0 (vector float[${DIMENSIONS}])`);
  }

  add({ first, vectors }: Batch): void {
    const insert = this.#database.query("INSERT INTO plain (rowid, vector) VALUES (?, ?)");
    this.#database.transaction(() => {
      for (const [offset, vector] of vectors.entries()) insert.run(first + offset + 1, vector);
    })();
  }

  nearest(query: Float32Array): number[] {
    const rows = this.#database
      .query(`SELECT rowid FROM plain WHERE vector MATCH ? AND k = ${DEPTH} ORDER BY distance`)
      .values(query) as [number][];
    return rows.map(([row]) => row);
  }
}

/** Separate, since Bun runs such a loop ten times slower at the top level of a file. */
function scoreRows(rows: Float32Array, query: Float32Array, scores: Float32Array): void {
  for (let row = 0, at = 0; row < scores.length; row++) {
    let sum = 0;
    for (let component = 0; component < DIMENSIONS; component++)
      sum += (rows[at++] as number) * (query[component] as number);
    scores[row] = sum;
  }
}

function bestRows(scores: Float32Array, limit: number): number[] {
  const best: number[] = [];
  let worst = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < scores.length; row++) {
    const score = scores[row] as number;
    if (score <= worst) continue;
    let place = Math.min(best.length, limit - 1);
    for (; place > 0 && (scores[best[place - 1] as number] as number) < score; place--)
      best[place] = best[place - 1] as number;
    best[place] = row;
    if (best.length === limit) worst = scores[best[limit - 1] as number] as number;
  }
  return best;
}
