/** Keyword search: FTS5's BM25 as a share of the best possible score. */
import type { MemoryFilter, WordHit, WordQuery } from "../../core/ports/search.ts";
import { sqlFilter } from "../chunks/filter.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";
import { anyWord, conditions, everyWord, phrase, termsOf, without } from "./match.ts";

/** Column weights: heading, text, tags and speaker, neighbours, date, CJK bigrams. */
const COLUMN_WEIGHTS = [0.8, 1, 0.5, 0.4, 0.6, 1];
const RANK = `bm25(words, ${COLUMN_WEIGHTS.join(", ")})`;
const RANKED = `words.rowid, ${RANK}`;

/** Above this many matches, only the best are ranked. */
const MOST_UNSORTED = 50_000;
const DEEPEST = 1_000;
const MOST_REMEMBERED = 10_000;

/** FTS5's constants: a word scores at most idf * (k1 + 1), and a word in most texts has this idf. */
const K1 = 1.2;
const LEAST_IDF = 1e-6;

interface Statistics {
  /** The best possible score. */
  readonly best: number;
  /** The most texts that can contain one of the words. */
  readonly texts: number;
  /** Words that are not in most texts, and the most texts that can contain one. */
  readonly telling: readonly string[];
  readonly tellingTexts: number;
}

type Ranked = [chunkId: number, rank: number];

export class LexicalSearch {
  /** Document frequencies. Counting takes half of a search, and people repeat words. */
  readonly #frequencies = new Map<string, number>();
  #counted = "";
  #revision = "";

  constructor(private readonly workspace: WorkspaceDatabase) {}

  /** Words that most texts contain add next to nothing to a score, so they are left out if the others find enough. */
  byWords(query: WordQuery, filter: MemoryFilter, enough = Number.POSITIVE_INFINITY): WordHit[] {
    const match = anyWord(query);
    if (match === null) return [];
    return this.workspace.read([], (database) => {
      const { best, texts, telling, tellingTexts } = this.#statistics(database, query);
      const few =
        tellingTexts < enough || query.phrases.length > 0
          ? []
          : ranks(database, without(query, telling.join(" OR ")), filter, tellingTexts);
      const hits = few.length >= enough ? few : ranks(database, match, filter, texts);
      return hits.map(([chunkId, rank]) => ({ chunkId, score: Math.min(1, -rank / best) }));
    });
  }

  withEveryWord(query: WordQuery, filter: MemoryFilter): number[] {
    const match = everyWord(query);
    if (match === null) return [];
    return this.workspace.read([], (database) =>
      matching<[number]>(database, match, { columns: "words.rowid", filter, order: `LIMIT ${DEEPEST}` }).map(
        ([chunkId]) => chunkId,
      ),
    );
  }

  hasWord(word: string): boolean {
    return this.workspace.read(true, (database) => {
      this.#forgetWhatChanged(database);
      return this.#countOf(database, phrase([word])) > 0;
    });
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

  #statistics(database: Database, query: WordQuery): Statistics {
    this.#forgetWhatChanged(database);
    const total = this.#frequency("", () => countOf(database, "SELECT count(*) FROM words_docsize"));
    const telling: string[] = [];
    let [best, texts, tellingTexts] = [0, 0, 0];
    for (const term of new Set([...query.phrases.map(phrase), ...termsOf(query)])) {
      const having = this.#countOf(database, term);
      const idf = Math.log((total - having + 0.5) / (having + 0.5));
      best += Math.max(LEAST_IDF, idf) * (K1 + 1);
      texts += having;
      if (idf <= LEAST_IDF) continue;
      telling.push(term);
      tellingTexts += having;
    }
    return { best, texts, telling, tellingTexts };
  }

  /** Most writes don't touch the full text, such as counting recalls. */
  #forgetWhatChanged(database: Database): void {
    if (this.#frequencies.size > MOST_REMEMBERED) this.#frequencies.clear();
    const revision = this.workspace.revision();
    if (revision === this.#revision) return;
    this.#revision = revision;
    const state = `${this.workspace.file} ${stateOf(database)}`;
    if (state !== this.#counted) this.#frequencies.clear();
    this.#counted = state;
  }

  #countOf(database: Database, term: string): number {
    return this.#frequency(term, () =>
      countOf(database, "SELECT count(*) FROM words WHERE words MATCH ?", term),
    );
  }

  #frequency(term: string, count: () => number): number {
    const known = this.#frequencies.get(term);
    if (known !== undefined) return known;
    const counted = count();
    this.#frequencies.set(term, counted);
    return counted;
  }
}

/**
 * Changes exactly when the full text changes: FTS5's records of its totals and its numbered segments. It restarts when everything
 * is deleted; chunk ids don't.
 */
function stateOf(database: Database): string {
  const records = "SELECT group_concat(hex(block)) FROM words_data WHERE id IN (1, 10)";
  return database.query(`SELECT (${records}), (SELECT max(id) FROM words_docsize)`).values().join();
}

function countOf(database: Database, sql: string, ...values: string[]): number {
  return (database.query(sql).values(...values) as [[number]])[0][0];
}

/** The rank of every match in any order; of about more than `MOST_UNSORTED` the best ones, lowest rank first. */
function ranks(database: Database, match: string, filter: MemoryFilter, about: number): Ranked[] {
  // FTS5 sorts by rank more slowly than it ranks every match, unless there are too many.
  const order = about > MOST_UNSORTED ? `ORDER BY ${RANK} LIMIT ${DEEPEST}` : "";
  return matching<Ranked>(database, match, { columns: RANKED, filter, order });
}

interface Wish {
  readonly columns: string;
  readonly filter: MemoryFilter;
  readonly order?: string;
}

function matching<Row>(database: Database, match: string, wish: Wish): Row[] {
  const { columns, filter, order = "" } = wish;
  const { where, values } = sqlFilter(filter);
  // CROSS JOIN makes the full text the outer loop, whatever the planner thinks of the filter.
  const from = where === "" ? "words" : "words CROSS JOIN chunks ON chunks.chunk_id = words.rowid";
  const condition = where === "" ? "" : `AND ${where}`;
  const sql = `SELECT ${columns} FROM ${from} WHERE words MATCH ? ${condition} ${order}`;
  return database.query(sql).values(match, ...values) as Row[];
}
