/**
 * Sends spool entries to the server in order: items in batches, removals one by one. The response decides whether an entry is
 * refused or retried later. A batch refused for its content is halved until the bad item is found.
 */
import { messageOf } from "../../core/errors.ts";
import { withoutPeriod } from "../../util/text.ts";
import type { Sender, SpoolEntry, Verdict } from "../spool/entry.ts";
import { type Failure, type HindsightClient, segment } from "./client.ts";
import { conversationOf, uuidOf } from "./document-ids.ts";
import type { Learning } from "./learning.ts";
import type { Operations } from "./operations.ts";
import { halvesOf } from "./parts.ts";
import { ANYTHING, RETAINED, type WireItem } from "./protocol.ts";
import { type Queued, readQueued } from "./queued.ts";
import { documentIds } from "./remote-documents.ts";

/** The server responds before it extracts memories, so this is ample. */
const WRITE_MS = 30_000;

/** In characters. Some proxies close the connection on a large request instead of answering 413. */
const LARGEST_REQUEST = 1_000_000;

interface Parcel {
  /** The entry's item, or a part of it. */
  readonly item: WireItem;
  readonly entry: SpoolEntry;
}

const DONE: Verdict = { kind: "done" };

/** The banks whose mission this process has sent. */
const introduced = new Set<string>();

export class HindsightSender implements Sender {
  constructor(
    private readonly client: HindsightClient,
    /** The bank's purpose; empty to leave it to the server. */
    private readonly mission: string,
    private readonly learning: Learning,
    private readonly operations: Operations,
  ) {}

  async send(entries: readonly SpoolEntry[], signal: AbortSignal): Promise<readonly Verdict[]> {
    await this.#introduce(signal);
    const verdicts: Verdict[] = [];
    for (const group of inGroups(entries)) {
      const last = verdicts.at(-1);
      if (last?.kind === "later") verdicts.push(...group.map(() => last));
      else verdicts.push(...(await this.#sendGroup(group, signal)));
    }
    return verdicts;
  }

  async #sendGroup(group: readonly Read[], signal: AbortSignal): Promise<Verdict[]> {
    const parcels = group.flatMap(({ queued, entry }) =>
      queued?.kind === "send" ? [{ item: queued.item, entry }] : [],
    );
    if (parcels.length === group.length) return this.#retain(parcels, signal);
    const queued = group[0]?.queued ?? null;
    if (queued === null || queued.kind === "send")
      return [{ kind: "refused", why: "the file is not one that Retain wrote" }];
    return [await this.#remove(queued.document_id, queued.kind === "remove-session", signal)];
  }

  /** Once per process; a failure doesn't stop sending. */
  async #introduce(signal: AbortSignal): Promise<void> {
    const { bankUrl } = this.client;
    if (this.mission === "" || introduced.has(bankUrl)) return;
    const reply = await this.#put(signal);
    if (reply.ok || isAboutContent(reply)) introduced.add(bankUrl);
  }

  #put(signal: AbortSignal) {
    const body = this.mission === "" ? {} : { reflect_mission: this.mission };
    return this.client.call({ method: "PUT", path: "", body, answer: ANYTHING, signal, withinMs: WRITE_MS });
  }

  async #retain(parcels: readonly Parcel[], signal: AbortSignal): Promise<Verdict[]> {
    const failure = await this.#post(parcels, signal);
    if (failure === null) return parcels.map(() => DONE);
    if (!isAboutContent(failure)) return parcels.map(() => later(failure, this.client));
    const [only, ...others] = parcels;
    if (only !== undefined && others.length === 0) return [await this.#retainOne(only, failure, signal)];
    const middle = Math.ceil(parcels.length / 2);
    const first = await this.#retain(parcels.slice(0, middle), signal);
    const rest = parcels.slice(middle);
    const last = first.at(-1);
    if (last?.kind === "later") return [...first, ...rest.map(() => last)];
    return [...first, ...(await this.#retain(rest, signal))];
  }

  /** Splits a conversation that is too large; it counts as sent once all parts have arrived. */
  async #retainOne({ item, entry }: Parcel, failure: Failure, signal: AbortSignal): Promise<Verdict> {
    if (failure.status === SHORT) return { kind: "again", why: `the server ${failure.why}` };
    const halves = failure.status === 413 ? halvesOf(item) : null;
    if (halves === null) return { kind: "refused", why: refusal(failure, item) };
    for (const half of halves) {
      const [verdict = DONE] = await this.#retain([{ item: half, entry }], signal);
      if (verdict.kind !== "done") return verdict;
    }
    return DONE;
  }

  /** null if the server accepted everything. */
  async #post(parcels: readonly Parcel[], signal: AbortSignal): Promise<Failure | null> {
    const operation = uuidOf([this.client.bankUrl, parcels.map(identity)]);
    const failure = await this.#postOnce(parcels, operation, signal);
    if (failure?.status === 404) {
      const made = await this.#put(signal);
      return made.ok ? this.#postOnce(parcels, operation, signal) : failure;
    }
    // The operation id is taken by another operation or one that accepted less: document ids make it safe to send without one.
    const isConfused = failure?.status === 409 || (failure?.status === SHORT && parcels.length === 1);
    return isConfused ? this.#postOnce(parcels, null, signal) : failure;
  }

