/** One workspace's ranked search results and their rows. */

import { nameKey } from "../../core/documents/names.ts";
import type { Fact } from "../../core/facts/fact.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { endOfDay } from "../../core/facts/until.ts";
import { type ChunkText, type ChunkTraits, KINDS, TRUSTS } from "../../core/memory.ts";
import type {
  EndingFact,
  FactsInDoubt,
  MeaningList,
  MemoryFilter,
  MemorySearch,
  StatedFact,
  WordHit,
  WordQuery,
} from "../../core/ports/search.ts";
import { IS_EVIDENCE } from "../chunks/chunks.ts";
import { sqlFilter } from "../chunks/filter.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import { factsReplacedBy, factsWithIds } from "../facts/facts.ts";
import { VectorSearch } from "../vectors/vectors.ts";
import { byFuzzyWords } from "./fuzzy-words.ts";
import { LexicalSearch } from "./lexical.ts";
import { everyWordAsked } from "./match.ts";

/** Turns of a session have consecutive numbers, unless two sessions run at once; then neighbours just count less. */
const NEIGHBOURS = [-2, -1, 1, 2];

/** Enumerated words are returned as numbers: a string for each of a hundred rows is half of the cost. */
const numberOf = (column: string, words: readonly string[]) =>
  `CASE ${column} ${words.map((word, index) => `WHEN '${word}' THEN ${index}`).join(" ")} END`;

/** Reads traits that only turns need for turns alone. */
const TRAITS = `SELECT chunk_id, ${numberOf("kind", KINDS)}, CASE kind WHEN 'message' THEN length(ifnull(stated, text)) ELSE 0 END,
    CASE kind WHEN 'message' THEN substr(text, -1) = '?' ELSE 0 END, session, speaker, at,
    ${numberOf("trust", TRUSTS)}, importance,
    ifnull((SELECT count FROM recalls WHERE recalls.kind = chunks.kind AND recalls.source = chunks.source), 0),
    CASE kind WHEN 'message' THEN ${NEIGHBOURS.map(
      (offset, bit) =>
        `ifnull((SELECT ${1 << bit} FROM chunks AS turn
           WHERE turn.chunk_id = chunks.chunk_id + ${offset} AND turn.session = chunks.session), 0)`,
    ).join(" + ")} ELSE 0 END
  FROM json_each(?) CROSS JOIN chunks ON chunk_id = value`;

type TraitRow = [
  chunkId: number,
  kind: number,
  length: number,
  isQuestion: number,
  session: string | null,
  speaker: string | null,
  at: number | null,
  trust: number,
  importance: number,
  recalls: number,
  turns: number,
];

const TEXTS = `SELECT chunk_id AS chunkId, kind, source, chunks.hash, title, heading, text, line, tags
  FROM json_each(?) CROSS JOIN chunks ON chunk_id = value
    LEFT JOIN documents ON kind = 'document' AND collection = substr(source, 1, instr(source, '/') - 1)
      AND documents.id = substr(source, instr(source, '/') + 1)`;

const DOUBTS = `SELECT newer.id, older.id, newer.trust = 'stated' OR older.trust <> 'stated' FROM json_each(?)
    JOIN facts AS older ON older.id = value JOIN facts AS newer ON newer.doubts = older.id
  WHERE newer.ended_at IS NULL`;
const FILES = "SELECT facts.id, file FROM json_each(?) JOIN facts ON facts.id = value";
/** A fact refers to the reply that marked it or to its source message; the user's message precedes the reply. */
const FACTS_FROM = `SELECT chunk_id, facts.id, fact, ended_at, until, superseded_by
  FROM json_each(?) CROSS JOIN chunks ON chunk_id = value CROSS JOIN facts ON source_session = session
    AND source_message IN (CAST(source AS INTEGER), (SELECT min(id) FROM messages
      WHERE session_id = session AND id > CAST(source AS INTEGER) AND role = 'assistant' AND chunks.trust = 'stated'))
  WHERE chunks.kind = 'message'`;

