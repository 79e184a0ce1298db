/** Merges the keyword and vector hits of each workspace into candidates. */

import type { ChunkTraits } from "../core/memory.ts";
import type {
  MeaningHit,
  MeaningList,
  MemoryFilter,
  MemorySearch,
  WordHit,
  WordQuery,
} from "../core/ports/search.ts";
import type { Embedding } from "../core/senses.ts";
import { cjkQueryBigrams } from "../core/text/cjk.ts";
import { MONTH_NAMES } from "../util/days.ts";
import type { RecallWorkspace } from "./ports.ts";
import { isLookup, type Query } from "./query.ts";

export interface Candidate {
  readonly origin: RecallWorkspace["origin"];
  readonly chunk: ChunkTraits;
  /** 0 if no word matched. */
  readonly words: number;
  /** null if it has no vector. */
  readonly cosine: number | null;
  /** The mean cosine of the surrounding passages, since neighbours often show what was meant. */
  readonly around: number;
  /** The cosine comes from a hosted index. */
  readonly isHosted: boolean;
  readonly everyWord: boolean;
  /** Matched only by fuzzy spelling. */
  readonly guessed: boolean;
}

/** The query as each embedding model in use represents it. */
export type QueryEmbeddings = ReadonlyMap<string, Embedding>;

/** How many hits to take from each list; lower ones never reach the first page on their own. */
const LIST_LENGTH = 100;
/** Lower is noise: MiniLM gives unrelated sentences about 0. */
const LEAST_COSINE = 0.1;

interface CandidateRequest {
  readonly query: Query;
  readonly filter: MemoryFilter;
  readonly embeddings: QueryEmbeddings;
  /** false for `--semantic`. */
  readonly byWords: boolean;
  readonly limit: number;
}

/** Candidates of all workspaces. If no workspace has the words, falls back to fuzzy spelling. */
export function candidatesOf(workspaces: readonly RecallWorkspace[], request: CandidateRequest): Candidate[] {
  const wordQuery = wordQueryOf(request.query);
  const asked = workspaces.map((workspace) => {
    const filter = filterFor(workspace, request.filter);
    return { workspace, filter, ...listsOf(workspace, { ...request, filter, wordQuery }) };
  });
  const nothingMatched = asked.every(({ wordHits }) => wordHits.length === 0);
  const misspelt = misspeltIn(request, workspaces, nothingMatched);
  return asked.flatMap(({ workspace, filter, ...lists }) =>
    candidatesIn(workspace.search, workspace.origin, {
      ...request,
      ...lists,
      filter,
      wordQuery,
      guesses: misspelt.length === 0 ? [] : lookAlikes(workspace.search, misspelt, request, filter),
    }),
  );
}

/** With more words, the others find the memory, and looking for similar spellings takes several times as long as the search. */
const FEW_WORDS = 3;

/** The words to match by spelling: all if nothing matched, else those of a short query that occur nowhere, except numbers. */
function misspeltIn(
  { query, byWords }: CandidateRequest,
  workspaces: readonly RecallWorkspace[],
  nothingMatched: boolean,
): readonly string[] {
  const { words, prefixes, language } = query;
  if (!byWords || !isPlain(query)) return [];
  if (nothingMatched) return [...words, ...prefixes];
  // In other languages, words match by their beginning.
  if (words.length > FEW_WORDS || language !== null) return [];
  return words.filter((word) => !/\d/.test(word) && !workspaces.some(({ search }) => search.hasWord(word)));
}

interface ListRequest extends CandidateRequest {
  readonly wordQuery: WordQuery;
}

interface Lists {
  readonly lists: readonly MeaningList[];
  /** The chunks they found. */
  readonly near: readonly number[];
  readonly wordHits: readonly WordHit[];
}

function listsOf({ search, hosted = [] }: RecallWorkspace, request: ListRequest): Lists {
  const { wordQuery, filter, embeddings, byWords } = request;
  const length = lengthOf(request);
  const scanned = [...embeddings].flatMap(
    ([model, { vector }]) => search.byMeaning(model, vector, filter, length) ?? [],
  );
  const lists = hosted.length === 0 ? scanned : [...scanned, hostedList(hosted)];
  const near = lists.flatMap(nearIn);
  return { lists, near, wordHits: byWords ? search.byWords(wordQuery, filter, length) : [] };
}

