/** Deleting a document, in a way that can be undone. */
import type { DocumentRef } from "../core/document.ts";
import type { DocumentFile } from "../core/ports.ts";
import type { DocumentPorts } from "./ports.ts";
import { locate } from "./read.ts";
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
    const ref = locate(ports.files, id, collection);
    const file = ports.files.read(ref) as DocumentFile;
    const [kept] = ports.versions.keep([outgoingState(file)]);
    ports.files.remove(ref);
    ports.files.flush();
    changes.remove(ref);
    ports.versions.prune(ref, Math.max(ports.settings.max_versions, 1));
    return { ...ref, file_path: file.path, kept_version: kept == null ? null : `v${kept}` };
  });
}
