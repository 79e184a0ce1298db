/**
 * Single memories in a bank. A statement that Retain sent is a document of its own, so new text is sent as a new one and the old one
 * removed. A memory that the server learned is changed in place.
 */
import type { BackendEdit, BackendStatement } from "../../core/ports/backend.ts";
import type { Spool } from "../spool/spool.ts";
import { type HindsightClient, isId, segment } from "./client.ts";
import { isStatement } from "./document-ids.ts";
import type { Learning } from "./learning.ts";
import { ANYTHING, MEMORY, metadataOf, type WireItem } from "./protocol.ts";
import { type QueueSettings, queuedRemoval, readQueued, reworded } from "./queued.ts";
import { documentOf, READ_MS } from "./remote-documents.ts";
import { isVisible } from "./scope-tags.ts";

interface Found extends BackendStatement {
  /** The document it was learned from; for a statement, itself. */
  readonly documentId: string;
}

export class Statements {
  constructor(
    private readonly client: HindsightClient,
    private readonly spool: Spool,
    private readonly learning: Learning,
    private readonly queue: Pick<QueueSettings, "read">,
  ) {}

  /** `id` names a statement or a recalled memory that is visible in this project; null if unknown. Throws `remote`. */
  async find(id: string): Promise<Found | null> {
    if (isStatement(id)) {
      const item = await this.#item(id);
      return item === null ? null : { id, text: item.content, documentId: id };
    }
    if (!isId(id)) return null;
    const path = `/memories/${segment(id)}`;
    const reply = await this.client.call({ method: "GET", path, answer: MEMORY, withinMs: READ_MS });
    if (!reply.ok && isUnknown(reply.status)) return null;
    if (!reply.ok) throw this.client.error(reply);
    const { text, document_id, state, tags } = reply.value;
    if (state === "invalidated" || !isVisible(tags ?? [], this.queue.read)) return null;
    return { id, text: text ?? "", documentId: document_id ?? "" };
  }

  /** Throws `remote`, with nothing changed. */
  async edit(id: string, text: string): Promise<BackendEdit | null> {
    return isStatement(id) ? this.#resend(id, text) : this.#curate(id, text);
  }

  /** Changes a learned memory. false if the server doesn't know it. Throws `remote`. */
  async change(id: string, body: { text: string } | { state: "invalidated"; reason: string }) {
    const path = `/memories/${segment(id)}`;
    const call = { method: "PATCH", path, body, answer: ANYTHING, withinMs: READ_MS } as const;
    const reply = await this.client.call(call);
    if (reply.ok) return true;
    if (reply.status === 404) return false;
    if (reply.status !== 400) throw this.client.error(reply);
    const why = "cannot change this memory, because it is derived from others";
    throw this.client.error({ ...reply, why, hint: "Change or forget the memories it is derived from." });
  }

  async #curate(id: string, text: string): Promise<BackendEdit | null> {
    const known = await this.find(id);
    if (known === null) return null;
    const before = { id, text: known.text };
    if (before.text === text) return { before, after: before };
    if (!(await this.change(id, { text }))) return null;
    // What was sent still has the old text.
    this.learning.drop(known.documentId);
    return { before, after: { id, text } };
  }

  async #resend(id: string, text: string): Promise<BackendEdit | null> {
    const item = await this.#item(id);
    if (item === null) return null;
    const before = { id, text: item.content };
    if (before.text === text) return { before, after: before };
    const entry = reworded(item, text);
    await this.spool.add([entry, queuedRemoval(id)]);
    this.learning.drop(id);
    return { before, after: { id: entry.key, text } };
  }

  /** Pending, just sent, or on the server. */
  async #item(id: string): Promise<WireItem | null> {
    const entry = this.spool.find(id);
    const queued = entry === null ? null : readQueued(entry);
    if (queued !== null) return queued.kind === "send" ? this.#visible(queued.item) : null;
    const sent = this.learning.find(id);
    if (sent !== null) return this.#visible(sent);
    const document = await documentOf(this.client, id, READ_MS);
    if (document === null) return null;
    const { original_text, updated_at, tags, retain_params } = document;
    return this.#visible({
      // Empty if the server doesn't store texts.
      content: original_text ?? "",
      context: retain_params?.context ?? "",
      ...{ tags: tags ?? [], metadata: metadataOf(document), timestamp: updated_at ?? "unset" },
      ...{ document_id: id, update_mode: "replace" },
    });
  }

  #visible(item: WireItem): WireItem | null {
    return isVisible(item.tags, this.queue.read) ? item : null;
  }
}

/** Some servers reject a malformed id with 400 or 422. */
function isUnknown(status: number | null): boolean {
  return status === 404 || status === 400 || status === 422;
}
