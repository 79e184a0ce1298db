/**
 * Items that this process has just sent. The server processes them in the background with a model and cannot recall them until then,
 * so recall also searches these. After a while only the server's results count.
 */
import type { WireItem } from "./protocol.ts";

const LEARNS_MS = 120_000;
const MOST = 64;
/** In characters; longer items are not cached. */
const LONGEST = 200_000;

export class Learning {
  /** By document id, oldest first. */
  readonly #sent = new Map<string, { readonly item: WireItem; readonly at: number }>();

  constructor(private readonly now: () => number) {}

  add(item: WireItem): void {
    this.drop(item.document_id);
    if (item.content.length <= LONGEST) this.#sent.set(item.document_id, { item, at: this.now() });
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MOST && oldest !== undefined) this.drop(oldest);
  }

  drop(documentId: string): void {
    this.#sent.delete(documentId);
  }

  clear(): void {
    this.#sent.clear();
  }

  /** null if it was not sent recently. */
  find(documentId: string): WireItem | null {
    const sent = this.#sent.get(documentId);
    if (sent === undefined) return null;
    const age = this.now() - sent.at;
    if (age >= 0 && age < LEARNS_MS) return sent.item;
    this.drop(documentId);
    return null;
  }

  items(): WireItem[] {
    return [...this.#sent.keys()].flatMap((id) => this.find(id) ?? []);
  }
}
