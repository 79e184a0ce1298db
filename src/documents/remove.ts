/** Deleting a document, in a way that can be undone. */
import type { DocumentRef } from "../core/documents/document.ts";
import { forgetDocument } from "./index-sync.ts";
import type { DocumentPorts } from "./ports.ts";
import { locateOwn, readFile } from "./read.ts";
import { outgoingState, pruneVersions } from "./write.ts";

export interface DeleteResult extends DocumentRef {
  readonly file_path: string;
  /** The version under which it waits for `restore`. */
  readonly kept_version: string | null;
}

/** File and index row are gone on return; the last state is kept for `restore`. Throws as `getDocument`. */
export async function deleteDocument(
  ports: DocumentPorts,
  id: string,
  collection?: string,
): Promise<DeleteResult> {
  const deleted = await ports.lock.exclusively(() => {
    const ref = locateOwn(ports.files, id, collection);
    const file = readFile(ports.files, ref);
    const [kept] = ports.versions.keep([outgoingState(file)], true);
    ports.files.remove(ref);
    ports.files.flush();
    forgetDocument(ports, ref);
    pruneVersions(ports, ref, Math.max(ports.settings.max_versions, 1));
    return { ...ref, file_path: file.path, kept_version: kept == null ? null : `v${kept}` };
  });
  await ports.purge();
  return deleted;
}
