/**
 * Does together what several requests ask for at once or while earlier work is still running: one lock and one flush for all of
 * them.
 */
import { setImmediate } from "node:timers/promises";

interface Waiting<T> {
  readonly one: T;
  readonly done: PromiseWithResolvers<void>;
}

export class Batches<T> {
  readonly #waiting: Waiting<T>[] = [];
  #isRunning = false;

  constructor(
    /** Resolves to one outcome for each: the error if it failed. Rejects if all of them failed. */
    private readonly run: (all: readonly T[]) => Promise<readonly (Error | null)[]>,
    /** What it changes. Two that change the same thing run one after the other. */
    private readonly changes: (one: T) => readonly string[],
  ) {}

  /** Resolves once it is done; rejects with its own error. */
  add(one: T): Promise<void> {
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ one, done });
    if (!this.#isRunning) void this.#runAll();
    return done.promise;
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Other requests have arrived but are not read yet.
      await setImmediate();
      const batch = this.#next();
      try {
        const outcomes = await this.run(batch.map(({ one }) => one));
        for (const [index, { done }] of batch.entries()) {
          const error = outcomes[index] ?? null;
          if (error === null) done.resolve();
          else done.reject(error);
        }
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    this.#isRunning = false;
  }

  /** As many as can run together, in order. */
  #next(): Waiting<T>[] {
    const changed = new Set<string>();
    const conflict = this.#waiting.findIndex(({ one }) => {
      const changes = this.changes(one);
      if (changes.some((name) => changed.has(name))) return true;
      for (const name of changes) changed.add(name);
      return false;
    });
    return this.#waiting.splice(0, conflict === -1 ? this.#waiting.length : conflict);
  }
}
