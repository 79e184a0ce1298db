/** Deleting a document, in a way that can be undone. */
import type { DocumentRef } from "../core/document.ts";
import type { DocumentPorts } from "./ports.ts";
import { locate, openDocument } from "./read.ts";
import { outgoingState } from "./write.ts";

export interface DeleteResult extends DocumentRef {
  readonly file_path: string;
  /** The version under which it waits for `restore`; null where git holds it. */
  readonly kept_version: string | null;
}

/** File and index row are gone on return; the last state is kept for `restore`. Throws as `getDocument`. */
export async function deleteDocument(
  ports: DocumentPorts,
  id: string,
  collection?: string,
): Promise<DeleteResult> {
  return ports.index().exclusively((changes) => {
    const current = openDocument(ports.files, locate(ports.files, id, collection));
    const { ref, path } = current.file;
    const [kept] = ports.versions.keep([outgoingState(current)]);
    ports.files.remove(ref);
    ports.files.flush();
    changes.remove(ref);
    ports.versions.prune(ref, Math.max(ports.settings.max_versions, 1));
    return { ...ref, file_path: path, kept_version: kept == null ? null : `v${kept}` };
  });
}
