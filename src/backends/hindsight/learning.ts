/**
 * What this process sent a moment ago. A server learns in the background, with a model, and knows nothing of it until then; a
 * person who has just said something should not be told that it is unknown. After a while the server is believed alone.
 */
import type { WireItem } from "./protocol.ts";

const LEARNS_MS = 120_000;
const MOST = 64;
/** In characters; what is longer is not held in memory. */
const LONGEST = 200_000;

export class Learning {
  /** By the document's id, the oldest first. */
  readonly #sent = new Map<string, { readonly item: WireItem; readonly at: number }>();

  constructor(private readonly now: () => number) {}

  add(item: WireItem): void {
    this.drop(item.document_id);
    if (item.content.length <= LONGEST) this.#sent.set(item.document_id, { item, at: this.now() });
    const [oldest] = this.#sent.keys();
    if (this.#sent.size > MOST && oldest !== undefined) this.drop(oldest);
  }

  /** The server knows better by now. */
  drop(documentId: string): void {
    this.#sent.delete(documentId);
  }

  clear(): void {
    this.#sent.clear();
  }

  /** null where it was not sent, or long ago. */
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