const ENDING = `SELECT chunk_id AS chunkId, until FROM facts
  CROSS JOIN chunks ON kind = 'fact' AND source = facts.id WHERE until IS NOT NULL`;

/** The cache size: the candidates of one question are often those of the next. */
const MOST_REMEMBERED = 20_000;

export class SqliteMemorySearch implements MemorySearch {
  readonly #lexical: LexicalSearch;
  readonly #vectors: VectorSearch;
  readonly #traits = new Map<number, ChunkTraits>();
  readonly #speakers = new Map<string, string[]>();
  #revision = "";

  constructor(private readonly workspace: WorkspaceDatabase) {
    this.#lexical = new LexicalSearch(workspace);
    this.#vectors = new VectorSearch(workspace);
  }

  atOnce<T>(searches: () => T): T {
    return this.workspace.atOnce(searches);
  }

  byWords(query: WordQuery, filter: MemoryFilter, enough?: number): WordHit[] {
    return this.#lexical.byWords(query, filter, enough);
  }

  withEveryWord(query: WordQuery, filter: MemoryFilter): number[] {
    return this.#lexical.withEveryWord(query, filter);
  }

  asked(query: WordQuery, filter: MemoryFilter, limit: number): number[] {
    const match = everyWordAsked(query);
    if (match === null) return [];
    const { where, values } = sqlFilter(filter);
    return this.workspace.read([], (database) =>
      (
        database
          .query(
            `SELECT chunk_id FROM asked CROSS JOIN chunks ON chunk_id = asked.rowid
             WHERE asked MATCH ? ${where === "" ? "" : `AND ${where}`} ORDER BY chunk_id DESC LIMIT ?`,
          )
          .values(match, ...values, limit) as [number][]
      ).flat(),
    );
  }

  holdsAtLeast(count: number): boolean {
    return this.workspace.read(false, (database) => {
      const some = database.query("SELECT 1 FROM words_docsize LIMIT ?").values(count);
      return some.length === count;
    });
  }

  factsFrom(chunkIds: readonly number[]): StatedFact[] {
    return this.workspace.read([], (database) =>
      (
        database.query(FACTS_FROM).values(JSON.stringify(chunkIds)) as [
          number,
          string,
          string,
          string | null,
          string | null,
          string | null,
        ][]
      ).map(([chunkId, id, text, ended, until, replacedBy]) => {
        const ends = [
          ...(ended === null ? [] : [Date.parse(ended)]),
          ...(until === null ? [] : [endOfDay(until).getTime()]),
        ];
        return { chunkId, id, text, endedAt: ends.length === 0 ? null : Math.min(...ends), replacedBy };
      }),
    );
  }

  endingFacts(): EndingFact[] {
    return this.workspace.read([], (database) => database.query<EndingFact, []>(ENDING).all());
  }

  facts(ids: readonly string[]): readonly Fact[] {
    if (ids.length === 0) return [];
    return this.workspace.read([], (database) => factsWithIds(database, ids));
  }

  replacedBy(ids: readonly string[]): readonly Fact[] {
    if (ids.length === 0) return [];
    return this.workspace.read([], (database) => factsReplacedBy(database, ids));
  }

  doubts(ids: readonly string[]): FactsInDoubt[] {
    if (ids.length === 0) return [];
    return this.workspace.read([], (database) =>
      (database.query(DOUBTS).values(JSON.stringify(ids)) as [string, string, number][]).map(
        ([newer, older, newerLeads]) => ({ newer, older, newerLeads: newerLeads === 1 }),
      ),
    );
  }

  unconfirmed(ids: readonly string[]): string[] {
    if (ids.length === 0) return [];
    return this.workspace
      .read([], (database) =>
        database.query<{ id: string; file: string }, [string]>(FILES).all(JSON.stringify(ids)),
      )
      .flatMap(({ id, file }) => (isInferredFile(file) ? id : []));
  }

