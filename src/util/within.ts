/** Waits with a timeout or an abort signal; the work itself is not cancelled. */

/** The result of `work`, or on timeout what `late` returns or throws. */
export async function within<T, L>(ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  const { promise: timeUp, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    return await Promise.race([work, timeUp.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`, or on abort what `stopped` returns or throws. */
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
    // The signal comes first, so that an abort wins over a result.
    return await Promise.race([
      aborted.then(stopped),
      work.then((done) => (signal.aborted ? stopped() : done)),
    ]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
