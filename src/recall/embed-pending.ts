/** Embeds pending chunks in batches, storing each batch before it takes the next. */

import type { Clock, Embedder, Paused } from "../core/ports/documents.ts";
import type { EmbeddingQueue, PendingChunk } from "../core/ports/search.ts";
import { passagesOf } from "../core/text/chunk.ts";

export interface EmbedOptions {
  /** Returns true to stop after the current batch. */
  readonly enough?: () => boolean;
  readonly progress?: (done: number) => void;
  readonly paused?: Paused;
  readonly batch?: number;
  /** Whether to wait for another writer. Default: true. */
  readonly wait?: boolean;
}

export interface EmbedOutcome {
  readonly done: number;
  /** Still pending, including chunks that another process is embedding. */
  readonly left: number;
}

const BATCH = 64;

/** Throws `embedding` if the embedding model fails. Unfinished chunks stay pending. */
export async function embedPending(
  queue: EmbeddingQueue,
  embedder: Embedder,
  clock: Clock,
  { enough = () => false, progress, paused, batch = BATCH, wait = true }: EmbedOptions = {},
): Promise<EmbedOutcome> {
  await queue.useModel(embedder.model);
  let done = 0;
  while (!enough()) {
    const taken = await queue.take(batch, clock(), wait);
    if (taken.length === 0) break;
    try {
      await queue.store(embedder.model, await embedChunks(embedder, taken, paused));
    } catch (error) {
      await queue.release(taken);
      throw error;
    }
    done += taken.length;
    progress?.(done);
  }
  return { done, left: queue.count() };
}

export interface EmbedWatch {
  /** Called once, with the number of pending chunks. */
  begin?(waiting: number): void;
  progress?(done: number): void;
  /** Called when a server asks to wait: why, and for how long. */
  paused?(cause: Error, ms: number): void;
}

export interface EmbedCounts {
  readonly embedded: number;
  /** Still pending: another process is embedding these. */
  readonly waiting: number;
  /** null if embeddings are off. */
  readonly model: string | null;
}

/** Embeds everything pending in all queues. Throws like `embedPending`. */
export async function embedAll(
  queues: readonly EmbeddingQueue[],
  embedder: Embedder | null,
  clock: Clock,
  watch: EmbedWatch,
): Promise<EmbedCounts> {
  const count = () => queues.reduce((sum, queue) => sum + queue.count(), 0);
  if (embedder === null) return { embedded: 0, waiting: count(), model: null };
  for (const queue of queues) await queue.useModel(embedder.model);
  watch.begin?.(count());
  let embedded = 0;
  for (const queue of queues) {
    const before = embedded;
    const progress = (done: number) => watch.progress?.(before + done);
    const paused: Paused = (cause, ms) => watch.paused?.(cause, ms);
    embedded += (await embedPending(queue, embedder, clock, { progress, paused })).done;
  }
  return { embedded, waiting: count(), model: embedder.model };
}

async function embedChunks(embedder: Embedder, chunks: readonly PendingChunk[], paused?: Paused) {
  const passages = chunks.map(({ heading, text, kind }) => passagesOf(heading, text, kind === "message"));
  const vectors = await embedder.embed(passages.flat(), undefined, paused);
  let next = 0;
  return chunks.map((chunk, index) => {
    const count = passages[index]?.length ?? 0;
    next += count;
    return { chunk, vectors: vectors.slice(next - count, next) };
  });
}
