/**
 * Memory in a bank of a Hindsight server. Everything that is written goes through a durable spool, so that a server that is
 * away costs time and nothing else; everything that is read counts what waits there, and what this process sent a moment ago.
 */
import type { Settings } from "../../config/schema.ts";
import type {
  BackendHit,
  BackendItem,
  BackendQuestion,
  BackendRetained,
  BackendStatus,
  Cleared,
  MemoryBackend,
} from "../../core/backend.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports.ts";
import { plural } from "../../util/text.ts";
import { Spool, type SpoolTiming } from "../spool/spool.ts";
import { type Deadline, HindsightClient } from "./client.ts";
import { DocumentIds } from "./document-ids.ts";
import { HindsightDocuments } from "./documents.ts";
import { Forgetting } from "./forget.ts";
import { Learning } from "./learning.ts";
import { HindsightModels } from "./models.ts";
import { type QueueSettings, queuedItem } from "./queued.ts";
import { HindsightRecall } from "./recall.ts";
import { HindsightSender } from "./sender.ts";
import { HindsightSessions } from "./sessions.ts";

export type HindsightSettings = Pick<
  Settings,
  | "hindsight_key_env"
  | "hindsight_bank_mission"
  | "hindsight_retain_context"
  | "hindsight_recall_timeout_ms"
  | "hindsight_recall_budget"
  | "hindsight_recall_max_tokens"
>;

export interface HindsightOptions {
  readonly url: string;
  /** Empty where the server asks for none. */
  readonly key: string;
  readonly bank: string;
  /** Of the scope: what is kept has them, and what is recalled has one of them or none at all. */
  readonly tags: readonly string[];
  readonly settings: HindsightSettings;
  /** Tells this machine's conversations from others' in the bank. */
  readonly machine?: string;
  /** Of this server's bank alone; projects that share the bank share it. */
  readonly spoolDirectory: string;
  readonly clock: Clock;
  /** Tells a person, in whole sentences. */
  notice(text: string): void;
  /** This process, and whether another one has ended, as `util/process.ts` has them. */
  readonly self: string;
  isGone(holder: string): boolean;
  readonly timing?: SpoolTiming;
  readonly deadline?: Deadline;
}

export class HindsightBackend implements MemoryBackend {
  readonly name = "hindsight";
  readonly documents: HindsightDocuments;
  readonly sessions: HindsightSessions;
  /** Mental models and answers, by the server's own model. */
  readonly models: HindsightModels;
  readonly #client: HindsightClient;
  readonly #spool: Spool;
  readonly #learning: Learning;
  readonly #queue: QueueSettings;
  readonly #recall: HindsightRecall;
  readonly #forgetting: Forgetting;

  constructor(private readonly options: HindsightOptions) {
    const { url, bank, tags, settings, clock, timing, self } = options;
    const now = () => clock().getTime();
    const key = options.key.trim();
    const address = { url, key, bank, keyVariable: settings.hindsight_key_env };
    this.#client = new HindsightClient(address, now, options.deadline);
    this.#learning = new Learning(now);
    this.#spool = new Spool({
      directory: options.spoolDirectory,
      sender: new HindsightSender(this.#client, settings.hindsight_bank_mission, this.#learning),
      notice: (text) => options.notice(text),
      isGone: (holder) => options.isGone(holder),
      to: "Hindsight",
      clock,
      self,
      ...(timing === undefined ? {} : { timing }),
    });
    const [client, spool, learning] = [this.#client, this.#spool, this.#learning];
    this.#queue = {
      ids: new DocumentIds(tags, options.machine),
      tags,
      context: settings.hindsight_retain_context,
    };
    this.documents = new HindsightDocuments(client, spool, this.#queue, learning);
    this.sessions = new HindsightSessions(client, spool, this.#queue, learning);
    this.models = new HindsightModels(client, tags, settings.hindsight_recall_budget);
    this.#recall = new HindsightRecall(client, spool, this.#queue, learning, settings, now);
    this.#forgetting = new Forgetting(client, spool, learning);
    this.#spool.wake();
  }

  async retain(items: readonly BackendItem[]): Promise<BackendRetained> {
    const queued: { id: string; text: string }[] = [];
    const known: { text: string; as: string }[] = [];
    const failed: { text: string; why: string }[] = [];
    const seen = new Set<string>();
    for (const item of items) {
      const text = item.content;
      const entry = queuedItem(item, this.#queue);
      if (text.trim() === "") failed.push({ text, why: "It says nothing." });
      else if (seen.has(entry.key)) known.push({ text, as: entry.key });
      else {
        const why = await this.#add(entry);
        if (why !== null) failed.push({ text, why });
        else queued.push({ id: entry.key, text });
        if (why === null) seen.add(entry.key);
      }
    }
    return { stored: [], queued, known, failed };
  }

  /** Why it could not be made durable; null where it is. */
  async #add(entry: Parameters<Spool["add"]>[0][number]): Promise<string | null> {
    try {
      await this.#spool.add([entry]);
      return null;
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      return messageOf(error);
    }
  }

  recall(question: BackendQuestion): Promise<BackendHit[]> {
    return this.#recall.recall(question);
  }

  /** What waits or was just sent, and matches: for when the server does not answer. Throws `io`. */
  recallWaiting(question: BackendQuestion): BackendHit[] {
    return this.#recall.recallWaiting(question);
  }

  forget(id: string): Promise<boolean> {
    return this.#forgetting.forget(id);
  }

  async flush(signal: AbortSignal): Promise<void> {
    await this.#spool.flush(signal);
  }

  async retry(signal: AbortSignal): Promise<void> {
    try {
      this.#spool.retryStuck();
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
    }
    await this.#spool.flush(signal);
  }

  async status(): Promise<BackendStatus> {
    const { bank } = this.options;
    return { name: this.name, place: `bank ${bank} at ${this.#client.origin}`, ...this.#spool.status() };
  }

  async clear(): Promise<Cleared> {
    const count = this.#spool.clear();
    this.#learning.clear();
    const done =
      count === 0
        ? "Nothing waited here for Hindsight."
        : `${plural(count, "memory", "memories")} that waited for Hindsight ${count === 1 ? "was" : "were"} removed.`;
    const { bankUrl } = this.#client;
    return {
      done: [done],
      left: [
        `What bank ${this.options.bank} holds is on the server: delete it in Hindsight's UI, or with: curl -X DELETE ${bankUrl}`,
      ],
    };
  }

  close(): void {
    this.#spool.close();
  }
}
