/** A folder from outside is its owner's: Retain reads it, and neither changes it nor keeps versions of it. */
import { shellWord } from "../../util/text.ts";
import { RetainError } from "../errors.ts";
import type { DocumentFiles } from "../ports/documents.ts";
import type { DocumentRef } from "./document.ts";

/** Throws `read_only` unless the document's collection is the workspace's own. */
export function requireOwn(
  files: Pick<DocumentFiles, "folderOf" | "pathOf">,
  ref: DocumentRef,
  hint?: string,
): void {
  const folder = files.folderOf(ref.collection);
  if (folder === null) return;
  throw new RetainError(
    "read_only",
    `'${ref.collection}' is a read-only collection: Retain changes nothing in ${folder}, and keeps no versions of it.`,
    hint ?? `Work on the file itself: ${shellWord(files.pathOf(ref))}`,
  );
}
