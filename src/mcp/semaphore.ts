/**
 * Runs a few tasks at a time, in order. It yields to the event loop between two tasks, so that a server with a hundred pending
 * writes still notices a cancellation or its own end.
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
