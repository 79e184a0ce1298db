/**
 * Work that comes to its end whoever watches. A reader that goes away stops it, as Esc does, and it still stores what it has: a
 * generator alone would be left standing at its last event.
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
  // Whoever reads to the end is told; who has gone must not bring the process down.
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
