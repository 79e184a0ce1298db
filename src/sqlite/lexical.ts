/** The list by words: FTS5's BM25, as a share of the best score that the query could reach. */
import type { Database } from "bun:sqlite";
import type { MemoryFilter, WordHit, WordQuery } from "../core/ports.ts";
import type { WorkspaceDatabase } from "./database.ts";
import { sqlFilter } from "./filter.ts";
import { anyWord, conditions, everyWord, phrase, termsOf } from "./match.ts";

/** How much a word counts: in the heading, the text, the tags and speaker, the neighbours, the date, pairs of CJK. */
const COLUMN_WEIGHTS = [0.8, 1, 0.5, 0.4, 0.6, 1];

/** Beyond this, only the best come, and no deeper. */
const MOST_UNSORTED = 50_000;
const DEEPEST = 1_000;
const MOST_REMEMBERED = 10_000;

/** FTS5's own constant: no text scores more than idf * (k1 + 1) for a word. */
const K1 = 1.2;

export class LexicalSearch {
  /** How many texts a word is in; counting is half of a search's cost, and people ask for the same words. */
  readonly #frequencies = new Map<string, number>();
  #revision = "";

  constructor(private readonly workspace: WorkspaceDatabase) {}

  byWords(query: WordQuery, filter: MemoryFilter): WordHit[] {
    const match = anyWord(query);
    if (match === null) return [];
    return this.workspace.read([], (database) => {
      const { best, texts } = this.#statistics(database, query);
      // FTS5 takes longer to sort by rank than to tell the rank of every match, as long as these are not too many.
      const hits = scores(database, match, filter, texts > MOST_UNSORTED ? DEEPEST : null);
      return hits.map(([chunkId, rank]) => ({ chunkId, score: Math.min(1, -rank / best) }));
    });
  }

  withEveryWord(query: WordQuery, filter: MemoryFilter): number[] {
    const match = everyWord(query);
    if (match === null) return [];
    return this.workspace.read([], (database) =>
      matching<[number]>(database, match, filter, "words.rowid", `LIMIT ${DEEPEST}`).map(
        ([chunkId]) => chunkId,
      ),
    );
  }

  allowed(query: WordQuery, chunkIds: readonly number[]): Set<number> {
    const { required, excluded } = conditions(query);
    const allowed = new Set(chunkIds);
    if (required === null && excluded === null) return allowed;
    return this.workspace.read(new Set(), (database) => {
      const matching = (match: string) =>
        new Set(
          (database.query("SELECT rowid FROM words WHERE words MATCH ?").values(match) as [number][]).flat(),
        );
      const has = required === null ? null : matching(required);
      const lacks = excluded === null ? null : matching(excluded);
      for (const chunkId of chunkIds)
        if ((has !== null && !has.has(chunkId)) || lacks?.has(chunkId)) allowed.delete(chunkId);
      return allowed;
    });
  }

  /** The score of a text that is about nothing but the query, and how many texts have a word of it, at most. */
  #statistics(database: Database, query: WordQuery): { best: number; texts: number } {
    const revision = this.workspace.revision();
    if (revision !== this.#revision || this.#frequencies.size > MOST_REMEMBERED) this.#frequencies.clear();
    this.#revision = revision;
    const total = this.#frequency("", () => countOf(database, "SELECT count(*) FROM words_docsize"));
    let best = 0;
    let texts = 0;
    for (const term of new Set([...query.phrases.map(phrase), ...termsOf(query)])) {
      const having = this.#frequency(term, () =>
        countOf(database, "SELECT count(*) FROM words WHERE words MATCH ?", term),
      );
      best += Math.max(1e-6, Math.log((total - having + 0.5) / (having + 0.5))) * (K1 + 1);
      texts += having;
    }
    return { best, texts };
  }

  #frequency(term: string, count: () => number): number {
    const known = this.#frequencies.get(term);
    if (known !== undefined) return known;
    const counted = count();
    this.#frequencies.set(term, counted);
    return counted;
  }
}

function countOf(database: Database, sql: string, ...values: string[]): number {
  return (database.query(sql).values(...values) as [[number]])[0][0];
}

/** The rank of every match, in any order; or of so many, the best (lowest) first. */
function scores(database: Database, match: string, filter: MemoryFilter, limit: number | null) {
  const rank = `bm25(words, ${COLUMN_WEIGHTS.join(", ")})`;
  const order = limit === null ? "" : `ORDER BY ${rank} LIMIT ${limit}`;
  return matching<[chunkId: number, rank: number]>(database, match, filter, `words.rowid, ${rank}`, order);
}

function matching<Row>(
  database: Database,
  match: string,
  filter: MemoryFilter,
  columns: string,
  order: string,
): Row[] {
  const { where, values } = sqlFilter(filter);
  // Cross join: the full text leads, whatever the planner thinks of the filter.
  const from = where === "" ? "words" : "words CROSS JOIN chunks ON chunks.chunk_id = words.rowid";
  const condition = where === "" ? "" : `AND ${where}`;
  const sql = `SELECT ${columns} FROM ${from} WHERE words MATCH ? ${condition} ${order}`;
  return database.query(sql).values(match, ...values) as Row[];
}
