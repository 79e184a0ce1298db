/**
 * Runs work to its end even if its events are no longer read. When the reader goes away, the work is aborted, as with Esc, and still stores
 * what it has. A plain generator would stay suspended at its last event.
 */
import { RetainError } from "../core/errors.ts";
import type { DraftEvent } from "./events.ts";

export async function* runToCompletion<T>(
  work: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const gone = new AbortController();
  const unread: T[] = [];
  let changed = Promise.withResolvers<void>();
  let running = true;
  const done = (async () => {
    try {
      for await (const event of work(AbortSignal.any([signal, gone.signal]))) {
        unread.push(event);
        changed.resolve();
      }
    } finally {
      running = false;
      changed.resolve();
    }
  })();
  // A reader who stays gets the error from `await done`; without one, it must not be an unhandled rejection.
  done.catch(() => {});
  try {
    while (running || unread.length > 0) {
      await changed.promise;
      changed = Promise.withResolvers();
      yield* unread.splice(0);
    }
    await done;
  } finally {
    gone.abort();
    await done.catch(() => {});
  }
}

/** Turns a RetainError into an error event. */
export async function* caught<T>(
  events: AsyncGenerator<DraftEvent, T>,
): AsyncGenerator<DraftEvent, T | "failed"> {
  try {
    return yield* events;
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    yield { type: "error", code: error.code, message: error.message, hint: error.advice ?? null };
    return "failed";
  }
}
