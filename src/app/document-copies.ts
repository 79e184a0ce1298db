/**
 * Sends what a document says now, but for what is private, to the bank elsewhere that holds a copy of it. What cannot be sent is
 * told; the file is the truth.
 */
import type { DocumentRef } from "../core/document.ts";
import { messageOf, RetainError } from "../core/errors.ts";
import { withPrivateBlanked } from "../core/private.ts";
import type { DocumentPorts } from "../memory/ports.ts";
import { getDocument } from "../memory/read.ts";
import type { Remote } from "./remote.ts";

export class DocumentCopies {
  constructor(
    private readonly remote: Remote,
    private readonly ports: DocumentPorts,
  ) {}

  async changed({ collection, id }: DocumentRef): Promise<void> {
    const { documents } = this.remote;
    try {
      if (!this.ports.files.has({ collection, id })) await documents.remove({ collection, id });
      else {
        const { title, content, tags, updated_at, created_at } = getDocument(this.ports, id, { collection });
        const time = updated_at ?? created_at ?? this.ports.clock().toISOString();
        const told = withPrivateBlanked(content);
        await documents.put({ collection, id, title, content: told, tags, updated_at: time });
      }
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      this.ports.warn(`The bank has no new copy of ${collection}/${id}: ${messageOf(error)}`);
    }
  }
}
