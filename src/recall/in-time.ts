/** A search waits for the model, but not for long: it can answer without. */
import { RetainError } from "../core/errors.ts";

/** Enough for a model that is built first; an endpoint that takes longer is as good as gone. */
const PATIENCE_MS = 3_000;

/** Throws `embedding` where it takes too long. */
export async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new RetainError("embedding", "the model takes too long to answer.")),
      PATIENCE_MS,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
