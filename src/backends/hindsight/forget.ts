/**
 * Forgets a statement. One that Retain sent is a document of its own, and is deleted with everything learned from it. The server
 * cannot delete a single memory learned from a conversation or document, so that is invalidated and never recalled again.
 */
import type { Spool } from "../spool/spool.ts";
import { type HindsightClient, segment } from "./client.ts";
import { isStatement } from "./document-ids.ts";
import type { Learning } from "./learning.ts";
import type { Operations } from "./operations.ts";
import { ANYTHING } from "./protocol.ts";
import { queuedRemoval, readQueued } from "./queued.ts";
import { READ_MS } from "./remote-documents.ts";
import type { Statements } from "./statements.ts";

export class Forgetting {
  constructor(
    private readonly client: HindsightClient,
    private readonly spool: Spool,
    private readonly learning: Learning,
    private readonly statements: Statements,
    private readonly operations: Operations,
  ) {}

  /** `id` names a statement or a recalled memory. Pending statements with the same text go too. */
  async forget(id: string): Promise<boolean> {
    const known = await this.statements.find(id);
    if (known === null) return false;
    const { text, documentId } = known;
    const isForgotten = isStatement(documentId)
      ? await this.#forgetStatement(documentId)
      : await this.#invalidate(id, documentId);
    if (isForgotten && text !== "") await this.#dropPending(text);
    return isForgotten;
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
    this.operations.remove(({ key }) => key === id);
    if (isBeingLearned) await this.spool.add([queuedRemoval(id)]);
    return reply.ok || isBeingLearned;
  }

  async #invalidate(id: string, documentId: string): Promise<boolean> {
    this.learning.drop(documentId);
    return this.statements.change(id, { state: "invalidated", reason: "forgotten" });
  }

  async #dropPending(text: string): Promise<void> {
    const same = this.spool.entries().flatMap((entry) => {
      const queued = readQueued(entry);
      const isSame = queued?.kind === "send" && queued.item.content.trim() === text.trim();
      return isSame && isStatement(entry.key) ? [queuedRemoval(entry.key)] : [];
    });
    await this.spool.add(same);
  }
}
