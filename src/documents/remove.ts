/** Deletes a document so that `restore` can bring it back. */
import type { DocumentRef } from "../core/documents/document.ts";
import type { DocumentFile } from "../core/ports/documents.ts";
import { forgetDocument } from "./index-sync.ts";
import type { DocumentPorts } from "./ports.ts";
import { openLoosely, readFile } from "./read.ts";
import { changeFrom, outgoingState, pruneVersions, recordChange } from "./write.ts";

export interface DeleteResult extends DocumentRef {
  readonly file_path: string;
  /** The version that `restore` brings back. */
  readonly kept_version: string | null;
}

/** On return, the file and its row are gone, and the last state is kept for `restore`. Throws like `getDocument`. */
export async function deleteDocument(ports: DocumentPorts, ref: DocumentRef): Promise<DeleteResult> {
  const deleted = await ports.lock.exclusively(() => {
    const file = readFile(ports, ref);
    const removed = removeDocument(ports, file);
    recordChange(ports, "delete", [changeFrom(ref, openLoosely(file).markdown)]);
    return removed;
  });
  await ports.purge();
  return deleted;
}

/** Needs the lock; call `purge` afterwards. */
export function removeDocument(ports: DocumentPorts, file: DocumentFile): DeleteResult {
  const { ref } = file;
  const [kept] = ports.versions.keep([outgoingState(file)], true);
  ports.files.remove(ref);
  ports.files.flush();
  forgetDocument(ports, ref);
  pruneVersions(ports, ref, Math.max(ports.settings.max_versions, 1));
  return { ...ref, file_path: file.path, kept_version: kept == null ? null : `v${kept}` };
}
