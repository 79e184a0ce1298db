/** Waiting, but not for longer than so many ms, or than somebody wants. What becomes of the work then is nobody's concern. */

/** What the work comes to; where that takes longer, what `late` returns or throws. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, timeUp.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the work comes to; where the signal ends the wait before, what `stopped` returns or throws. */
export async function unlessAborted<T, S>(
  signal: AbortSignal | undefined,
  work: Promise<T>,
  stopped: () => S,
): Promise<T | S> {
  if (signal === undefined) return work;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const stop = () => resolve();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    // The signal first: who has stopped is not told what came all the same.
    return await Promise.race([
      aborted.then(stopped),
      work.then((done) => (signal.aborted ? stopped() : done)),
    ]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