/** A hosted index gives the cosines of its hits only: other chunks have none, and neighbours add nothing. */
function hostedList(hits: readonly MeaningHit[]): HostedList {
  const cosines = new Map(hits.map(({ chunkId, cosine }) => [chunkId, cosine]));
  return { hits, isHosted: true, cosineOf: (id) => cosines.get(id) ?? null, meanCosineOf: () => 0 };
}

interface HostedList extends MeaningList {
  readonly isHosted: true;
}

function lengthOf({ limit }: CandidateRequest): number {
  return Math.max(LIST_LENGTH, limit * 3);
}

function nearIn({ hits }: MeaningList): number[] {
  return hits.filter(({ cosine }) => cosine >= LEAST_COSINE).map(({ chunkId }) => chunkId);
}

/** Applies the document filter of each workspace, and leaves a conversation out only where it is. */
function filterFor(
  { documents, origin }: RecallWorkspace,
  { except, ...filter }: MemoryFilter,
): MemoryFilter {
  return {
    ...filter,
    ...(documents !== undefined && { documents }),
    ...(except !== undefined && (except.origin ?? origin) === origin && { except }),
  };
}

/** A fuzzy match counts less than any real match, and little next to other words or vectors. */
const GUESS = 0.5;
const GUESS_NEXT_TO_OTHERS = 0.15;

function lookAlikes(
  search: MemorySearch,
  misspelt: readonly string[],
  { query: { words, prefixes }, limit, embeddings }: CandidateRequest,
  filter: MemoryFilter,
): WordHit[] {
  const hits = search.byFuzzyWords(misspelt, filter, Math.max(LIST_LENGTH, limit));
  const share = misspelt.length / (words.length + prefixes.length);
  const worth = share === 1 && embeddings.size === 0 ? GUESS : share * GUESS_NEXT_TO_OTHERS;
  return hits.map(({ chunkId, score }) => ({ chunkId, score: score * worth }));
}

interface WorkspaceRequest extends ListRequest, Lists {
  readonly guesses: readonly WordHit[];
}

function candidatesIn(
  search: MemorySearch,
  origin: Candidate["origin"],
  request: WorkspaceRequest,
): Candidate[] {
  const { query, wordQuery, wordHits, guesses, lists, near, filter } = request;
  const length = lengthOf(request);
  const every = new Set(wordHits.length === 0 ? [] : search.withEveryWord(wordQuery, filter));
  const complete = wordHits.filter(({ chunkId }) => every.has(chunkId));
  const found = new Set(
    [...best(wordHits, length), ...best(complete, length), ...guesses].map(({ chunkId }) => chunkId),
  );
  for (const chunkId of near) found.add(chunkId);
  if (found.size === 0 && onlyLimits(query, wordQuery))
    for (const id of search.newest(filter, request.limit * 10)) found.add(id);
  const allowed = search.allowed(wordQuery, [...found]);
  if (isLookup(query))
    for (const id of search.asked(wordQuery, filter, length)) {
      allowed.add(id);
      every.add(id);
    }
  const hits = wordHits.filter(({ chunkId }) => allowed.has(chunkId));
  return described({ chunks: search.traits([...allowed]), origin, lists, guesses, every, wordHits: hits });
}

/** The best `length` hits, in no order; ties may add a few. */
function best(hits: readonly WordHit[], length: number): readonly WordHit[] {
  if (hits.length <= length) return hits;
  const scores = new Float64Array(hits.length);
  for (let index = 0; index < hits.length; index++) scores[index] = (hits[index] as WordHit).score;
  const least = scores.sort()[hits.length - length] as number;
  return hits.filter(({ score }) => score >= least).slice(0, length * 2);
}

interface Found extends Omit<Lists, "near"> {
  readonly chunks: readonly ChunkTraits[];
  readonly origin: Candidate["origin"];
  readonly guesses: readonly WordHit[];
  /** The chunks with every word. */
  readonly every: ReadonlySet<number>;
}

