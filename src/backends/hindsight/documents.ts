/** Documents in a bank. Pending uploads count as stored, pending removals as removed. */
import type {
  BackendDocument,
  BackendDocumentRef,
  BackendDocuments,
  Delivery,
} from "../../core/ports/backend.ts";
import type { Spool } from "../spool/spool.ts";
import type { HindsightClient } from "./client.ts";
import { asDocument, heldHere, heldOnServer } from "./held.ts";
import type { Learning } from "./learning.ts";
import { type QueueSettings, queuedDocument, queuedRemoval, readQueued } from "./queued.ts";
import { documentIds, documentOf, READ_MS } from "./remote-documents.ts";

export class HindsightDocuments implements BackendDocuments {
  constructor(
    private readonly client: HindsightClient,
    private readonly spool: Spool,
    private readonly settings: QueueSettings,
    private readonly learning: Learning,
  ) {}

  async put(document: BackendDocument): Promise<Delivery> {
    await this.spool.add([queuedDocument(document, this.settings)]);
    return "queued";
  }

  async get({ collection, id }: BackendDocumentRef): Promise<BackendDocument | null> {
    const { ids, tags } = this.settings;
    const ref = { collection, id };
    const documentId = ids.document(ref);
    const queued = this.#queued(documentId);
    const own =
      queued === null ? this.learning.find(documentId) : queued.kind === "send" ? queued.item : null;
    if (own !== null) return asDocument(ref, heldHere(own), tags);
    const document = queued === null ? await documentOf(this.client, documentId, READ_MS) : null;
    return document === null ? null : asDocument(ref, heldOnServer(document), tags);
  }

  async list(): Promise<BackendDocumentRef[]> {
    const { ids } = this.settings;
    const found = new Set(await documentIds(this.client, ids.documents, READ_MS));
    for (const { document_id } of this.learning.items()) found.add(document_id);
    for (const entry of this.spool.entries()) {
      if (readQueued(entry)?.kind === "send") found.add(entry.key);
      else found.delete(entry.key);
    }
    return [...found].flatMap((id) => {
      const named = ids.read(id);
      return named?.kind === "document" ? [named.ref] : [];
    });
  }

  /** Always queued: the server may still be processing an upload. */
  async remove(ref: BackendDocumentRef): Promise<boolean> {
    const documentId = this.settings.ids.document(ref);
    const queued = this.#queued(documentId);
    if (queued?.kind === "remove") return false;
    const isKnown = queued !== null || this.learning.find(documentId) !== null;
    const wasThere = isKnown || (await this.#isOnServer(documentId));
    await this.spool.add([queuedRemoval(documentId)]);
    return wasThere;
  }

  /** true if the server cannot tell now. */
  async #isOnServer(documentId: string): Promise<boolean> {
    try {
      return (await documentOf(this.client, documentId, READ_MS)) !== null;
    } catch {
      return true;
    }
  }

  #queued(documentId: string) {
    const entry = this.spool.find(documentId);
    return entry === null ? null : readQueued(entry);
  }
}
