/** Embeds pending chunks in batches, storing each batch before it takes the next. */

import type { Clock, Embedder, Paused } from "../core/ports/documents.ts";
import type { EmbeddingQueue, PendingChunk } from "../core/ports/search.ts";
import { type Embedding, vectorOnly } from "../core/senses.ts";
import { passagesOf } from "../core/text/chunk.ts";

interface EmbedOptions {
  /** Returns true to stop after the current batch. */
  readonly enough?: () => boolean;
  readonly progress?: (done: number) => void;
  readonly paused?: Paused;
  readonly batch?: number;
  /** Whether to wait for another writer. Default: true. */
  readonly wait?: boolean;
}

interface EmbedOutcome {
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

/** The embedding model reads about this many characters at once. */
const LONGEST_MESSAGE = 800;

async function embedChunks(embedder: Embedder, chunks: readonly PendingChunk[], paused?: Paused) {
  const texts = chunks.map((chunk) => {
    const passages = passagesOf(chunk.heading, chunk.text, chunk.kind === "message");
    return { chunk, passages, whole: chunk.kind === "message" ? wholeOf(passages) : [] };
  });
  const all = texts.flatMap(({ passages, whole }) => [...passages, ...whole]);
  const embeddings = await embedder.embed(all, undefined, paused);
  const take = (count: number) => embeddings.splice(0, count);
  return texts.map(({ chunk, passages, whole }) => {
    const embedded = take(passages.length);
    const [message] = take(whole.length);
    return { chunk, passages: message === undefined ? embedded : withSensesOf(message, embedded) };
  });
}

/** The words of a message mean more next to its other sentences. */
function wholeOf(passages: readonly string[]): string[] {
  const whole = passages.join(" ");
  return passages.length > 1 && whole.length <= LONGEST_MESSAGE ? [whole] : [];
}

function withSensesOf({ senses }: Embedding, passages: readonly Embedding[]): Embedding[] {
  return passages.map(({ vector }, index) => (index === 0 ? { vector, senses } : vectorOnly(vector)));
}