  async #postOnce(
    parcels: readonly Parcel[],
    operation: string | null,
    signal: AbortSignal,
  ): Promise<Failure | null> {
    const items = parcels.map(({ item }) => item);
    const body = { items, async: true, ...(operation === null ? {} : { operation_id: operation }) };
    const call = { method: "POST", path: "/memories", body, answer: RETAINED, withinMs: WRITE_MS } as const;
    const reply = await this.client.call({ ...call, signal });
    if (!reply.ok) return reply;
    const { success, items_count, operation_id } = reply.value;
    if (success && items_count >= items.length) {
      for (const item of items) this.learning.add(item);
      const started = operation_id ?? operation;
      if (started !== null)
        this.operations.accepted(
          started,
          parcels.map(({ entry }) => entry),
        );
      return null;
    }
    const why = `accepted ${success ? items_count : 0} of ${items.length}`;
    return { ok: false, status: SHORT, why, hint: "", retryAfterMs: null };
  }

  /** 404 counts as removed. */
  async #remove(documentId: string, withStretches: boolean, signal: AbortSignal): Promise<Verdict> {
    const all = [documentId];
    if (withStretches) {
      const beginning = `${documentId}#`;
      try {
        all.push(...(await documentIds(this.client, beginning, WRITE_MS, signal)));
      } catch (error) {
        return { kind: "later", why: withoutPeriod(messageOf(error)) };
      }
    }
    const isMeant = (id: string) => (withStretches ? conversationOf(id) : id) === documentId;
    this.operations.remove(({ key }) => isMeant(key));
    for (const { document_id } of this.learning.items())
      if (isMeant(document_id)) this.learning.drop(document_id);
    for (const id of all) {
      const path = `/documents/${segment(id)}`;
      const call = { method: "DELETE", path, answer: ANYTHING, withinMs: WRITE_MS, signal } as const;
      const reply = await this.client.call(call);
      if (reply.ok || reply.status === 404) continue;
      return reply.status === 400 || reply.status === 422
        ? { kind: "refused", why: refusal(reply, null) }
        : later(reply, this.client);
    }
    return DONE;
  }
}

/** Not an HTTP status: the server accepted fewer items than were sent. */
const SHORT = 299;

function isAboutContent({ status }: Failure): boolean {
  return status === 400 || status === 413 || status === 422 || status === SHORT;
}

function refusal({ status, why }: Failure, item: WireItem | null): string {
  if (status === 413 && item !== null) {
    const size = Math.ceil(Buffer.byteLength(item.content) / 1000);
    return `it is too large for the server (${size} KB)`;
  }
  return `the server ${why}`;
}

function later({ why, retryAfterMs }: Failure, { origin }: HindsightClient): Verdict {
  const told = `the server at ${origin} ${why}`;
  return retryAfterMs === null ? { kind: "later", why: told } : { kind: "later", why: told, retryAfterMs };
}

interface Read {
  /** null if Retain didn't write it. */
  readonly queued: Queued | null;
  readonly entry: SpoolEntry;
}

/** The time distinguishes a retry from the same text sent again; the tries, a retry from an operation that failed. */
function identity({ item, entry: { queuedAt, tries = 0 } }: Parcel) {
  return tries === 0 ? { item, queuedAt } : { item, queuedAt, tries };
}

/** Consecutive items form one request, up to its size limit. */
function inGroups(entries: readonly SpoolEntry[]): Read[][] {
  const groups: Read[][] = [];
  let room = 0;
  for (const entry of entries) {
    const read = { queued: readQueued(entry), entry };
    const length = read.queued?.kind === "send" ? read.queued.item.content.length : Number.POSITIVE_INFINITY;
    if (length <= room) groups.at(-1)?.push(read);
    else {
      groups.push([read]);
      room = length === Number.POSITIVE_INFINITY ? 0 : LARGEST_REQUEST;
    }
    room -= length;
  }
  return groups;
}
