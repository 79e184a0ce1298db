/**
 * What clients write gets its vectors a moment later, while nobody waits for an answer: so the next recall need not make them,
 * and the next fact is compared with vectors instead of texts. Only one run at a time; what it cannot do, a search does later.
 */

/** Long enough for several writes to be done together, shorter than a person's next thought. */
const DELAY_MS = 100;

export class CatchUp {
  #due = false;
  #running = false;
  #stopped = false;

  constructor(
    private readonly embed: () => Promise<unknown>,
    private readonly report: (error: unknown) => void,
    private readonly delayMs = DELAY_MS,
  ) {}

  /** Something was written. */
  wrote(): void {
    this.#due = true;
    if (!this.#running && !this.#stopped) void this.#run();
  }

  /** Begins nothing more. What is going on may be broken off: it is taken up again by whoever comes next. */
  stop(): void {
    this.#stopped = true;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#due && !this.#stopped) {
      await new Promise((resolve) => setTimeout(resolve, this.delayMs).unref());
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
}
