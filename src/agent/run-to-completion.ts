/**
 * Runs work to its end even if nobody reads its events. When the reader goes away, the work is aborted, as with Esc, and still stores
 * what it has. A plain generator would stay suspended at its last event.
 */

export async function* runToCompletion<T>(
  work: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  const gone = new AbortController();
  const told: T[] = [];
  let changed = Promise.withResolvers<void>();
  let running = true;
  const done = (async () => {
    try {
      for await (const event of work(AbortSignal.any([signal, gone.signal]))) {
        told.push(event);
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
    while (running || told.length > 0) {
      await changed.promise;
      changed = Promise.withResolvers();
      yield* told.splice(0);
    }
    await done;
  } finally {
    gone.abort();
    await done.catch(() => {});
  }
}
