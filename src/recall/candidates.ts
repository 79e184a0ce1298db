/** Both lists of one workspace, brought together: every text that either found, with what both say of it. */
import { cjkQueryBigrams } from "../core/cjk.ts";
import type { ChunkTraits } from "../core/memory.ts";
import type { MeaningList, MemoryFilter, WordHit, WordQuery } from "../core/ports.ts";
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

/** How far down each list candidates are taken from; below that nothing reaches the first page by itself. */
const LIST_LENGTH = 60;
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
  const length = Math.max(LIST_LENGTH, request.limit * 3);
  let wordHits = request.byWords ? search.byWords(wordQuery, filter) : [];
  const guessed = request.byWords && wordHits.length === 0 && isPlain(query);
  if (guessed) wordHits = search.byLikeness(query.words, filter, length);
  const complete = guessed || wordHits.length === 0 ? [] : search.withEveryWord(wordQuery, filter, length);
  const lists: MeaningList[] = [];
  for (const [model, vector] of vectors) {
    const list = search.byMeaning(model, vector, filter, length);
    if (list !== null) lists.push(list);
  }
  const found = new Set<number>(complete);
  const least = scoreAtPlace(wordHits, length);
  for (const { chunkId, score } of wordHits) if (score >= least) found.add(chunkId);
  for (const { hits } of lists)
    for (const { chunkId, cosine } of hits) if (cosine >= LEAST_COSINE) found.add(chunkId);
  const allowed = search.allowed(wordQuery, [...found]);
  if (allowed.size === 0 && onlyLimits(query, wordQuery))
    for (const id of search.newest(filter, request.limit)) allowed.add(id);
  return described(search.traits([...allowed]), place, lists, guessed, new Set(complete), wordHits);
}

/** The score that a list of this length ends with; the lowest there is where the list is shorter. */
function scoreAtPlace(hits: readonly WordHit[], length: number): number {
  if (hits.length <= length) return Number.NEGATIVE_INFINITY;
  const scores = Float64Array.from(hits, ({ score }) => score).sort();
  return scores[hits.length - length] as number;
}

function described(
  chunks: readonly ChunkTraits[],
  place: RecallWorkspace["place"],
  lists: readonly MeaningList[],
  guessed: boolean,
  every: ReadonlySet<number>,
  wordHits: readonly WordHit[],
): Candidate[] {
  const words = new Map<number, number>();
  for (const { chunkId, score } of wordHits) words.set(chunkId, score);
  return chunks.map((chunk) => {
    const score = words.get(chunk.chunkId);
    return {
      place,
      chunk,
      words: score ?? 0,
      cosine: cosineIn(lists, chunk.chunkId),
      around: chunk.around.length === 0 ? 0 : mean(chunk.around.map((turn) => cosineIn(lists, turn) ?? 0)),
      everyWord: every.has(chunk.chunkId),
      guessed: guessed && score !== undefined,
    };
  });
}

/** Of the first model that has a vector of it. */
function cosineIn(lists: readonly MeaningList[], chunkId: number): number | null {
  for (const list of lists) {
    const cosine = list.cosineOf(chunkId);
    if (cosine !== null) return cosine;
  }
  return null;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function wordQueryOf(query: Query): WordQuery {
  const { prefixes, phrases, excluded, meaning } = query;
  const [required, wished] = isSentence(query) ? [[], phrases] : [phrases, []];
  const bigrams = cjkQueryBigrams(meaning).slice(0, 64);
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
