/**
 * Wraps a remote backend: loads it on first use, applies deadlines, and backs off after a failure. The queue is durable, so nothing
 * here has to succeed.
 */

import { messageOf, RetainError } from "../../core/errors.ts";
import type {
  BackendDocuments,
  BackendEdit,
  BackendHit,
  BackendMentalModels,
  BackendReflection,
  BackendRetained,
  BackendStatement,
  Delivery,
  Episode,
  MemoryBackend,
  UntimedQuestion,
} from "../../core/ports/backend.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, withoutControls, withoutPeriod } from "../../util/text.ts";
import { within } from "../../util/within.ts";
import { sanitizeHits, sanitizeStatement } from "./sanitize-hits.ts";

interface RemoteOptions {
  readonly open: () => Promise<MemoryBackend>;
  /** The directory of its pending data; null if it queues nothing. */
  readonly spool: () => string | null;
  /** The program's own backend. Its exceptions become `remote` errors. */
  readonly isOwn: boolean;
  readonly recallTimeoutMs: number;
  /** Time limit for other calls. */
  readonly answerMs?: number;
  readonly warn: (message: string) => void;
}

type Ask<T> = (backend: MemoryBackend, signal: AbortSignal) => Promise<T>;

/** Back-off after a failure, so that not every query waits for a server that is down. */
const REST_MS = 30_000;
/** How long an exiting process waits for a server. */
const FLUSH_MS = 2_000;
/** Time limit for saving. */
const ANSWER_MS = 30_000;
/** A model on the server writes the answer. */
const REFLECT_MS = 60_000;
const SAVE_INSTEAD = "Save the new text with retain, then forget the old one.";

export class Remote {
  #opening: Promise<MemoryBackend> | null = null;
  #restUntil = 0;
  #away: string | null = null;
  /** How many items were sent before the outage that was reported; null if none is. */
  #sentBefore: number | null = null;

  constructor(private readonly options: RemoteOptions) {}

  get spool(): string | null {
    return this.options.spool();
  }

  /** Why the last recall used only this machine's memory; null if it used the backend. */
  get away(): string | null {
    return this.#away;
  }

  /** It failed a moment ago, so recalls don't ask it. */
  get isResting(): boolean {
    return performance.now() < this.#restUntil;
  }

  backend(): Promise<MemoryBackend> {
    this.#opening ??= this.options.open();
    return this.#opening;
  }

