/** Copies of documents in a bank. */
import type {
  BackendDocument,
  BackendDocumentRef,
  BackendDocuments,
  Delivery,
} from "../../core/ports/backend.ts";
import type { Spool } from "../spool/spool.ts";
import { type QueueSettings, queuedDocument, queuedRemoval } from "./queued.ts";

export class HindsightDocuments implements BackendDocuments {
  constructor(
    private readonly spool: Spool,
    private readonly settings: QueueSettings,
  ) {}

  async put(document: BackendDocument): Promise<Delivery> {
    await this.spool.add([queuedDocument(document, this.settings)]);
    return "queued";
  }

  /** Always queued: the server may still be processing an upload. */
  async remove(ref: BackendDocumentRef): Promise<void> {
    await this.spool.add([queuedRemoval(this.settings.ids.document(ref))]);
  }
}
