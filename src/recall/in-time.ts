/** A search waits for the model, but not for long: it can answer without. */
import { RetainError } from "../core/errors.ts";
import type { Embedder, Paused } from "../core/ports.ts";
import type { RecallWorkspace } from "./ports.ts";

/** Enough for a model that is built first; an endpoint that takes longer is as good as gone. */
const PATIENCE_MS = 3_000;
/** Less than that, so that what a server answered is told rather than that time is up. */
const PATIENCE_WITH_ANSWERS_MS = 2_500;

/** Throws `embedding` where it takes too long. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  return race(work, PATIENCE_MS, tooLong);
}

/**
 * The embedder as a search uses it. Throws `embedding` where it takes too long, with the last that went wrong where
 * something did, and at once where it would wait longer than the search does; also where its vectors have another length
 * than those that are stored.
 */
export function forSearch(embedder: Embedder, workspaces: readonly RecallWorkspace[]): Embedder {
  return {
    model: embedder.model,
    async embed(texts, progress) {
      const begun = performance.now();
      let last: Error | null = null;
      let giveUp = (_: Error) => {};
      const hopeless = new Promise<never>((_, reject) => {
        giveUp = reject;
      });
      const paused: Paused = (cause, ms) => {
        last = cause;
        if (performance.now() - begun + ms >= PATIENCE_WITH_ANSWERS_MS) giveUp(cause);
      };
      const work = Promise.race([embedder.embed(texts, progress, paused), hopeless]);
      const vectors = await race(work, PATIENCE_WITH_ANSWERS_MS, () => last ?? tooLong());
      const [first] = vectors;
      if (first !== undefined)
        for (const { queue } of workspaces) queue?.requireDimensions(embedder.model, first.length);
      return vectors;
    },
    close: () => embedder.close(),
  };
}

async function race<T>(work: Promise<T>, patience: number, late: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), patience);
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

function tooLong(): RetainError {
  return new RetainError("embedding", "the model takes too long to answer.");
}