function described({ chunks, origin, lists, guesses, every, wordHits }: Found): Candidate[] {
  const words = new Map<number, number>();
  for (const { chunkId, score } of wordHits) words.set(chunkId, score);
  const guessed = new Set(guesses.map(({ chunkId }) => chunkId).filter((chunkId) => !words.has(chunkId)));
  for (const { chunkId, score } of guesses) words.set(chunkId, score + (words.get(chunkId) ?? 0));
  return chunks.map((chunk) => {
    const { cosine, isHosted } = cosineIn(lists, chunk.chunkId);
    return {
      origin,
      chunk,
      words: words.get(chunk.chunkId) ?? 0,
      cosine,
      isHosted,
      around: mean(chunk.around.map((turn) => Math.max(0, ...lists.map((list) => list.meanCosineOf(turn))))),
      everyWord: every.has(chunk.chunkId),
      guessed: guessed.has(chunk.chunkId),
    };
  });
}

/** The cosine of the first list that has one. */
function cosineIn(lists: readonly MeaningList[], chunkId: number): Pick<Candidate, "cosine" | "isHosted"> {
  for (const list of lists) {
    const cosine = list.cosineOf(chunkId);
    if (cosine !== null) return { cosine, isHosted: "isHosted" in list };
  }
  return { cosine: null, isHosted: false };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/**
 * FTS5 stems English only. Words of other languages match by prefix, this share of their letters: "Katzen" finds "Katze",
 * "recetado" finds "recetó", and "Wohnung" finds "Wohnungsmiete" (docs/benchmarks.md).
 */
const BEGINNING = 0.6;
const SHORTEST_BEGINNING = 4;

function wordQueryOf(query: Query): WordQuery {
  const { phrases, excluded, meaning, language } = query;
  const [required, wished] = isSentence(query) ? [[], phrases] : [phrases, []];
  const bigrams = cjkQueryBigrams(meaning).slice(0, 64);
  const words = wordsToFind(query);
  const inflected = language === null ? [] : words.filter(({ length }) => length >= SHORTEST_BEGINNING);
  return {
    words: words.filter((word) => !inflected.includes(word)),
    prefixes: [...new Set([...query.prefixes, ...inflected.map(beginningOf)])],
    ...{ phrases: required, wished, excluded, bigrams },
  };
}

function beginningOf(word: string): string {
  return word.slice(0, Math.max(SHORTEST_BEGINNING, Math.ceil(word.length * BEGINNING)));
}

/** "Last week" is a time, not words to search for; "May 2023" is both. */
function wordsToFind({ words, period }: Query): readonly string[] {
  if (period === null || NAMED_DAY.test(period.said)) return words;
  const said = new Set(period.said.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  const others = words.filter((word) => !said.has(word));
  return others.length === 0 ? words : others;
}

const NAMED_DAY = new RegExp(
  String.raw`\d|\b(?:${MONTH_NAMES.join("|")}|\w+day)\b(?<!\b(?:to|yester|birth|holi|every)day)`,
  "i",
);
const QUOTED = /["“”„«][^"“”„«»]*["“”„»]/g;
const ASKS =
  /^\W*(?:who|whom|whose|what|which|when|where|why|how|did|do|does|is|are|was|were|has|have|had|can|could|would|will|should|tell)\b/i;

/**
 * 'When did she read "Dune"?' names a title, and '"What shall I read?"' is a question in quotes; '"token rotation" redis' requires
 * the phrase.
 */
function isSentence({ text, phrases, meaning }: Query): boolean {
  if (phrases.length === 0) return false;
  const outside = text.replace(QUOTED, " ").trim();
  const asked = outside === "" ? meaning : outside;
  return asked.endsWith("?") || (outside !== "" && ASKS.test(asked));
}

/** Only plain words, which may be misspelt. */
function isPlain({ words, phrases, prefixes }: Query): boolean {
  return words.length + prefixes.length > 0 && phrases.length === 0;
}

/** "tag:x" or "-draft" alone matches everything that passes the filter. */
function onlyLimits(query: Query, { words, prefixes, phrases, bigrams }: WordQuery): boolean {
  return (
    words.length + prefixes.length + phrases.length + bigrams.length === 0 &&
    (query.tags.length > 0 || query.excluded.length > 0)
  );
}
