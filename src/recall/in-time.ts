/** A search waits for the model, but not for long: it can answer without. */
import { RetainError } from "../core/errors.ts";
import type { Embedder, Paused } from "../core/ports/documents.ts";
import { within } from "../util/within.ts";
import type { RecallWorkspace } from "./ports.ts";

/** Enough for a model that is built first; an endpoint that takes longer is as good as gone. */
const PATIENCE_MS = 3_000;
/** Less than that, so that what a server answered is told rather than that time is up. */
const PATIENCE_WITH_ANSWERS_MS = 2_500;

/** Throws `embedding` where it takes too long. */
export function inTime<T>(work: Promise<T>): Promise<T> {
  return within(PATIENCE_MS, work, tooLong);
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
      const vectors = await within(PATIENCE_WITH_ANSWERS_MS, work, () => {
        if (last !== null) throw last;
        return tooLong();
      });
      const [first] = vectors;
      if (first !== undefined)
        for (const { queue } of workspaces) queue?.requireDimensions(embedder.model, first.length);
      return vectors;
    },
    close: () => embedder.close(),
  };
}

function tooLong(): never {
  throw new RetainError("embedding", "the embedding model took too long.");
}
