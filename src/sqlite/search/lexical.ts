/** Keyword search: FTS5's BM25 as a share of the best possible score. */
import type { MemoryFilter, WantedWords, WordHit, WordQuery } from "../../core/ports/search.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import type { Database } from "../driver.ts";
import { sqlFilter } from "./filter.ts";
import { anyWord, conditions, everyWord, phrase, termsOf } from "./match.ts";

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

  constructor(private readonly workspace: WorkspaceDatabase) {}

  byWords(query: WordQuery, filter: MemoryFilter, wanted?: WantedWords): WordHit[] {
    const match = anyWord(query);
    if (match === null) return [];
    return this.workspace.read([], (database) => {
      const statistics = this.#statistics(database, query);
      const { best, texts } = statistics;
      const asked = { query, match, filter };
      const few = wanted === undefined ? null : fewRanks(database, asked, statistics, wanted);
      // FTS5 sorts by rank more slowly than it ranks every match, unless there are too many.
      const hits = few ?? ranks(database, match, filter, texts > MOST_UNSORTED ? DEEPEST : null);
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
    const state = `${this.workspace.file} ${stateOf(database)}`;
    if (state !== this.#counted || this.#frequencies.size > MOST_REMEMBERED) this.#frequencies.clear();
    this.#counted = state;
    const total = this.#frequency("", () => countOf(database, "SELECT count(*) FROM words_docsize"));
    const telling: string[] = [];
    let [best, texts, tellingTexts] = [0, 0, 0];
    for (const term of new Set([...query.phrases.map(phrase), ...termsOf(query)])) {
      const having = this.#frequency(term, () =>
        countOf(database, "SELECT count(*) FROM words WHERE words MATCH ?", term),
      );
      const idf = Math.log((total - having + 0.5) / (having + 0.5));
      best += Math.max(LEAST_IDF, idf) * (K1 + 1);
      texts += having;
      if (idf <= LEAST_IDF) continue;
      telling.push(term);
      tellingTexts += having;
    }
    return { best, texts, telling, tellingTexts };
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

/** The rank of every match in any order, or of the best `limit` matches, lowest rank first. */
function ranks(database: Database, match: string, filter: MemoryFilter, limit: number | null): Ranked[] {
  const order = limit === null ? "" : `ORDER BY ${RANK} LIMIT ${limit}`;
  return matching<Ranked>(database, match, { columns: RANKED, filter, order });
}

/**
 * Ranks only texts with a rare word, for queries whose common words match almost everything: a text without a rare word scores
 * next to nothing. Finding a match is cheap, ranking it is not. null if too few beat the best possible score of the others.
 */
function fewRanks(
  database: Database,
  { query, match, filter }: { query: WordQuery; match: string; filter: MemoryFilter },
  { texts, telling, tellingTexts }: Statistics,
  { best, chunkIds }: WantedWords,
): Ranked[] | null {
  const isWorthIt = tellingTexts >= best && tellingTexts * 2 < texts && texts <= MOST_UNSORTED;
  if (query.phrases.length > 0 || !isWorthIt) return null;
  // "+" keeps FTS5 from looking up single rows and counting the words again for each.
  const among = `+words.rowid IN
    (SELECT rowid FROM words WHERE words MATCH ? UNION ALL SELECT value FROM json_each(?))`;
  const hits = matching<Ranked>(database, match, {
    columns: RANKED,
    filter,
    among: [among, telling.join(" OR "), JSON.stringify(chunkIds)],
  });
  // Twice the most that common words can add up to, to allow for rounding.
  const enough = -2 * termsOf(query).length * LEAST_IDF * (K1 + 1);
  return hits.filter(([, rank]) => rank < enough).length >= best ? hits : null;
}

interface Wish {
  readonly columns: string;
  readonly filter: MemoryFilter;
  /** An additional condition on `words`, with its values. */
  readonly among?: readonly [sql: string, ...values: string[]];
  readonly order?: string;
}

function matching<Row>(database: Database, match: string, wish: Wish): Row[] {
  const { columns, filter, among: [among, ...amongValues] = ["TRUE"], order = "" } = wish;
  const { where, values } = sqlFilter(filter);
  // CROSS JOIN makes the full text the outer loop, whatever the planner thinks of the filter.
  const from = where === "" ? "words" : "words CROSS JOIN chunks ON chunks.chunk_id = words.rowid";
  const condition = where === "" ? "" : `AND ${where}`;
  const sql = `SELECT ${columns} FROM ${from} WHERE words MATCH ? AND ${among} ${condition} ${order}`;
  return database.query(sql).values(match, ...amongValues, ...values) as Row[];
}
