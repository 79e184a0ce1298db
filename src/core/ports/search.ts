/** The index as recall needs it: one workspace's ranked search results, recall counts, and the embedding queue. */

import type { Fact } from "../facts/fact.ts";
import type { ChunkText, ChunkTraits, Kind, MemoryRef, Origin } from "../memory.ts";
import type { Embedding } from "../senses.ts";
import type { TagRule } from "../tag-rule.ts";

/** A search filter; an omitted field limits nothing. */
export interface MemoryFilter {
  readonly kinds?: readonly Kind[];
  /** Memories of these chats; "" is the workspace itself. */
  readonly scopes?: readonly string[];
  /** Documents of this collection. */
  readonly collection?: string;
  /** Only these documents, as "collection/id". */
  readonly documents?: readonly string[];
  /** Has all of these, in lower case. */
  readonly tags?: readonly string[];
  readonly tagRule?: TagRule;
  /** From this time, up to that time (ms, inclusive). Memories without a date don't match. */
  readonly since?: number;
  readonly until?: number;
  readonly except?: SaidHere;
}

/**
 * The part of a conversation that the person or model has in front of them: its summary, and its messages after this number. If
 * the message that asks were found, it would match itself best, and so everything else would seem relevant.
 */
export interface SaidHere {
  readonly session: string;
  readonly after: number;
  /** Default: the session of this name in any workspace. */
  readonly origin?: Origin;
}

/** The words of a query; each entry of a phrase is one word. */
export interface WordQuery {
  readonly words: readonly string[];
  /** Prefixes. */
  readonly prefixes: readonly string[];
  /** All must occur. */
  readonly phrases: readonly (readonly string[])[];
  /** Optional, but add to the score. */
  readonly wished: readonly (readonly string[])[];
  /** None may occur. */
  readonly excluded: readonly (readonly string[])[];
  /** Pairs of CJK characters. */
  readonly bigrams: readonly string[];
}

export interface WordHit {
  readonly chunkId: number;
  /** BM25 as a share of the best possible score, from 0 to 1. */
  readonly score: number;
}

export interface MeaningHit {
  readonly chunkId: number;
  /** Of the nearest passage. */
  readonly cosine: number;
}

/** The result of a vector search over all texts: the nearest ones; others can be looked up until the next search. */
export interface MeaningList {
  /** Best first. */
  readonly hits: readonly MeaningHit[];
  /** Of its nearest passage; null if the chunk has no vector. */
  cosineOf(chunkId: number): number | null;
  /** The mean over its passages, its overall topic. 0 if the chunk has no vector or does not pass the filter. */
  meanCosineOf(chunkId: number): number;
}

/** A fact and a message it came from. */
export interface StatedFact {
  readonly chunkId: number;
  /** The fact's id. */
  readonly id: string;
  readonly text: string;
  /** In ms, possibly in the future; null if no end is known. */
  readonly endedAt: number | null;
  /** The id of the fact that replaced it. */
  readonly replacedBy: string | null;
}

export interface FactsInDoubt {
  readonly newer: string;
  readonly older: string;
  /** false for a model's inference about what a person stated. */
  readonly newerLeads: boolean;
}

/** A fact with a last day: "2026-11-20". */
export interface EndingFact {
  readonly chunkId: number;
  readonly until: string;
}

