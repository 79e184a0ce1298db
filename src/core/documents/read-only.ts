/** Folders are read-only: Retain neither changes their files nor keeps versions of them. */
import { shellWord } from "../../util/text.ts";
import { RetainError } from "../errors.ts";
import type { DocumentFiles } from "../ports/documents.ts";
import type { DocumentRef } from "./document.ts";

/** Throws `read_only` if the document is in a folder. */
export function requireOwn(
  files: Pick<DocumentFiles, "folderOf" | "pathOf">,
  ref: DocumentRef,
  hint?: string,
): void {
  const folder = files.folderOf(ref.collection);
  if (folder === null) return;
  throw new RetainError(
    "read_only",
    `'${ref.collection}' is read-only: Retain does not change ${folder}, and keeps no versions of it.`,
    hint ?? `Edit the file itself: ${shellWord(files.pathOf(ref))}`,
  );
}
