/**
 * Does the work that a write leaves, such as embedding, shortly after the write and while no client waits, so that the next request
 * doesn't have to. While clients keep writing, it waits, up to a limit. Only one run at a time.
 */

/** Long enough to batch several writes, short enough to be done before a person's next question. */
const DELAY_MS = 100;
/** How often a run is put off because a client keeps writing. */
const MOST_DELAYS = 100;

function delay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, DELAY_MS).unref());
}

export class CatchUp {
  #due = false;
  #hasNewWrites = false;
  #running = false;
  #stopped = false;

  constructor(
    private readonly embed: () => Promise<unknown>,
    private readonly report: (error: unknown) => void,
    private readonly moment: () => Promise<unknown> = delay,
  ) {}

  wrote(): void {
    this.#due = true;
    this.#hasNewWrites = true;
    if (!this.#running && !this.#stopped) void this.#run();
  }

  /** Starts no more runs. The current one may be cut off: the next process embeds the rest. */
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

  /** Waits until nothing has been written for a moment. */
  async #pause(): Promise<void> {
    for (let delays = 0; delays < MOST_DELAYS; delays++) {
      this.#hasNewWrites = false;
      await this.moment();
      if (!this.#hasNewWrites || this.#stopped) return;
    }
  }
}
