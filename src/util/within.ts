/** Waiting, but not for longer than so many ms. What becomes of the work then is nobody's concern. */

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
