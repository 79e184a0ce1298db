/** Limits how long a search waits for the embedding model; it can answer without one. */
import { RetainError } from "../core/errors.ts";
import type { Embedder, Paused } from "../core/ports/documents.ts";
import { within } from "../util/within.ts";
import type { RecallWorkspace } from "./ports.ts";

/** Enough to build the embedding model first; an endpoint that takes longer counts as down. */
const PATIENCE_MS = 3_000;
/** Shorter, so that the server's error is reported instead of a timeout. */
const PATIENCE_WITH_ANSWERS_MS = 2_500;

/** Throws `embedding` on timeout. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return within(PATIENCE_MS, work, tooLong);
}

/**
 * The embedder for a search. Throws `embedding` on timeout, with the last error if there was one; at once if it would wait longer
 * than the search; and if its vectors differ in length from the stored ones.
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
      const embeddings = await within(PATIENCE_WITH_ANSWERS_MS, work, () => {
        if (last !== null) throw last;
        return tooLong();
      });
      const [first] = embeddings;
      if (first !== undefined)
        for (const { queue } of workspaces) queue?.requireDimensions(embedder.model, first.vector.length);
      return embeddings;
    },
    close: () => embedder.close(),
  };
}

function tooLong(): never {
  throw new RetainError("embedding", "the embedding model took too long.");
}
