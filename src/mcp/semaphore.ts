/**
 * Lets a few pieces of work in at a time, in the order in which they came. Between two of them everything else gets its turn: a
 * server that has a hundred writes before it still hears that one was cancelled, or that it is to end.
 */
import { setImmediate } from "node:timers/promises";

export class Semaphore {
  readonly #waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.free--;
    try {
      return await work();
    } finally {
      await setImmediate();
      const next = this.#waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
