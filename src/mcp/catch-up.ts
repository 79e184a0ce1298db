/**
 * What clients write gets its vectors a moment later, while nobody waits for an answer, and what is known is read for the next
 * comparison: so the next recall need not make them, and the next fact is compared with vectors instead of texts. A client that
 * goes on writing is not held up by it, as far as it comes to an end some time. Only one run at a time; what it cannot do, a
 * search does later.
 */

/** Long enough for several writes to be done together, shorter than a person's next thought. */
const DELAY_MS = 100;
/** So often it is put off for a client that goes on writing. */
const MOST_DELAYS = 100;

function delay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, DELAY_MS).unref());
}

export class CatchUp {
  #due = false;
  #goesOn = false;
  #running = false;
  #stopped = false;

  constructor(
    private readonly embed: () => Promise<unknown>,
    private readonly report: (error: unknown) => void,
    private readonly moment: () => Promise<unknown> = delay,
  ) {}

  /** Something was written. */
  wrote(): void {
    this.#due = true;
    this.#goesOn = true;
    if (!this.#running && !this.#stopped) void this.#run();
  }

  /** Begins nothing more. What is going on may be broken off: it is taken up again by whoever comes next. */
  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#due && !this.#stopped) {
      await this.#pause();
      if (this.#stopped) return;
      this.#due = false;
      try {
        await this.embed();
      } catch (error) {
        if (!this.#stopped) this.report(error);
      }
    }
    this.#running = false;
  }

  /** Until nothing has been written for a moment. */
  async #pause(): Promise<void> {
    for (let delays = 0; delays < MOST_DELAYS; delays++) {
      this.#goesOn = false;
      await this.moment();
      if (!this.#goesOn || this.#stopped) return;
    }
  }
}
