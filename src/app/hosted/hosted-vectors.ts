/**
 * Vectors on an Upstash index that several machines share. This machine's memory works without it: recall asks it besides the local
 * index, with a deadline, and a process sends what is new when it ends. Nothing here has to succeed.
 */
import type { LocalWorkspace } from "../../backends/local.ts";
import { busy, type UploadPlan, type UploadStatus } from "../../backends/vectors/uploads.ts";
import { RetainError } from "../../core/errors.ts";
import { command, hint, option } from "../../core/hint.ts";
import type { BackendStatement } from "../../core/ports/backend.ts";
import type { Embedder } from "../../core/ports/documents.ts";
import { isVectorId, SHARED_KINDS, type VectorIndexFailure } from "../../core/ports/vector-index.ts";
import { shareableText } from "../../core/secrets/shareable.ts";
import { embedPending } from "../../recall/embed-pending.ts";
import { inTime } from "../../recall/in-time.ts";
import type { AskHosted, HostedHits } from "../../recall/ports.ts";
import { backoff } from "../../util/backoff.ts";
import { plural } from "../../util/in-words.ts";
import { sleep } from "../../util/sleep.ts";
import { within } from "../../util/within.ts";
import { sanitizeStatement } from "../remote/sanitize-hits.ts";
import type { WiringOptions } from "../wiring-options.ts";
import { sortHits } from "./hosted-hits.ts";
import { addressOf, type HostedScope, hostedScope, requireFit } from "./hosted-scope.ts";

interface HostedParts {
  readonly options: WiringOptions;
  workspaces(): readonly LocalWorkspace[];
  /** The embedding model of this machine; null if there is none. */
  embedder(): Embedder | null;
  /** Indexes changed memory files and conversations. false if the index is incomplete, as while another process rebuilds it. */
  sync(local: LocalWorkspace): Promise<boolean>;
}

export interface HostedStatus extends UploadStatus {
  readonly namespace: string;
  /** The index's host; "" if it cannot be used. */
  readonly host: string;
}

interface BackfillWatch {
  /** Called before the first upload, with the cost. */
  begin?(plan: UploadPlan & { readonly host: string }): void;
  progress?(vectors: number): void;
  /** Called when the server asks to wait or fails for a moment: why, and for how long. */
  paused?(cause: Error, ms: number): void;
}

/** Passages to ask for: enough to choose from. */
const MOST_HITS = 50;
/** Attempts of an upload without progress, and the pause between two. */
const MOST_ATTEMPTS = 5;
const LONGEST_WAIT_MS = 60_000;
/** Back-off after a failure, so that not every question waits for a server that is down. */
const REST_MS = 30_000;
/** How long an ending process sends. */
const FLUSH_MS = 2_000;
/** An ending process embeds new memories, but not a large backlog. */
const MOST_EMBEDDED = 16;
const UNUSABLE = { namespace: "", host: "", stored: 0, toSend: 0, toDelete: 0, nextTry: null };
const LATER = `tries again later. See: ${command("status")}`;
const NOTHING: HostedHits = { here: new Map(), elsewhere: [] };

export class HostedVectors {
  readonly #warned = new Set<string>();
  readonly #scopes = new Map<LocalWorkspace, HostedScope>();
  #queriesDisabled: boolean;

  constructor(private readonly parts: HostedParts) {
    this.#queriesDisabled = parts.options.config.settings.incognito;
  }

  /** From now on no question leaves this machine, for an incognito conversation. */
  disableQueries(): void {
    this.#queriesDisabled = true;
  }

  /** One request for each workspace, all at once. */
  readonly near: AskHosted = async (asked, embedder) => {
    const kinds = SHARED_KINDS.filter((kind) => asked.kinds?.includes(kind) ?? true);
    const text = shareableText(asked.text).trim();
    if (this.#queriesDisabled || kinds.length === 0 || text === "") return () => NOTHING;
    const { since = null, until = null } = asked;
    try {
      const scopes = this.#all();
      const problem = this.#problem(scopes);
      if (problem !== null) return this.#withoutIndex(problem);
      const [embedding] = this.#isEmbeddedHere
        ? await (embedder ?? this.#requireEmbedder()).embed([text])
        : [];
      const question = { text, vector: embedding?.vector ?? null, kinds, since, until, limit: MOST_HITS };
      const found = await this.#inTime((signal) =>
        Promise.all(scopes.map(async ({ index }) => (await index()).nearest(question, signal))),
      );
      this.#warned.clear();
      for (const { uploads } of scopes) uploads.worked();
      return (filter) => sortHits(scopes, found.flat(), filter, this.parts.options.clock());
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      if (error.code === "remote") this.#failed(error);
      return this.#withoutIndex(error.message);
    }
  };

  #withoutIndex(problem: string): () => HostedHits {
    this.#warnOnce(`Recalled from this machine only: ${problem}`, problem);
    return () => NOTHING;
  }

