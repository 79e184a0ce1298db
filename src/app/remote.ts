/**
 * The backend that holds memory elsewhere, as this machine uses it: loaded when it is first needed, never waited for beyond a
 * deadline, and left alone for a while after it failed. What is queued is durable, so nothing here has to succeed.
 */
import type {
  BackendHit,
  BackendModels,
  BackendQuestion,
  Delivery,
  Episode,
  MemoryBackend,
} from "../core/backend.ts";
import { messageOf, RetainError } from "../core/errors.ts";

export interface RemoteOptions {
  readonly open: () => Promise<MemoryBackend>;
  readonly recallTimeoutMs: number;
  readonly warn: (message: string) => void;
}

/** A server that is down is not asked again at every question. */
const REST_MS = 30_000;
/** A process that ends does not wait longer for a server. */
export const FLUSH_MS = 2_000;

export class Remote {
  #opening: Promise<MemoryBackend> | null = null;
  #restUntil = 0;
  #told = false;

  constructor(private readonly options: RemoteOptions) {}

  backend(): Promise<MemoryBackend> {
    this.#opening ??= this.options.open();
    return this.#opening;
  }

  async retain(items: Parameters<MemoryBackend["retain"]>[0]) {
    return (await this.backend()).retain(items);
  }

  /** As the backend has them. */
  readonly models: BackendModels = {
    list: async () => (await this.#models()).list(),
    create: async (...model) => (await this.#models()).create(...model),
    refresh: async (id) => (await this.#models()).refresh(id),
  };

  readonly keepEpisode = async (episode: Episode): Promise<Delivery> =>
    (await this.backend()).sessions.keep(episode);

  /** Only what waits here where it does not answer in time, which is told once until it does again. */
  async fetch(question: Omit<BackendQuestion, "signal">): Promise<readonly BackendHit[]> {
    const { recallTimeoutMs, warn } = this.options;
    const deadline = new Deadline(recallTimeoutMs);
    const asked = { ...question, signal: deadline.signal };
    try {
      const backend = await this.backend();
      if (performance.now() < this.#restUntil) return backend.recallWaiting?.(asked) ?? [];
      const hits = await deadline.wait(backend.recall(asked));
      this.#told = false;
      return hits;
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      this.#restUntil = performance.now() + REST_MS;
      if (!this.#told) warn(`Recalled from this machine alone: ${messageOf(error)}`);
      this.#told = true;
      return this.#waiting(asked);
    } finally {
      deadline.clear();
    }
  }

  async #models(): Promise<BackendModels> {
    const { models, name } = await this.backend();
    if (models === undefined) throw new RetainError("remote", `${name} answers no standing questions.`);
    return models;
  }

  async #waiting(question: BackendQuestion): Promise<readonly BackendHit[]> {
    try {
      return (await this.backend()).recallWaiting?.(question) ?? [];
    } catch (error) {
      if (error instanceof RetainError) return [];
      throw error;
    }
  }

  /** Sends what waits, where this process has used the backend at all. */
  async flush(ms = FLUSH_MS): Promise<void> {
    if (this.#opening !== null) await this.#within(ms, (backend, signal) => backend.flush(signal));
  }

  async send(ms = FLUSH_MS): Promise<void> {
    await this.#within(ms, async (backend, signal) => (backend.retry ?? backend.flush).call(backend, signal));
  }

  async #within(
    ms: number,
    work: (backend: MemoryBackend, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const deadline = new Deadline(ms);
    try {
      await deadline.wait(work(await this.backend(), deadline.signal));
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
    } finally {
      deadline.clear();
    }
  }

  close(): void {
    void this.#opening?.then(
      (backend) => backend.close(),
      () => {},
    );
  }
}

/** Ends a wait also where the other side does not heed the signal. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(private readonly ms: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), ms);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  async wait<T>(work: Promise<T>): Promise<T> {
    const late = new Promise<never>((_, reject) => {
      this.signal.addEventListener("abort", () =>
        reject(new RetainError("remote", `there was no answer within ${this.ms} ms.`)),
      );
    });
    work.catch(() => {});
    return Promise.race([work, late]);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
