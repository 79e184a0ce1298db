/**
 * The backend that holds memory elsewhere, as this machine uses it: loaded when it is first needed, never waited for beyond a
 * deadline, and left alone for a while after it failed. What is queued is durable, so nothing here has to succeed.
 */

import { messageOf, RetainError } from "../core/errors.ts";
import type {
  BackendDocuments,
  BackendHit,
  BackendMentalModels,
  BackendRetained,
  Delivery,
  Episode,
  MemoryBackend,
  UntimedQuestion,
} from "../core/ports/backend.ts";
import { oneLine } from "../util/text.ts";
import { within } from "../util/within.ts";
import { sanitizeHits } from "./sanitize-hits.ts";

export interface RemoteOptions {
  readonly open: () => Promise<MemoryBackend>;
  /** The directory of what waits for it; null where nothing ever does. */
  readonly spool: () => string | null;
  /** A program's own: whatever it throws is its trouble, and ends nothing here. */
  readonly isOwn: boolean;
  readonly recallTimeoutMs: number;
  /** How long anything else may take. */
  readonly answerMs?: number;
  readonly warn: (message: string) => void;
}

type Ask<T> = (backend: MemoryBackend, signal: AbortSignal) => Promise<T>;

/** A server that is down is not asked again at every question. */
const REST_MS = 30_000;
/** A process that ends does not wait longer for a server. */
const FLUSH_MS = 2_000;
/** Whoever keeps something waits for it, but not for ever. */
const ANSWER_MS = 30_000;

export class Remote {
  #opening: Promise<MemoryBackend> | null = null;
  #restUntil = 0;
  #away: string | null = null;

  constructor(private readonly options: RemoteOptions) {}

  get spool(): string | null {
    return this.options.spool();
  }

  /** Why the last question was answered by this machine alone; null where it was not. */
  get away(): string | null {
    return this.#away;
  }

  backend(): Promise<MemoryBackend> {
    this.#opening ??= this.options.open();
    return this.#opening;
  }

  /** What the backend says nothing of has failed. Throws `remote`, `invalid_config`. */
  async retain(items: Parameters<MemoryBackend["retain"]>[0]): Promise<BackendRetained> {
    const told = { ...NOTHING_TOLD, ...(await this.#asked((backend) => backend.retain(items))) };
    const heard = [...told.stored, ...told.queued, ...told.known, ...told.failed];
    if (heard.length >= items.length) return told;
    const texts = new Set(heard.map(({ text }) => text));
    const lost = items.flatMap(({ content: text }) =>
      texts.has(text) ? [] : [{ text, why: "The backend did not say what became of it." }],
    );
    return { ...told, failed: [...told.failed, ...lost] };
  }

  async #asked<T>(ask: Ask<T>): Promise<T> {
    try {
      return await this.#within(this.options.answerMs ?? ANSWER_MS, ask);
    } catch (error) {
      throw this.#trouble(error);
    }
  }

  /** Throws what is a mistake of ours. */
  #trouble(error: unknown): RetainError {
    if (error instanceof RetainError) return error;
    if (!this.options.isOwn) throw error;
    return new RetainError("remote", `The memory's backend failed (${oneLine(messageOf(error))}).`);
  }

  /** As the backend has them. */
  readonly models: BackendMentalModels = {
    list: () => this.#asked((backend) => requireModels(backend).list()),
    create: (...model) => this.#asked((backend) => requireModels(backend).create(...model)),
    refresh: (id) => this.#asked((backend) => requireModels(backend).refresh(id)),
  };

  readonly forget = (id: string): Promise<boolean> => this.#asked((backend) => backend.forget(id));

  readonly keepEpisode = (episode: Episode): Promise<Delivery> =>
    this.#asked((backend) => backend.sessions.keep(episode));

  readonly documents: Pick<BackendDocuments, "put" | "remove"> = {
    put: (document) => this.#asked(({ documents }) => documents.put(document)),
    remove: (ref) => this.#asked(({ documents }) => documents.remove(ref)),
  };

  /** Only what waits here where it does not answer in time, which is told once until it does again. */
  async fetch(question: UntimedQuestion): Promise<readonly BackendHit[]> {
    const { recallTimeoutMs, warn } = this.options;
    if (performance.now() < this.#restUntil) return this.#waiting(question);
    try {
      const hits = await this.#within(recallTimeoutMs, (backend, signal) =>
        backend.recall({ ...question, signal }),
      );
      this.#away = null;
      return sanitizeHits(hits);
    } catch (error) {
      const trouble = messageOf(this.#trouble(error));
      this.#restUntil = performance.now() + REST_MS;
      if (this.#away === null) warn(`Recalled from this machine alone: ${trouble}`);
      this.#away = trouble;
      return this.#waiting(question);
    }
  }

  async #waiting(question: UntimedQuestion): Promise<readonly BackendHit[]> {
    try {
      return sanitizeHits((await this.backend()).recallWaiting?.(question));
    } catch (error) {
      this.#trouble(error);
      return [];
    }
  }

  /** Sends what waits, where this process has used the backend and it has not just failed to answer. */
  async flush(ms = FLUSH_MS): Promise<void> {
    if (this.#opening !== null && performance.now() >= this.#restUntil)
      await this.#sent(ms, (backend, signal) => backend.flush(signal));
  }

  async send(ms = FLUSH_MS): Promise<void> {
    await this.#sent(ms, (backend, signal) => (backend.retry ?? backend.flush).call(backend, signal));
  }

  async #sent(ms: number, send: Ask<void>): Promise<void> {
    try {
      await this.#within(ms, send);
    } catch (error) {
      this.#trouble(error);
    }
  }

  /** Ends the wait also where the backend does not heed the signal. Throws `remote`, and whatever the backend throws. */
  async #within<T>(ms: number, ask: Ask<T>): Promise<T> {
    const ending = new AbortController();
    return within(ms, ask(await this.backend(), ending.signal), () => {
      ending.abort();
      throw new RetainError("remote", `The memory's backend gave no answer within ${ms / 1000} s.`);
    });
  }

  close(): void {
    void this.#opening?.then((backend) => backend.close()).catch(() => {});
  }
}

const NOTHING_TOLD: BackendRetained = { stored: [], queued: [], known: [], failed: [] };

function requireModels({ models, name }: MemoryBackend): BackendMentalModels {
  if (models === undefined) throw new RetainError("remote", `${name} answers no standing questions.`);
  return models;
}
