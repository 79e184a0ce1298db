/** Both lists of one workspace, brought together: every text that either found, with what both say of it. */
import { cjkBigrams } from "../core/cjk.ts";
import type { ChunkTraits } from "../core/memory.ts";
import type { MemoryFilter, WordQuery } from "../core/ports.ts";
import type { RecallWorkspace } from "./ports.ts";
import type { Query } from "./query.ts";
import { isStopWord } from "./stop-words.ts";

export interface Candidate {
  readonly place: RecallWorkspace["place"];
  readonly chunk: ChunkTraits;
  /** 0 where no word matched. */
  readonly words: number;
  /** null where it has no vector. */
  readonly cosine: number | null;
  /** The mean cosine of the turns around it: what was meant shows in what was said next to it. */
  readonly around: number;
  readonly everyWord: boolean;
  /** Found only because a word looks like one of the query's. */
  readonly guessed: boolean;
}

/** The query's vector for each model that serves. */
export type QueryVectors = ReadonlyMap<string, Float32Array>;

/** How far down each list is looked; below that nothing reaches the first page. */
const LIST_LENGTH = 100;
/** Less is noise: MiniLM gives two unrelated sentences about 0. */
const LEAST_COSINE = 0.1;

export interface CandidateRequest {
  readonly query: Query;
  readonly filter: MemoryFilter;
  readonly vectors: QueryVectors;
  /** false for a search by meaning alone. */
  readonly byWords: boolean;
  readonly limit: number;
}

export function candidatesOf({ place, search }: RecallWorkspace, request: CandidateRequest): Candidate[] {
  const { query, filter, vectors } = request;
  const wordQuery = wordQueryOf(query);
  const length = Math.max(LIST_LENGTH, request.limit * 2);
  let wordHits = request.byWords ? search.byWords(wordQuery, filter, length) : [];
  const guessed = request.byWords && wordHits.length === 0 && isPlain(query);
  if (guessed) wordHits = search.byLikeness(query.words, filter, length);
  const words = new Map(wordHits.map(({ chunkId, score }) => [chunkId, score]));
  const complete =
    guessed || words.size === 0 ? [] : search.withEveryWord(wordQuery, filter, Math.min(length, 50));
  const lists = [...vectors].flatMap(
    ([model, vector]) => search.byMeaning(model, vector, filter, length) ?? [],
  );
  const cosineOf = (chunkId: number) => firstOf(lists, (list) => list.cosineOf(chunkId));
  const near = lists.flatMap(({ hits }) => hits).filter(({ cosine }) => cosine >= LEAST_COSINE);
  const ids = new Set([...words.keys(), ...complete, ...near.map(({ chunkId }) => chunkId)]);
  const found = search.allowed(wordQuery, [...ids]);
  if (found.size === 0 && onlyLimits(query, wordQuery))
    for (const id of search.newest(filter, request.limit)) found.add(id);
  const every = new Set(complete);
  return search.traits([...found]).map((chunk) => ({
    place,
    chunk,
    words: words.get(chunk.chunkId) ?? 0,
    cosine: cosineOf(chunk.chunkId),
    around: mean(chunk.around.map((turn) => cosineOf(turn) ?? 0)),
    everyWord: every.has(chunk.chunkId),
    guessed: guessed && words.has(chunk.chunkId),
  }));
}

function firstOf<T>(lists: readonly T[], value: (list: T) => number | null): number | null {
  for (const list of lists) {
    const found = value(list);
    if (found !== null) return found;
  }
  return null;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function wordQueryOf(query: Query): WordQuery {
  const { prefixes, phrases, excluded, meaning } = query;
  const [required, wished] = isSentence(query) ? [[], phrases] : [phrases, []];
  const bigrams = [...new Set(cjkBigrams(meaning))].slice(0, 64);
  return { words: wordsOf(query), prefixes, phrases: required, wished, excluded, bigrams };
}

/** "Last week" names a time, not words to look for; "May 2023" is both. */
function wordsOf({ words, period }: Query): readonly string[] {
  if (period === null || NAMED_DAY.test(period.said)) return words;
  const said = new Set(period.said.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const others = words.filter((word) => !said.has(word));
  return others.length === 0 ? words : others;
}

const NAMED_DAY =
  /\d|january|february|march|april|may|june|july|august|september|october|november|december|day\b/i;
const QUOTED = /["“”„][^"“”„]*["“”„]/g;

/** 'When did she read "Dune"?' names a title; '"token rotation" redis' asks for these very words. */
function isSentence({ text, phrases }: Query): boolean {
  if (phrases.length === 0) return false;
  const outside = text.replace(QUOTED, " ").toLowerCase();
  return outside.trimEnd().endsWith("?") || (outside.match(/[\p{L}\p{N}]+/gu) ?? []).some(isStopWord);
}

/** Nothing but words: what may be misspelt. */
function isPlain({ words, phrases, prefixes }: Query): boolean {
  return words.length > 0 && phrases.length === 0 && prefixes.length === 0;
}

/** "tag:x" or "-draft" alone asks for everything that passes. */
function onlyLimits(query: Query, { words, prefixes, phrases, bigrams }: WordQuery): boolean {
  return (
    words.length + prefixes.length + phrases.length + bigrams.length === 0 &&
    (query.tags.length > 0 || query.excluded.length > 0 || query.period !== null)
  );
}
