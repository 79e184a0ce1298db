/**
 * Memory in a bank on a Hindsight server. All writes go through a durable spool, so that nothing is lost while the server is down.
 * Reads include pending items and items that this process has just sent.
 */
import type { Settings } from "../../config/schema.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import type { RecordIncident } from "../../core/incidents.ts";
import type {
  BackendEdit,
  BackendHit,
  BackendItem,
  BackendQuestion,
  BackendReflection,
  BackendRetained,
  BackendStatement,
  BackendStatus,
  Cleared,
  MemoryBackend,
  ToEmpty,
  UntimedQuestion,
} from "../../core/ports/backend.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { plural } from "../../util/in-words.ts";
import { shellWord } from "../../util/shell-word.ts";
import type { NewEntry } from "../spool/entry.ts";
import type { SpoolTiming } from "../spool/sending.ts";
import { Spool } from "../spool/spool.ts";
import { type Deadline, HindsightClient } from "./client.ts";
import { DocumentIds } from "./document-ids.ts";
import { HindsightDocuments } from "./documents.ts";
import { Emptying } from "./emptying.ts";
import { Forgetting } from "./forget.ts";
import { timeOf } from "./hits.ts";
import { Learning } from "./learning.ts";
import { HindsightMentalModels } from "./models.ts";
import { Operations } from "./operations.ts";
import { REFLECTED } from "./protocol.ts";
import { wireReflection } from "./question.ts";
import { type QueueSettings, queuedItem } from "./queued.ts";
import { HindsightRecall } from "./recall.ts";
import { HindsightSender } from "./sender.ts";
import { HindsightSessions } from "./sessions.ts";
import { Statements } from "./statements.ts";

type HindsightSettings = Pick<
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
  /** Empty if the server requires none. */
  readonly key: string;
  readonly bank: string;
  /** The scope's tags: stored items get all of them; recalled items have one of them, or no tags. */
  readonly tags: readonly string[];
  /** Items with one of these are recalled too. */
  readonly formerTags?: readonly string[];
  readonly settings: HindsightSettings;
  /** Keeps this machine's conversations apart from those of other machines in the bank. */
  readonly machine?: string;
  /** One per bank; projects that share the bank share it. */
  readonly spoolDirectory: string;
  readonly clock: Clock;
  /** Shows full sentences to the user. */
  notice(text: string): void;
  readonly record?: RecordIncident;
  /** This process's name, and whether another process has ended: see `util/process.ts`. */
  readonly self: string;
  isGone(holder: string): boolean;
  readonly timing?: SpoolTiming;
  readonly deadline?: Deadline;
}

/** The server's model searches and writes. */
const REFLECT_MS = 60_000;

export class HindsightBackend implements MemoryBackend {
  readonly name = "hindsight";
  readonly documents: HindsightDocuments;
  readonly sessions: HindsightSessions;
  /** Mental models, answered by the server. */
  readonly models: HindsightMentalModels;
  readonly #client: HindsightClient;
  readonly #spool: Spool;
  readonly #learning: Learning;
  readonly #operations: Operations;
  readonly #queue: QueueSettings;
  readonly #recall: HindsightRecall;
  readonly #statements: Statements;
  readonly #forgetting: Forgetting;
  readonly #emptying: Emptying;