  /** Why the index is not asked for a while; null if it is. */
  #problem(scopes: readonly HostedScope[]): string | null {
    return scopes.map(({ uploads }) => uploads.failedWithin(REST_MS)).find((one) => one !== null) ?? null;
  }

  #failed(error: RetainError): void {
    for (const { uploads } of this.#all()) uploads.failed(error);
  }

  /** Sends what is new and deletes what is gone, for a limited time. While a retry is not due, only warns of pending deletions. */
  async flush(ms = FLUSH_MS): Promise<void> {
    if (!this.parts.workspaces().some(({ lock }) => lock.isOpen)) return;
    await this.#send(ms, ({ uploads }) => uploads.pauseLeft === 0, 1);
  }

  /** Like `flush`, but at once and everything. */
  async send(ms = FLUSH_MS): Promise<void> {
    await this.#send(ms, () => true, Number.POSITIVE_INFINITY);
  }

  status(): HostedStatus[] {
    try {
      const host = this.#host;
      return this.#all().map(({ namespace, uploads }) => ({ namespace, host, ...uploads.status() }));
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      return [{ ...UNUSABLE, problem: error.message }];
    }
  }

  /** Throws `invalid_config` if the settings or variables don't fit together. Asks no server. */
  async check(): Promise<void> {
    this.#all();
  }

  /**
   * A memory that another machine sent; without text if the index doesn't answer. null if the index has none with this id, or this
   * machine deleted it. Throws `invalid_config`, and `usage` if this machine has it too.
   */
  async statement(id: string): Promise<BackendStatement | null> {
    if (!isVectorId(id)) return null;
    const scopes = this.#all();
    if (scopes.some(({ chunks }) => chunks.known([id]).size > 0))
      throw new RetainError(
        "usage",
        `${id} is also stored on this machine, under another id.`,
        hint`Find that one: ${command("search")}`,
      );
    if (scopes.some(({ uploads }) => uploads.ownIds().has(id))) return null;
    try {
      const texts = await this.#inTime((signal) =>
        Promise.all(scopes.map(async ({ index }) => (await index()).text(id, signal))),
      );
      const text = texts.find((one) => one !== null) ?? null;
      return text === null ? null : sanitizeStatement({ id, text });
    } catch (error) {
      if (error instanceof RetainError && error.code === "remote") return { id, text: "" };
      throw error;
    }
  }

  /** Deletes a memory that another machine sent, later if the index fails. false if it isn't an id of the index. */
  async forget(id: string): Promise<boolean> {
    if (!isVectorId(id)) return false;
    for (const { uploads } of this.#all()) uploads.disown(id);
    await this.send();
    return true;
  }

  /** Uploads everything. Repeating it continues after an interruption. Throws `invalid_config`, `remote`, `locked`, `io`. */
  async backfill(watch: BackfillWatch = {}, signal = new AbortController().signal): Promise<UploadPlan> {
    const scopes = this.#all();
    for (const { local } of scopes) if (!(await this.parts.sync(local))) throw busy();
    for (const scope of scopes.slice(0, 1))
      await requireFit(scope, signal).catch((error: unknown) => {
        if (error instanceof RetainError && error.code === "remote") this.#failed(error);
        throw error;
      });
    const plan = scopes.map(({ uploads }) => uploads.plan()).reduce(sumOf);
    watch.begin?.({ ...plan, host: this.#host });
    let sent = 0;
    for (const { uploads } of scopes) sent += await this.#uploadAll(uploads, sent, watch, signal);
    return plan;
  }

  /** Waits and continues if the server is busy or fails for a moment. Returns the number of vectors. */
  async #uploadAll(
    uploads: HostedScope["uploads"],
    before: number,
    { progress, paused }: BackfillWatch,
    signal: AbortSignal,
  ): Promise<number> {
    let sent = 0;
    for (let attempt = 1; ; attempt++) {
      const earlier = sent;
      const report = (vectors: number) => {
        sent = earlier + vectors;
        progress?.(before + sent);
      };
      const outcome = await uploads.run({ signal, progress: report, isChecked: true });
      if (outcome === "busy") throw busy();
      if (!(outcome instanceof RetainError)) return sent;
      const { isPassing, retryAfterMs = backoff(attempt) } = outcome as VectorIndexFailure;
      if (sent > earlier) attempt = 0;
      if (!isPassing || attempt === MOST_ATTEMPTS) throw outcome;
      const wait = Math.min(retryAfterMs, LONGEST_WAIT_MS);
      paused?.(outcome, wait);
      await sleep(wait);
    }
  }

  async #send(ms: number, isDue: (scope: HostedScope) => boolean, mostRequests: number): Promise<void> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(), ms);
    try {
      for (const scope of this.#all()) {
        // Memories that are not indexed yet must not count as deleted.
        if (!(await this.parts.sync(scope.local))) continue;
        if (!isDue(scope)) {
          this.#warnOfDeletions(scope);
          continue;
        }
        await this.#embedNew(scope.local);
        let requests = 0;
        const enough = () => requests++ >= mostRequests;
        const outcome = await scope.uploads.run({ signal: ending.signal, enough });
        if (outcome instanceof RetainError) this.#warnOfDelay(scope, outcome);
      }
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      this.#warnOnce(error.message);
    } finally {
      clearTimeout(timer);
    }
  }

  /** So that other machines find a memory soon, although nothing was searched here yet. */
  async #embedNew({ queue }: LocalWorkspace): Promise<void> {
    const embedder = this.#isEmbeddedHere ? this.parts.embedder() : null;
    if (embedder === null) return;
    await queue.useModel(embedder.model);
    const pending = queue.count();
    if (pending === 0 || pending > MOST_EMBEDDED) return;
    await inTime(embedPending(queue, embedder, this.parts.options.clock, { wait: false }));
  }

  #warnOfDelay({ uploads }: HostedScope, { message }: RetainError): void {
    const { toSend, toDelete } = uploads.status();
    const left = [
      ...(toDelete === 0 ? [] : [`${memories(toDelete)} not deleted from it yet`]),
      ...(toSend === 0 ? [] : [`${memories(toSend)} not uploaded yet`]),
    ].join(", ");
    this.#warnOnce(`${message} ${left === "" ? "Retain" : `${left}; Retain`} ${LATER}`);
  }

  #warnOfDeletions({ uploads }: HostedScope): void {
    const { undeleted } = uploads;
    if (undeleted > 0)
      this.#warnOnce(`${memories(undeleted)} not deleted from the Upstash index yet; Retain ${LATER}`);
  }

  /** `about` identifies the problem, whatever it prevented. */
  #warnOnce(text: string, about = text): void {
    if (this.#warned.has(about)) return;
    this.#warned.add(about);
    this.parts.options.warn(text);
  }

  get #isEmbeddedHere(): boolean {
    return this.parts.options.config.settings.upstash_embedding === "local";
  }

  #requireEmbedder(): Embedder {
    const embedder = this.parts.embedder();
    if (embedder !== null) return embedder;
    throw new RetainError(
      "invalid_config",
      "The Upstash index gets its vectors from this machine (upstash_embedding is 'local'), but embedding is off.",
      hint`Let the index embed: ${command("config set", option("global"), "upstash_embedding", "upstash")}. Or turn embedding on: ${command("config set", option("global"), "embedding", "minilm")}`,
    );
  }

  async #inTime<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ms = this.parts.options.config.settings.upstash_timeout_ms;
    const ending = new AbortController();
    return within(ms, ask(ending.signal), () => {
      ending.abort();
      throw new RetainError(
        "remote",
        `The Upstash index at ${this.#host} did not answer within ${ms / 1_000} s.`,
      );
    });
  }

  /** Throws `invalid_config`. */
  #all(): HostedScope[] {
    return this.parts.workspaces().map((local) => {
      const model = this.#isEmbeddedHere ? this.#requireEmbedder().model : null;
      const scope = this.#scopes.get(local) ?? hostedScope(this.parts.options, local, model);
      this.#scopes.set(local, scope);
      return scope;
    });
  }

  /** Throws `invalid_config`. */
  get #host(): string {
    return addressOf(this.parts.options).url.host;
  }
}

function memories(count: number): string {
  return plural(count, "memory", "memories");
}

function sumOf(a: UploadPlan, b: UploadPlan): UploadPlan {
  return {
    memories: a.memories + b.memories,
    vectors: a.vectors + b.vectors,
    toDelete: a.toDelete + b.toDelete,
    requests: a.requests + b.requests,
  };
}

/** Throws `invalid_config` if vectors are only on this machine. */
export function requireHosted(hosted: HostedVectors | null): HostedVectors {
  if (hosted !== null) return hosted;
  throw new RetainError(
    "invalid_config",
    "Vectors are stored only on this machine (vectors = local).",
    hint`To use an Upstash index: ${command("config set", option("global"), "vectors", "upstash")}`,
  );
}
