/** Lines from the terminal, each with the time of its arrival. Lines that nobody waits for are kept. */

interface TypedLine {
  readonly text: string;
  /** In milliseconds, as `performance.now()`. */
  readonly at: number;
}

interface Wait {
  readonly after: number;
  readonly take: (line: TypedLine | null) => void;
}

export class TerminalLines {
  readonly #kept: TypedLine[] = [];
  #wait: Wait | null = null;
  #isOver = false;

  constructor() {
    void this.#read();
  }

  /**
   * The first line that arrived after this time, by default the first one of all; earlier ones are kept for later calls. null at
   * the end of the input, and if the signal aborts.
   */
  async next({
    after = 0,
    until,
  }: {
    after?: number;
    until?: AbortSignal | undefined;
  } = {}): Promise<TypedLine | null> {
    const index = this.#kept.findIndex(({ at }) => at >= after);
    const [line] = index === -1 ? [] : this.#kept.splice(index, 1);
    if (line !== undefined) return line;
    if (this.#isOver || until?.aborted) return null;
    const { promise, resolve } = Promise.withResolvers<TypedLine | null>();
    this.#wait = { after, take: resolve };
    const give = () => this.#give(null);
    until?.addEventListener("abort", give, { once: true });
    return promise.finally(() => until?.removeEventListener("abort", give));
  }

  /** As if the input had ended. */
  end(): void {
    this.#isOver = true;
    this.#give(null);
  }

  async #read(): Promise<void> {
    for await (const text of console) {
      const line = { text, at: performance.now() };
      if (this.#wait !== null && line.at >= this.#wait.after) this.#give(line);
      else this.#kept.push(line);
    }
    this.end();
  }

  #give(line: TypedLine | null): void {
    const wait = this.#wait;
    this.#wait = null;
    wait?.take(line);
  }
}
