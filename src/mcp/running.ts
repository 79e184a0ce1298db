/** The calls that are going on, so that a server that ends can wait until nothing is being written any more. */
export class Running {
  readonly #calls = new Set<Promise<unknown>>();

  async during<T>(call: Promise<T>): Promise<T> {
    this.#calls.add(call);
    try {
      return await call;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** When every call has come to an end, one way or the other; at the latest after so many ms. */
  async settled(limit: number): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limit);
    await Promise.race([Promise.allSettled(this.#calls), late]);
    clearTimeout(timer);
  }
}
