/** A clock that moves when it is told to. Short pauses, such as those before a retry, pass at once and are written down. */
import type { Timing } from "../../src/llm/timing.ts";

export class FakeTiming implements Timing {
  /** The pauses that passed at once, in milliseconds. */
  readonly pauses: number[] = [];
  #now = Date.parse("2026-03-01T12:00:00Z");
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();

  /** Pauses of more than so many milliseconds last until the clock is moved on. */
  constructor(private readonly atOnce = 60_000) {}

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= this.atOnce) {
      this.pauses.push(ms);
      this.#now += ms;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const sleeper = {
        until: this.#now + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      if (signal.aborted) return resolve();
      signal.addEventListener("abort", sleeper.wake);
      this.#sleepers.add(sleeper);
    });
  }

  /** Whether somebody waits for the clock. */
  get isAwaited(): boolean {
    return this.#sleepers.size > 0;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const { until, wake } of [...this.#sleepers]) if (until <= this.#now) wake();
  }
}
