/** Deletes documents so that `restore` can bring them back. */
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

/**
 * On return, the files and their rows are gone, and the last states are kept for `restore`. Throws like `getDocument` before anything
 * is deleted.
 */
export async function deleteDocuments(
  ports: DocumentPorts,
  refs: readonly DocumentRef[],
): Promise<DeleteResult[]> {
  const deleted = await ports.lock.exclusively(() => {
    const files = refs.map((ref) => readFile(ports, ref));
    const changes = files.map((file) => changeFrom(file.ref, openLoosely(file).markdown));
    const removed = files.map((file) => removeDocument(ports, file));
    recordChange(ports, "delete", changes);
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