  constructor(private readonly options: HindsightOptions) {
    const { url, bank, tags, settings, clock, timing, self } = options;
    const now = () => clock().getTime();
    const key = options.key.trim();
    const address = { url, key, bank, keyVariable: settings.hindsight_key_env };
    this.#client = new HindsightClient(address, now, options.deadline);
    this.#learning = new Learning(now);
    this.#operations = new Operations(options.spoolDirectory, this.#client, clock);
    this.#spool = new Spool({
      directory: options.spoolDirectory,
      sender: new HindsightSender(
        this.#client,
        settings.hindsight_bank_mission,
        this.#learning,
        this.#operations,
      ),
      notice: (text) => options.notice(text),
      isGone: (holder) => options.isGone(holder),
      to: "Hindsight",
      ...(options.record !== undefined && { record: options.record }),
      clock,
      self,
      ...(timing === undefined ? {} : { timing }),
    });
    const [client, spool, learning] = [this.#client, this.#spool, this.#learning];
    this.#queue = {
      ids: new DocumentIds(tags, options.machine),
      tags,
      read: [...tags, ...(options.formerTags ?? [])],
      context: settings.hindsight_retain_context,
    };
    this.documents = new HindsightDocuments(spool, this.#queue);
    this.sessions = new HindsightSessions(spool, this.#queue, this.#operations);
    this.models = new HindsightMentalModels(client, tags);
    this.#recall = new HindsightRecall({ client, spool, queue: this.#queue, learning, settings, now });
    this.#statements = new Statements(client, spool, learning, this.#queue);
    this.#forgetting = new Forgetting(client, spool, learning, this.#statements, this.#operations);
    this.#emptying = new Emptying(spool, this.#operations, this.#queue);
    this.#spool.wake();
  }

  async retain(items: readonly BackendItem[]): Promise<BackendRetained> {
    const queued = new Map<string, { id: string; text: string }>();
    const known: { text: string; as: string }[] = [];
    const failed: { text: string; why: string }[] = [];
    const entries = items.map((item) => queuedItem(item, this.#queue));
    const said = entries.filter((_, index) => items[index]?.content.trim() !== "");
    const reasons = await this.#add([...new Map(said.map((entry) => [entry.key, entry])).values()]);
    for (const [index, { content: text }] of items.entries()) {
      const key = entries[index]?.key ?? "";
      const why = text.trim() === "" ? "The text is empty." : reasons.get(key);
      if (why !== undefined) failed.push({ text, why });
      else if (queued.has(key)) known.push({ text, as: key });
      else queued.set(key, { id: key, text });
    }
    return { stored: [], queued: [...queued.values()], known, failed };
  }

  /** All at once; if that fails, one by one. Returns the reasons of failed entries by key. */
  async #add(entries: readonly NewEntry[]): Promise<Map<string, string>> {
    try {
      await this.#spool.add(entries);
      return new Map();
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      const [only, ...others] = entries;
      if (only !== undefined && others.length === 0) return new Map([[only.key, messageOf(error)]]);
    }
    const reasons: [string, string][] = [];
    for (const entry of entries) reasons.push(...(await this.#add([entry])));
    return new Map(reasons);
  }

  recall(question: BackendQuestion): Promise<BackendHit[]> {
    return this.#recall.recall(question);
  }

  /** Matching items that are pending or just sent, for when the server doesn't answer. Throws `io`. */
  recallWaiting(question: UntimedQuestion): BackendHit[] {
    return this.#recall.recallWaiting(question);
  }

  forget(id: string): Promise<boolean> {
    return this.#forgetting.forget(id);
  }

  statement(id: string): Promise<BackendStatement | null> {
    return this.#statements.find(id);
  }

  edit(id: string, text: string): Promise<BackendEdit | null> {
    return this.#statements.edit(id, text);
  }

  async reflect(query: string, signal: AbortSignal): Promise<BackendReflection> {
    const { text, based_on } = await this.#client.value({
      method: "POST",
      path: "/reflect",
      body: wireReflection(query, this.#queue.read, this.options.settings),
      answer: REFLECTED,
      signal,
      withinMs: REFLECT_MS,
    });
    const sources = (based_on?.memories ?? []).flatMap(({ id, text: said, occurred_start }) =>
      id ? [{ id, text: said, at: timeOf(occurred_start) }] : [],
    );
    return { answer: text, sources };
  }

  async flush(signal: AbortSignal): Promise<void> {
    await this.#spool.flush(signal);
    await this.#checkOperations(signal, false);
  }

  /** Failed ones are queued again. */
  #checkOperations(signal: AbortSignal, isForAll: boolean): Promise<void> {
    return this.#operations.check(signal, (entries, why) => this.#spool.putBack(entries, why), isForAll);
  }

  async retry(signal: AbortSignal): Promise<void> {
    await this.#checkOperations(signal, true);
    try {
      this.#spool.retryStuck();
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
    }
    await this.#spool.flush(signal);
  }

  async status(): Promise<BackendStatus> {
    const { bank } = this.options;
    return { name: this.name, location: `bank ${bank} at ${this.#client.origin}`, ...this.#spool.status() };
  }

  get sent(): number {
    return this.#spool.sent;
  }

  toEmpty(): ToEmpty {
    return this.#emptying.plan();
  }

  async empty(): Promise<Cleared> {
    const count = this.#emptying.empty();
    const { stays } = this.#emptying.plan();
    this.#learning.clear();
    const done =
      count === 0
        ? "No memories were pending for Hindsight."
        : `Removed ${plural(count, "memory", "memories")} pending for Hindsight.`;
    const { bank, tags, key, settings } = this.options;
    const header = key === "" ? "" : ` -H "Authorization: Bearer $${settings.hindsight_key_env}"`;
    const command = `curl -X DELETE${header} ${shellWord(this.#client.bankUrl)}`;
    return {
      done: [done],
      left: [
        ...stays,
        `The contents of bank ${bank} are on the server: delete them in Hindsight's UI, or with: ${command}`,
        ...(tags.length === 0
          ? []
          : [`That deletes the memory of every project; this project's has the tag ${tags.join(", ")}.`]),
      ],
    };
  }

  close(): void {
    this.#spool.close();
  }
}
