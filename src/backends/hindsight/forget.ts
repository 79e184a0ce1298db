/**
 * Forgets a statement. One that Retain sent is a document of its own, and is deleted with everything learned from it. The server
 * cannot delete a single memory learned from a conversation or document, so that is invalidated and never recalled again.
 */
import type { Spool } from "../spool/spool.ts";
import { type HindsightClient, isId, segment } from "./client.ts";
import { isStatement } from "./document-ids.ts";
import type { Learning } from "./learning.ts";
import { ANYTHING, MEMORY } from "./protocol.ts";
import { queuedRemoval, readQueued } from "./queued.ts";
import { READ_MS } from "./remote-documents.ts";

export class Forgetting {
  constructor(
    private readonly client: HindsightClient,
    private readonly spool: Spool,
    private readonly learning: Learning,
  ) {}

  /** `id` names a statement or a recalled memory. */
  async forget(id: string): Promise<boolean> {
    if (isStatement(id)) return this.#forgetStatement(id);
    if (!isId(id)) return false;
    const path = `/memories/${segment(id)}`;
    const reply = await this.client.call({ method: "GET", path, answer: MEMORY, withinMs: READ_MS });
    if (!reply.ok && isUnknown(reply.status)) return false;
    if (!reply.ok) throw this.client.error(reply);
    const { document_id, state } = reply.value;
    if (state === "invalidated") return false;
    this.learning.drop(document_id ?? "");
    return isStatement(document_id ?? "") ? this.#forgetStatement(document_id ?? "") : this.#invalidate(path);
  }

  /** A pending one is no longer sent. */
  async #forgetStatement(id: string): Promise<boolean> {
    const entry = this.spool.find(id);
    const queued = entry === null ? null : readQueued(entry);
    if (queued?.kind === "remove") return false;
    if (queued?.kind === "send") {
      await this.spool.add([queuedRemoval(id)]);
      return true;
    }
    const path = `/documents/${segment(id)}`;
    const reply = await this.client.call({ method: "DELETE", path, answer: ANYTHING, withinMs: READ_MS });
    if (!reply.ok && reply.status !== 404) throw this.client.error(reply);
    const isBeingLearned = !reply.ok && this.learning.find(id) !== null;
    this.learning.drop(id);
    if (isBeingLearned) await this.spool.add([queuedRemoval(id)]);
    return reply.ok || isBeingLearned;
  }

  async #invalidate(path: string): Promise<boolean> {
    const body = { state: "invalidated", reason: "forgotten" };
    const call = { method: "PATCH", path, body, answer: ANYTHING, withinMs: READ_MS } as const;
    const reply = await this.client.call(call);
    if (reply.ok) return true;
    if (reply.status === 404) return false;
    if (reply.status !== 400) throw this.client.error(reply);
    const why = "cannot forget this memory, because it is derived from others";
    throw this.client.error({ ...reply, why, hint: "Forget the memories it is derived from." });
  }
}

/** Some servers reject a malformed id with 400 or 422. */
function isUnknown(status: number | null): boolean {
  return status === 404 || status === 400 || status === 422;
}
