/** Counts changes to the memory's files, by any program, while a browser listens. */
import type { Retain } from "../../app.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { type Watcher, watchEver } from "../../files/watch/watcher.ts";
import type { StreamEvent, Unsubscribe } from "./streams.ts";

/** How often the page looks for changes where files can't be watched. */
const LOOK_MS = 2_000;

export class Changes {
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  #watcher: Watcher | null = null;
  #looking: ReturnType<typeof setInterval> | null = null;
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
    if (this.#looking !== null) clearInterval(this.#looking);
    this.#looking = null;
  }

  #watch(): Watcher {
    const { retain } = this;
    // Files may have changed while nothing watched them.
    this.#revision++;
    return watchEver(
      () => [...retain.index.directories({ missing: true }), retain.routes.conversations],
      async () => this.#changed(),
      (directory, cause) => this.#look(directory, cause),
    );
  }

  #changed(): void {
    this.#revision++;
    for (const send of this.#listeners) send(this.#event());
  }

  /** A machine has only so many watchers. */
  #look(directory: string, cause: unknown): void {
    if (this.#looking !== null) return;
    const problem = `Cannot watch ${directory} (${messageOf(cause)}), so the page polls every two seconds.`;
    this.report(new RetainError("io", problem));
    this.#looking = setInterval(() => this.#changed(), LOOK_MS);
  }

  #event(): StreamEvent {
    const revision = String(this.#revision);
    return { id: revision, event: "revision", data: revision };
  }
}