  /** Items that the backend's result doesn't mention count as failed. Throws `remote`, `invalid_config`. */
  async retain(items: Parameters<MemoryBackend["retain"]>[0]): Promise<BackendRetained> {
    const answer = { ...EMPTY_RESULT, ...(await this.#asked((backend) => backend.retain(items))) };
    const isDelayed = answer.queued.length > 0 && (await this.#health()).outage !== null;
    const result = isDelayed
      ? { ...answer, queued: answer.queued.map((item) => ({ ...item, isDelayed }) as const) }
      : answer;
    const reported = [...result.stored, ...result.queued, ...result.known, ...result.failed];
    if (reported.length >= items.length) return result;
    const texts = new Set(reported.map(({ text }) => text));
    const lost = items.flatMap(({ content: text }) =>
      texts.has(text) ? [] : [{ text, why: "The backend did not report a result." }],
    );
    return { ...result, failed: [...result.failed, ...lost] };
  }

  async #asked<T>(ask: Ask<T>, ms = ANSWER_MS): Promise<T> {
    try {
      return await this.#within(this.options.answerMs ?? ms, ask);
    } catch (error) {
      throw this.#trouble(error);
    }
  }

  /** Rethrows our own bugs. */
  #trouble(error: unknown): RetainError {
    if (error instanceof RetainError) return error;
    if (!this.options.isOwn) throw error;
    return new RetainError("remote", `The memory backend failed (${oneLine(messageOf(error))}).`);
  }

  /** Mental models that the server answers. */
  readonly models: BackendMentalModels = {
    list: () => this.#asked((backend) => requireModels(backend).list()),
    create: (...model) => this.#asked((backend) => requireModels(backend).create(...model)),
    refresh: (id) => this.#asked((backend) => requireModels(backend).refresh(id)),
  };

  readonly forget = (id: string): Promise<boolean> => this.#asked((backend) => backend.forget(id));

  /** Without text if the backend cannot read a single statement; then only `forget` tells whether there is one. */
  readonly statement = (id: string): Promise<BackendStatement | null> =>
    this.#asked(async (backend) => {
      if (backend.statement === undefined) return { id, text: "" };
      const found = await backend.statement(id);
      return found === null ? null : sanitizeStatement(found);
    });

  readonly edit = (id: string, text: string): Promise<BackendEdit | null> =>
    this.#asked((backend) => {
      if (backend.edit === undefined)
        throw new RetainError("remote", `${backend.name} cannot change a memory.`, SAVE_INSTEAD);
      return backend.edit(id, text);
    });

  /** null if the backend has no model of its own. */
  async reflect(query: string, signal?: AbortSignal): Promise<BackendReflection | null> {
    const reflection = await this.#asked(async (backend, late) => {
      const ending = signal === undefined ? late : AbortSignal.any([late, signal]);
      return (await backend.reflect?.(query, ending)) ?? null;
    }, REFLECT_MS);
    if (reflection === null) return null;
    const { answer, sources } = reflection;
    if (answer.trim() === "") throw new RetainError("remote", "The memory backend sent an empty answer.");
    const shown = sources.map((source) => ({ ...source, ...sanitizeStatement(source) }));
    return { answer: withoutControls(answer).trim(), sources: shown };
  }

  readonly keepEpisode = (episode: Episode): Promise<Delivery> =>
    this.#asked((backend) => backend.sessions.keep(episode));

  readonly removeSession = (session: string): Promise<void> =>
    this.#asked((backend) => backend.sessions.remove(session));

  readonly documents: BackendDocuments = {
    put: (document) => this.#asked(({ documents }) => documents.put(document)),
    remove: (ref) => this.#asked(({ documents }) => documents.remove(ref)),
  };

  /**
   * If the backend does not answer in time, returns only pending items, and warns once until it answers again. `spentMs` of the time
   * limit have already passed.
   */
  async fetch(question: UntimedQuestion, spentMs = 0): Promise<readonly BackendHit[]> {
    const { recallTimeoutMs, warn } = this.options;
    if (this.isResting) return this.#waiting(question);
    try {
      const hits = await this.#within(Math.max(0, recallTimeoutMs - spentMs), (backend, signal) =>
        backend.recall({ ...question, signal }),
      );
      this.#away = null;
      return sanitizeHits(hits);
    } catch (error) {
      const trouble = messageOf(this.#trouble(error));
      this.#restUntil = performance.now() + REST_MS;
      if (this.#away === null) warn(`Recalled from this machine only: ${trouble}`);
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

  /** For a chat: an outage, once, and its end, once. */
  async news(): Promise<{ readonly level: "info" | "warning"; readonly text: string } | null> {
    if (this.#opening === null) return null;
    const { outage, sent } = await this.#health();
    if (outage !== null) {
      if (this.#sentBefore !== null) return null;
      this.#sentBefore = sent;
      const cause = withoutPeriod(outage);
      const text = `The memory server cannot be used: ${cause}. New memories are queued on this machine and sent later.`;
      return { level: "warning", text };
    }
    if (this.#sentBefore === null) return null;
    const count = sent - this.#sentBefore;
    this.#sentBefore = null;
    this.#away = null;
    this.#restUntil = 0;
    const done = count === 0 ? "." : `: ${plural(count, "memory", "memories")} sent.`;
    return { level: "info", text: `Memory server is back${done}` };
  }

  /**
   * Why the server cannot be used, or null, and how many items were sent. A successful upload ends an outage that only recall
   * noticed. Never throws: what is queued is stored, whatever the status says.
   */
  async #health(): Promise<{ readonly outage: string | null; readonly sent: number }> {
    try {
      const { problem } = await this.#asked((backend) => backend.status());
      const { sent = 0 } = await this.backend();
      const hasSent = this.#sentBefore !== null && sent > this.#sentBefore;
      return { outage: problem ?? (hasSent ? null : this.#away), sent };
    } catch (error) {
      this.#trouble(error);
      return { outage: this.#away, sent: this.#sentBefore ?? 0 };
    }
  }

  /** Sends pending items, if this process has used the backend and the backend hasn't just failed. */
  async flush(ms = FLUSH_MS): Promise<void> {
    if (this.#opening !== null && !this.isResting)
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

  /** Times out even if the backend ignores the signal. Throws `remote`, and the backend's errors. */
  async #within<T>(ms: number, ask: Ask<T>): Promise<T> {
    const ending = new AbortController();
    return within(ms, ask(await this.backend(), ending.signal), () => {
      ending.abort();
      throw new RetainError("remote", `The memory backend did not answer within ${Math.round(ms) / 1000} s.`);
    });
  }

  close(): void {
    void this.#opening?.then((backend) => backend.close()).catch(() => {});
  }
}

const EMPTY_RESULT: BackendRetained = { stored: [], queued: [], known: [], failed: [] };

function requireModels({ models, name }: MemoryBackend): BackendMentalModels {
  if (models === undefined) throw new RetainError("remote", `${name} does not support mental models.`);
  return models;
}
