/** What recall needs from an index: ranked lists of one workspace, what was recalled, and what waits for vectors. */
import type { ChunkText, ChunkTraits, Kind, MemoryRef } from "../memory.ts";

/** What a search is limited to; a part that is left out limits nothing. */
export interface MemoryFilter {
  readonly kinds?: readonly Kind[];
  /** What belongs to these chats; "" is the workspace's own. */
  readonly scopes?: readonly string[];
  /** Documents of this collection. */
  readonly collection?: string;
  /** Only these documents, as "collection/id". */
  readonly documents?: readonly string[];
  /** Has all of these, in lower case. */
  readonly tags?: readonly string[];
  /** Said or written from here on, and up to there (ms, inclusive). What has no date does not pass. */
  readonly since?: number;
  readonly until?: number;
}

/** The words of a query; each entry of a phrase is one word. */
export interface WordQuery {
  readonly words: readonly string[];
  /** Beginnings of words. */
  readonly prefixes: readonly string[];
  /** All must occur. */
  readonly phrases: readonly (readonly string[])[];
  /** Count where they occur. */
  readonly wished: readonly (readonly string[])[];
  /** None may occur. */
  readonly excluded: readonly (readonly string[])[];
  /** Pairs of CJK characters. */
  readonly bigrams: readonly string[];
}

/** What a list by words is needed for. */
export interface WantedWords {
  /** As many of the best, with all that score like the last of them; beside these, every text that holds every word. */
  readonly best: number;
  /** Texts that another list found: these too, where a word matches. */
  readonly chunkIds: readonly number[];
}

export interface WordHit {
  readonly chunkId: number;
  /** BM25 as a share of the most that a text could reach for this query, from 0 to 1. */
  readonly score: number;
}

export interface MeaningHit {
  readonly chunkId: number;
  /** Of the passage that is nearest to the query. */
  readonly cosine: number;
}

/** Every text was compared with the query; the nearest are listed, the others can be asked for until the next search. */
export interface MeaningList {
  /** Best first. */
  readonly hits: readonly MeaningHit[];
  /** Of its nearest passage; null where the chunk has no vector. */
  cosineOf(chunkId: number): number | null;
  /** The mean over its passages: what the whole is about. 0 where the chunk has no vector. */
  meanCosineOf(chunkId: number): number;
}

/** A fact, and a message that it came out of. */
export interface StatedFact {
  readonly chunkId: number;
  /** The fact's id. */
  readonly id: string;
  readonly text: string;
  /** In ms, possibly in the future; null if no end is known. */
  readonly endedAt: number | null;
}

/** A fact with a last day: "2026-11-20". */
export interface EndingFact {
  readonly chunkId: number;
  readonly until: string;
}

/** The ranked lists of one workspace. Only recall/ fuses them. Nothing here throws for what a person typed. */
export interface MemorySearch {
  /**
   * In any order: all texts with any of the words and all of the phrases; the best thousand where these are very many; at least
   * what is wanted, where that is found sooner.
   */
  byWords(query: WordQuery, filter: MemoryFilter, wanted?: WantedWords): WordHit[];
  /** Texts that hold every word, phrase and pair of the query, in any order; a thousand at most. */
  withEveryWord(query: WordQuery, filter: MemoryFilter): number[];
  /** Messages that hold all of it in sentences that state nothing: questions, which are found by their exact words alone. */
  asked(query: WordQuery, filter: MemoryFilter, limit: number): number[];
  /** Whether there are so many texts. */
  holdsAtLeast(count: number): boolean;
  /** The facts that came out of these messages: marked in them, or in the reply to them. */
  factsFrom(chunkIds: readonly number[]): StatedFact[];
  /** The facts that have a last day, whether or not it is over. */
  endingFacts(): EndingFact[];
  /** The pairs among the facts with these ids where the newer one may replace the older one. */
  doubts(ids: readonly string[]): { readonly newer: string; readonly older: string }[];
  /** Which of these facts are unconfirmed. */
  unconfirmed(ids: readonly string[]): string[];
  /** Texts in which a word looks like one of these: misspelt, or a part of a longer one. */
  byFuzzyWords(words: readonly string[], filter: MemoryFilter, limit: number): WordHit[];
  /** null where the model has no vectors here. */
  byMeaning(model: string, vector: Float32Array, filter: MemoryFilter, limit: number): MeaningList | null;
  /** The newest, for a query that only limits. */
  newest(filter: MemoryFilter, limit: number): number[];
  /** Those of the chunks that hold the phrases and none of the excluded words. */
  allowed(query: WordQuery, chunkIds: readonly number[]): Set<number>;
  /** In any order; chunks that are gone are left out. */
  traits(chunkIds: readonly number[]): ChunkTraits[];
  texts(chunkIds: readonly number[]): ChunkText[];
  /** How alike two chunks are by meaning; null where either has no vector. */
  similarity(model: string, a: number, b: number): number | null;
  /** Models that some vectors are of. */
  models(): string[];
  /** The speakers whose name is one of the words. */
  speakersNamed(words: readonly string[]): string[];
}

/** Counts what was recalled. */
export interface RecallLog {
  record(refs: readonly MemoryRef[], at: Date): Promise<void>;
}

export interface PendingChunk {
  readonly chunkId: number;
  readonly kind: Kind;
  readonly heading: string;
  readonly text: string;
}

/** Chunks that wait for their vectors: durable, shared by processes, each taken by one at a time. */
export interface EmbeddingQueue {
  /** Has every chunk wait that this model has no vectors of; the vectors of another model serve until then. */
  useModel(model: string): Promise<void>;
  /** Throws `embedding` where the vectors that are stored of this model have another length. */
  requireDimensions(model: string, dimensions: number): void;
  /** How many wait, those that another process has taken included. */
  count(): number;
  /**
   * Takes up to `limit`, the newest first, by this process; what a process that died had taken is free again. While
   * another process writes it waits, or takes nothing.
   */
  take(limit: number, now: Date, wait: boolean): Promise<PendingChunk[]>;
  /**
   * Stores a chunk's vectors and takes it off the queue; one that changed or went meanwhile is left out. Throws as
   * `requireDimensions`, with nothing stored.
   */
  store(
    model: string,
    done: readonly { chunk: PendingChunk; vectors: readonly Float32Array[] }[],
  ): Promise<void>;
  /** Gives back what was taken and not done. */
  release(chunks: readonly PendingChunk[]): Promise<void>;
}
