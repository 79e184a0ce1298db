/** Completions of what is being typed. */
import { type Choice, type Completion, commandCompletion } from "../agent/choices.ts";
import { openReference } from "../core/text/file-references.ts";

export interface Completions {
  /** Of a command or its argument. */
  complete(beginning: string): readonly Choice[];
  /** References to files whose path contains this. */
  files(part: string): readonly Choice[];
}

/** Of a command, if the text is one line that begins with a slash; else of the file reference before the cursor. */
export function completionOf(
  { text, cursor }: { readonly text: string; readonly cursor: number },
  { complete, files }: Completions,
): Completion | null {
  if (text.startsWith("/") && !text.includes("\n"))
    return cursor === text.length ? commandCompletion(text, complete(text)) : null;
  const open = openReference(text.slice(0, cursor));
  if (open === null) return null;
  // Stays open without items, since the list of files may still be loading.
  const items = files(open.path);
  return { from: open.from, items, index: items.length === 0 ? -1 : 0 };
}