/** The ranked search results of one workspace, which only recall/ fuses. Never throws because of the query. */
export interface MemorySearch {
  /** Runs searches on one state of the workspace, faster than one by one. */
  atOnce<T>(searches: () => T): T;
  /**
   * Texts with any of the words and all phrases, in any order; the best thousand if there are very many; perhaps only the best ones, but
   * at least `enough`.
   */
  byWords(query: WordQuery, filter: MemoryFilter, enough?: number): WordHit[];
  /** Texts with every word, phrase and bigram, in any order; at most a thousand. */
  withEveryWord(query: WordQuery, filter: MemoryFilter): number[];
  /** Messages that contain all of it in questions, which match only by exact words. */
  asked(query: WordQuery, filter: MemoryFilter, limit: number): number[];
  /** Whether there are at least this many texts. */
  holdsAtLeast(count: number): boolean;
  /** Facts from these messages: marked in them, or in the reply. */
  factsFrom(chunkIds: readonly number[]): StatedFact[];
  /** Facts with a last day, past or future. */
  endingFacts(): EndingFact[];
  /** The facts that these replaced, of the same chat. */
  replacedBy(ids: readonly string[]): readonly Fact[];
  /** The facts with these ids. */
  facts(ids: readonly string[]): readonly Fact[];
  /** The facts that may replace one of these. */
  doubts(ids: readonly string[]): FactsInDoubt[];
  /** Which of these facts are unconfirmed. */
  unconfirmed(ids: readonly string[]): string[];
  /** Whether a text contains this word in any form. */
  hasWord(word: string): boolean;
  /** Texts with similarly spelled words: misspelt, or part of a longer word. */
  byFuzzyWords(words: readonly string[], filter: MemoryFilter, limit: number): WordHit[];
  /** null if this embedding model has no vectors here. */
  byMeaning(model: string, vector: Float32Array, filter: MemoryFilter, limit: number): MeaningList | null;
  /** The newest, for a query that only filters. */
  newest(filter: MemoryFilter, limit: number): number[];
  /** The chunks with the phrases and without the excluded words. */
  allowed(query: WordQuery, chunkIds: readonly number[]): Set<number>;
  /** In any order, without deleted chunks. */
  traits(chunkIds: readonly number[]): ChunkTraits[];
  texts(chunkIds: readonly number[]): ChunkText[];
  /** The senses of the chunks' words, without chunks that have none of this embedding model. */
  senses(model: string, chunkIds: readonly number[]): Map<number, Uint8Array>;
  /** The similarity of two chunks; null if either has no vector. */
  similarity(model: string, a: number, b: number): number | null;
  /** The embedding models of the stored vectors. */
  models(): string[];
  /** Speakers whose name is among the words. */
  speakersNamed(words: readonly string[]): string[];
}

/** A document or note in a list. */
export interface MemoryEntry extends MemoryRef {
  /** Its first chunk; null for a document without text to search. */
  readonly chunkId: number | null;
  readonly at: number | null;
}

/** A value of a field, and how many memories have it. */
export interface Tally {
  readonly name: string;
  readonly count: number;
}

/** One workspace's documents and notes, listed instead of searched. */
export interface MemoryListing {
  /** Changes whenever the entries may have changed. */
  revision(): string;
  /** In any order, and in pages, so that other work can run in between. Empty `kinds`: none. */
  entries(filter: MemoryFilter): Iterable<MemoryEntry[]>;
  /** Collections with documents. */
  collections(): Tally[];
  /** Of documents and facts, the most frequent first. */
  tags(limit: number): Tally[];
}

/** Counts recalls. */
export interface RecallLog {
  record(refs: readonly MemoryRef[], at: Date): Promise<void>;
}

export interface PendingChunk {
  readonly chunkId: number;
  readonly kind: Kind;
  readonly heading: string;
  readonly text: string;
}

/** Chunks to embed: durable, shared by processes, each claimed by one at a time. */
export interface EmbeddingQueue {
  /** Queues every chunk without a vector of this embedding model; vectors of another serve until then. */
  useModel(model: string): Promise<void>;
  /** Throws `embedding` if this model's stored vectors have another length. */
  requireDimensions(model: string, dimensions: number): void;
  /** The number of pending chunks, including claimed ones. */
  count(): number;
  /**
   * Claims up to `limit` chunks, newest first; claims of dead processes are void. While another process writes, waits or claims
   * nothing.
   */
  take(limit: number, now: Date, wait: boolean): Promise<PendingChunk[]>;
  /**
   * Stores the embeddings of a chunk's passages and removes it from the queue; skips chunks that changed or were deleted. Throws like
   * `requireDimensions`, with nothing stored.
   */
  store(
    model: string,
    done: readonly { chunk: PendingChunk; passages: readonly Embedding[] }[],
  ): Promise<void>;
  /** Releases unfinished claims. */
  release(chunks: readonly PendingChunk[]): Promise<void>;
}
