/** The list by words: FTS5's BM25, as a share of the best score that the query could reach. */
import type { Database } from "bun:sqlite";
import type { MemoryFilter, WantedWords, WordHit, WordQuery } from "../../core/ports/search.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import { sqlFilter } from "./filter.ts";
import { anyWord, conditions, everyWord, phrase, termsOf } from "./match.ts";

/** How much a word counts: in the heading, the text, the tags and speaker, the neighbours, the date, pairs of CJK. */
const COLUMN_WEIGHTS = [0.8, 1, 0.5, 0.4, 0.6, 1];
const RANK = `bm25(words, ${COLUMN_WEIGHTS.join(", ")})`;
const RANKED = `words.rowid, ${RANK}`;

/** Beyond this, only the best come, and no deeper. */
const MOST_UNSORTED = 50_000;
const DEEPEST = 1_000;
const MOST_REMEMBERED = 10_000;

/** FTS5's own constants: no text scores more than idf * (k1 + 1) for a word, and one that is in most texts has this idf. */
const K1 = 1.2;
const LEAST_IDF = 1e-6;

interface Statistics {
  /** The score of a text that is about nothing but the query. */
  readonly best: number;
  /** How many texts have a word of it, at most. */
  readonly texts: number;
  /** The words that are not in most texts, and how many texts have one, at most. */
  readonly telling: readonly string[];
  readonly tellingTexts: number;
}

type Ranked = [chunkId: number, rank: number];

export class LexicalSearch {
  /** How many texts a word is in; counting is half of a search's cost, and people ask for the same words. */
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
      // FTS5 takes longer to sort by rank than to tell the rank of every match, as long as these are not too many.
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
 * Changes with every change of the full text, and with nothing else that is written: FTS5's records of its totals and of its
 * segments, which it numbers. It starts again when all is deleted; the ids of chunks do not.
 */
function stateOf(database: Database): string {
  const records = "SELECT group_concat(hex(block)) FROM words_data WHERE id IN (1, 10)";
  return database.query(`SELECT (${records}), (SELECT max(id) FROM words_docsize)`).values().join();
}

function countOf(database: Database, sql: string, ...values: string[]): number {
  return (database.query(sql).values(...values) as [[number]])[0][0];
}

/** The rank of every match, in any order; or of so many, the best (lowest) first. */
function ranks(database: Database, match: string, filter: MemoryFilter, limit: number | null): Ranked[] {
  const order = limit === null ? "" : `ORDER BY ${RANK} LIMIT ${limit}`;
  return matching<Ranked>(database, match, { columns: RANKED, filter, order });
}

/**
 * The ranks of what is wanted, where words that are in most texts would make all of these match: a text with no other word
 * scores next to nothing, so only those with a telling word compete. Finding a match costs little, its rank much. null where
 * too few of them are better than any of the others can be.
 */
function fewRanks(
  database: Database,
  { query, match, filter }: { query: WordQuery; match: string; filter: MemoryFilter },
  { texts, telling, tellingTexts }: Statistics,
  { best, chunkIds }: WantedWords,
): Ranked[] | null {
  const isWorthIt = tellingTexts >= best && tellingTexts * 2 < texts && texts <= MOST_UNSORTED;
  if (query.phrases.length > 0 || !isWorthIt) return null;
  // "+": FTS5 would look up one row after the other, and count the words anew for each.
  const among = `+words.rowid IN
    (SELECT rowid FROM words WHERE words MATCH ? UNION ALL SELECT value FROM json_each(?))`;
  const hits = matching<Ranked>(database, match, {
    columns: RANKED,
    filter,
    among: [among, telling.join(" OR "), JSON.stringify(chunkIds)],
  });
  // Twice the most that words without say can add up to: whatever is rounded on the way.
  const enough = -2 * termsOf(query).length * LEAST_IDF * (K1 + 1);
  return hits.filter(([, rank]) => rank < enough).length >= best ? hits : null;
}

interface Wish {
  readonly columns: string;
  readonly filter: MemoryFilter;
  /** Another condition on `words`, with its values. */
  readonly among?: readonly [sql: string, ...values: string[]];
  readonly order?: string;
}

function matching<Row>(database: Database, match: string, wish: Wish): Row[] {
  const { columns, filter, among: [among, ...amongValues] = ["TRUE"], order = "" } = wish;
  const { where, values } = sqlFilter(filter);
  // Cross join: the full text leads, whatever the planner thinks of the filter.
  const from = where === "" ? "words" : "words CROSS JOIN chunks ON chunks.chunk_id = words.rowid";
  const condition = where === "" ? "" : `AND ${where}`;
  const sql = `SELECT ${columns} FROM ${from} WHERE words MATCH ? AND ${among} ${condition} ${order}`;
  return database.query(sql).values(match, ...amongValues, ...values) as Row[];
}
