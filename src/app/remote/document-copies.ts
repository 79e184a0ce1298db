/**
 * Sends the shareable text of a document to the bank on the server. A copy that cannot be sent is only a warning: the file is
 * authoritative.
 */
import type { DocumentRef } from "../../core/documents/document.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { shareableDocument } from "../../core/secrets/shareable.ts";
import type { DocumentPorts } from "../../documents/ports.ts";
import { getDocument } from "../../documents/read.ts";
import type { Remote } from "./remote.ts";

export async function copyDocument(
  { documents }: Remote,
  ports: DocumentPorts,
  { collection, id }: DocumentRef,
): Promise<void> {
  try {
    if (!ports.files.has({ collection, id })) await documents.remove({ collection, id });
    else {
      const document = shareableDocument(getDocument(ports, { collection, id }));
      const { title, content, tags, updated_at, created_at } = document;
      const time = updated_at ?? created_at ?? ports.clock().toISOString();
      await documents.put({ collection, id, title, content, tags, updated_at: time });
    }
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    ports.warn(`Cannot update the bank's copy of ${collection}/${id}: ${messageOf(error)}`);
  }
}
