/**
 * Recall: the server's results without outdated ones, plus matching items that are pending or just sent. Local matches come first,
 * since they are the newest; the server's ranking is kept.
 */
import type { BackendHit, BackendQuestion, UntimedQuestion } from "../../core/ports/backend.ts";
import type { Spool } from "../spool/spool.ts";
import type { HindsightClient } from "./client.ts";
import { conversationOf } from "./document-ids.ts";
import { hitsOf, passes } from "./hits.ts";
import type { Learning } from "./learning.ts";
import { RECALLED, type WireItem, type WireResult } from "./protocol.ts";
import { isWorthAsking, type RecallSettings, wireQuestion } from "./question.ts";
import { type QueueSettings, readQueued } from "./queued.ts";
import { isVisible } from "./scope-tags.ts";
import { matching } from "./waiting.ts";

/** Pending changes, which make the server's copies outdated. */
interface Changing {
  readonly items: readonly WireItem[];
  readonly outdated: ReadonlySet<string>;
  /** Ids of removed conversations. */
  readonly removed: ReadonlySet<string>;
}

interface RecallParts {
  readonly client: HindsightClient;
  readonly spool: Spool;
  readonly queue: QueueSettings;
  readonly learning: Learning;
  readonly settings: RecallSettings & { readonly hindsight_recall_timeout_ms: number };
  readonly now: () => number;
}

export class HindsightRecall {
  constructor(private readonly parts: RecallParts) {}

  /** Throws `remote`. */
  async recall(question: BackendQuestion): Promise<BackendHit[]> {
    if (!isWorthAsking(question)) return [];
    const { read, ids } = this.parts.queue;
    // Read before asking the server: an item sent in the meantime is then found in at least one of the two.
    const changing = this.#changing();
    // Not every server supports tag groups, so other projects' items are filtered here too.
    const results = (await this.#ask(question)).filter(
      ({ document_id, tags }) => isCurrent(document_id ?? "", changing) && isVisible(tags ?? [], read),
    );
    const learned = new Set(results.map(({ document_id }) => document_id));
    const sent = this.#sent(changing).filter(({ document_id }) => !learned.has(document_id));
    const here = this.#matching([...changing.items, ...sent], question);
    const found = hitsOf(results, ids, read).filter((hit) => passes(hit, question));
    return [...here, ...found].slice(0, question.limit);
  }

  /** Matching items that are pending or just sent, for when the server doesn't answer. Throws `io`. */
  recallWaiting(question: UntimedQuestion): BackendHit[] {
    const changing = this.#changing();
    return this.#matching([...changing.items, ...this.#sent(changing)], question).slice(0, question.limit);
  }

  /** Empty if the bank doesn't exist. */
  async #ask(question: BackendQuestion): Promise<readonly WireResult[]> {
    const { client, queue, settings, now } = this.parts;
    const reply = await client.call({
      method: "POST",
      path: "/memories/recall",
      body: wireQuestion(question, queue.read, settings, now()),
      answer: RECALLED,
      signal: question.signal,
      withinMs: settings.hindsight_recall_timeout_ms,
    });
    if (reply.ok) return reply.value.results;
    if (reply.status === 404) return [];
    throw client.error(reply);
  }

  #sent(changing: Changing): WireItem[] {
    return this.parts.learning.items().filter(({ document_id }) => isCurrent(document_id, changing));
  }

  #matching(items: readonly WireItem[], question: UntimedQuestion): BackendHit[] {
    const { ids, read } = this.parts.queue;
    return matching(items, question.query, ids, read).filter((hit) => passes(hit, question));
  }

  #changing(): Changing {
    const entries = this.parts.spool
      .entries()
      .map((entry) => ({ key: entry.key, queued: readQueued(entry) }));
    return {
      items: entries.flatMap(({ queued }) => (queued?.kind === "send" ? [queued.item] : [])),
      outdated: new Set(entries.map(({ key }) => key)),
      removed: new Set(
        entries.flatMap(({ queued }) => (queued?.kind === "remove-session" ? [queued.document_id] : [])),
      ),
    };
  }
}

function isCurrent(documentId: string, { outdated, removed }: Changing): boolean {
  return !outdated.has(documentId) && !removed.has(conversationOf(documentId));
}
