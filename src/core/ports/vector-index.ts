/**
 * The port for vector indexes: the scan on this machine, and a hosted index that several machines share. Ids are derived from
 * content, so they survive a rebuild and are the same on every machine.
 */

import { sha256 } from "../../util/hash.ts";
import type { Kind, Trust } from "../memory.ts";
import type { MemoryFilter } from "./search.ts";

/** The kinds that a hosted index gets; documents and notes stay on this machine. */
export const SHARED_KINDS = ["fact", "summary", "message"] as const satisfies readonly Kind[];

/** Characters of the content hash in an id: short enough to type, and no two of a billion memories share one by chance. */
export const ID_HASH_LENGTH = 20;
const ID = new RegExp(`^(?:${SHARED_KINDS.join("|")}):[0-9a-f]{${ID_HASH_LENGTH}}$`);

/** Identical chunks have the same hash and share vectors. */
export function chunkHash(heading: string, text: string): string {
  return sha256(`${heading}\0${text}`);
}

/** The id of a chunk's vectors; `hash` is the chunk's content hash. */
export function vectorId(kind: Kind, hash: string): string {
  return `${kind}:${hash.slice(0, ID_HASH_LENGTH)}`;
}

export function isVectorId(id: string): boolean {
  return ID.test(id);
}

/** Enough to remove a chunk's vectors. */
export interface VectorRef {
  readonly id: string;
  /** The number of passages, each with one vector. */
  readonly passages: number;
}

/** What an index stores next to a vector, so that a machine without the memory can show it. */
export interface VectorMetadata {
  readonly type: Kind;
  readonly session_id: string | null;
  readonly title: string | null;
  /** When it was said or written, in ms. A number, since Upstash compares only numbers. */
  readonly date: number | null;
  readonly category: string | null;
  /** The text: of the fact, the summary or the message. */
  readonly fact: string;
  /** "" for the workspace itself. */
  readonly chat: string;
  readonly tags: readonly string[];
  readonly trust: Trust;
  /** A fact's last day. */
  readonly until: string | null;
}

export interface VectorPassage {
  readonly text: string;
  /** null if the index embeds the text itself. */
  readonly vector: Float32Array | null;
}

export interface VectorMemory {
  readonly id: string;
  readonly passages: readonly VectorPassage[];
  readonly about: VectorMetadata;
}

export interface VectorQuestion extends VectorPassage {
  /** null: all kinds. */
  readonly kinds: readonly Kind[] | null;
  /** Time range, in ms, inclusive. */
  readonly since: number | null;
  readonly until: number | null;
  readonly limit: number;
}

export interface VectorHit {
  readonly id: string;
  /** Of the nearest passage. */
  readonly cosine: number;
  /** null if the index stores none: then the memory is on this machine. */
  readonly about: VectorMetadata | null;
}

/** One scope's vectors. Every method throws `remote` (see `VectorIndexFailure`) if a server fails, and may be repeated. */
export interface VectorIndex {
  /** Replaces the vectors of these ids. */
  upsert(memories: readonly VectorMemory[], signal: AbortSignal): Promise<void>;
  /** Ids without vectors are ignored. */
  remove(refs: readonly VectorRef[], signal: AbortSignal): Promise<void>;
  /** Best first, each memory once. */
  nearest(question: VectorQuestion, signal: AbortSignal): Promise<readonly VectorHit[]>;
}

/** What a server's error says about another attempt. */
export interface VectorIndexFailure {
  /** The same request may work later. */
  readonly isPassing?: true;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number;
}

/** One workspace's chunks as a hosted index gets them. */
export interface SharedChunks {
  /** The ids of all chunks that belong on the index, newest first, each with a fingerprint of the metadata that can change. */
  wanted(): Map<string, string>;
  /**
   * The chunks to send, in this order. Leaves out chunks with secrets or private text, and, if `model` is the embedding model of
   * this machine, chunks that are not embedded yet. `model` null: the index embeds.
   */
  read(ids: readonly string[], model: string | null): VectorMemory[];
  /** How many of these chunks `read` returns, without their vectors. */
  sendable(ids: readonly string[], model: string | null): number;
  /** The chunks here that have these ids and pass the filter. */
  find(ids: readonly string[], filter: MemoryFilter): { readonly id: string; readonly chunkId: number }[];
  /** Which of these ids are here, whatever a filter says. */
  known(ids: readonly string[]): Set<string>;
  /** Changes whenever `wanted` or `read` may return something else. */
  revision(): string;
  /** The mark from the last `settle`; null if there is none, as after the loss of `retain.db`. */
  settled(): string | null;
  /** Remembers that the index was up to date. */
  settle(mark: string): void;
}
