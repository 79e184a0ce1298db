/** Counts changes of the memory's files, whoever makes them, while a browser listens. */
import type { Retain } from "../../app.ts";
import { type Watcher, watchEver } from "../../files/watch/watcher.ts";
import type { StreamEvent, Unsubscribe } from "./streams.ts";

export class Changes {
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  #watcher: Watcher | null = null;
  #revision = 0;

  constructor(
    private readonly retain: Retain,
    private readonly report: (error: Error) => void,
  ) {}

  /** Sends the current revision at once, and each later one. */
  readonly subscribe = (send: (event: StreamEvent) => void): Unsubscribe => {
    this.#listeners.add(send);
    this.#watcher ??= this.#watch();
    send(this.#event());
    return () => {
      this.#listeners.delete(send);
      if (this.#listeners.size === 0) this.close();
    };
  };

  close(): void {
    this.#watcher?.close();
    this.#watcher = null;
  }

  #watch(): Watcher {
    const { retain } = this;
    // Files may have changed while nothing watched them.
    this.#revision++;
    return watchEver(
      () => [...retain.directories({ missing: true }), retain.conversations],
      async () => {
        this.#revision++;
        for (const send of this.#listeners) send(this.#event());
      },
      (directory, cause) => this.report(new Error(`Cannot watch ${directory}`, { cause })),
    );
  }

  #event(): StreamEvent {
    const revision = String(this.#revision);
    return { id: revision, event: "revision", data: revision };
  }
}
