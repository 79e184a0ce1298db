/** Folders are read-only: Retain neither changes their files nor keeps versions of them. */
import { shellWord } from "../../util/shell-word.ts";
import { RetainError } from "../errors.ts";
import type { Hint } from "../hint.ts";
import type { DocumentFiles } from "../ports/documents.ts";
import type { DocumentRef } from "./document.ts";

/** Throws `read_only` if the document is in a folder. */
export function requireOwn(
  files: Pick<DocumentFiles, "folderOf" | "pathOf">,
  ref: DocumentRef,
  advice?: Hint,
): void {
  const folder = files.folderOf(ref.collection);
  if (folder === null) return;
  throw new RetainError(
    "read_only",
    `'${ref.collection}' is read-only: Retain does not change ${folder}, and keeps no versions of it.`,
    advice ?? `Edit the file itself: ${shellWord(files.pathOf(ref))}`,
  );
}