  hasWord(word: string): boolean {
    return this.#lexical.hasWord(word);
  }

  byFuzzyWords(words: readonly string[], filter: MemoryFilter, limit: number): WordHit[] {
    return this.workspace.read([], (database) => byFuzzyWords(database, words, filter, limit));
  }

  byMeaning(model: string, vector: Float32Array, filter: MemoryFilter, limit: number): MeaningList | null {
    return this.#vectors.nearest(model, vector, filter, limit);
  }

  newest(filter: MemoryFilter, limit: number): number[] {
    const { where, values } = sqlFilter(filter);
    const condition = where === "" ? "" : `AND ${where}`;
    return this.workspace.read([], (database) =>
      (
        database
          .query(
            `SELECT chunk_id FROM chunks WHERE ${IS_EVIDENCE} ${condition} ORDER BY at DESC, chunk_id LIMIT ?`,
          )
          .values(...values, limit) as [number][]
      ).flat(),
    );
  }

  allowed(query: WordQuery, chunkIds: readonly number[]): Set<number> {
    return this.#lexical.allowed(query, chunkIds);
  }

  traits(chunkIds: readonly number[]): ChunkTraits[] {
    this.#forgetWhatChanged();
    const unknown = chunkIds.filter((chunkId) => !this.#traits.has(chunkId));
    if (unknown.length > 0)
      this.workspace.read(null, (database) => {
        for (const row of database.query(TRAITS).values(JSON.stringify(unknown)))
          this.#traits.set(row[0] as number, toTraits(row as unknown as TraitRow));
        return null;
      });
    return chunkIds.map((chunkId) => this.#traits.get(chunkId)).filter((traits) => traits !== undefined);
  }

  texts(chunkIds: readonly number[]): ChunkText[] {
    return this.workspace.read([], (database) =>
      database
        .query<Omit<ChunkText, "tags"> & { tags: string }, [string]>(TEXTS)
        .all(JSON.stringify(chunkIds))
        .map((row) => ({ ...row, tags: JSON.parse(row.tags) as string[] })),
    );
  }

  senses(model: string, chunkIds: readonly number[]): Map<number, Uint8Array> {
    return this.#vectors.senses(model, chunkIds);
  }

  similarity(model: string, a: number, b: number): number | null {
    return this.#vectors.similarity(model, a, b);
  }

  models(): string[] {
    return this.#vectors.models();
  }

  speakersNamed(words: readonly string[]): string[] {
    this.#forgetWhatChanged();
    return words.flatMap((word) => {
      const known = this.#speakers.get(word) ?? this.#speakersCalled(word);
      this.#speakers.set(word, known);
      return known;
    });
  }

  #speakersCalled(word: string): string[] {
    return this.workspace.read([], (database) => {
      const query = database.query(
        "SELECT DISTINCT speaker FROM chunks WHERE speaker_key >= ?1 AND speaker_key < ?1 || char(1114111)",
      );
      return (query.values(word) as [string][])
        .flat()
        .filter((speaker) => nameKey(speaker).split(/[^\p{L}\p{M}\p{N}]+/u)[0] === word);
    });
  }

  #forgetWhatChanged(): void {
    const revision = this.workspace.revision();
    if (revision === this.#revision && this.#traits.size <= MOST_REMEMBERED) return;
    this.#revision = revision;
    this.#traits.clear();
    this.#speakers.clear();
  }
}

function toTraits(row: TraitRow): ChunkTraits {
  const [chunkId, kind, length, isQuestion, session, speaker, at, trust, importance, recalls, turns] = row;
  return {
    chunkId,
    kind: KINDS[kind] ?? "document",
    length,
    isQuestion: isQuestion === 1,
    session,
    speaker,
    around:
      turns === 0 ? [] : NEIGHBOURS.flatMap((offset, bit) => (turns & (1 << bit) ? chunkId + offset : [])),
    at,
    trust: TRUSTS[trust] ?? "stated",
    importance,
    recalls,
  };
}
