/** Gives waiting chunks their vectors: a batch at a time, each stored before the next is taken. */
import { passagesOf } from "../core/chunk.ts";
import type { Clock, Embedder, EmbeddingQueue, PendingChunk } from "../core/ports.ts";

export interface EmbedOptions {
  /** Stops taking more once this says so; what was taken is finished. */
  readonly enough?: () => boolean;
  readonly progress?: (done: number) => void;
  readonly batch?: number;
  /** Whether to wait for another writer; by default so. */
  readonly wait?: boolean;
}

export interface EmbedOutcome {
  readonly done: number;
  /** Still waiting, those that another process works on included. */
  readonly left: number;
}

const BATCH = 64;

/** Throws `embedding` where the model cannot be used; what was not done still waits. */
export async function embedPending(
  queue: EmbeddingQueue,
  embedder: Embedder,
  clock: Clock,
  { enough = () => false, progress, batch = BATCH, wait = true }: EmbedOptions = {},
): Promise<EmbedOutcome> {
  await queue.useModel(embedder.model);
  let done = 0;
  while (!enough()) {
    const taken = await queue.take(batch, clock(), wait);
    if (taken.length === 0) break;
    try {
      await queue.store(embedder.model, await embedChunks(embedder, taken));
    } catch (error) {
      await queue.release(taken);
      throw error;
    }
    done += taken.length;
    progress?.(done);
  }
  return { done, left: queue.count() };
}

async function embedChunks(embedder: Embedder, chunks: readonly PendingChunk[]) {
  const passages = chunks.map(({ heading, text }) => passagesOf(heading, text));
  const vectors = await embedder.embed(passages.flat());
  let next = 0;
  return chunks.map((chunk, index) => {
    const count = passages[index]?.length ?? 0;
    next += count;
    return { chunk, vectors: vectors.slice(next - count, next) };
  });
}
