/** Reads files for the context: without private parts, trimmed (including a byte order mark), with unreadable ones reported. */
import { join } from "node:path";
import { messageOf, RetainError } from "../core/errors.ts";
import { withoutPrivate } from "../core/secrets/private.ts";
import type { LeftOut } from "./parts.ts";
import type { ContextWorkspace } from "./ports.ts";

export type TellLeft = (part: LeftOut, why: string) => void;

/** null if there is nothing to show: the file is missing, empty or unreadable (which is reported). */
export function contentOf(
  workspace: ContextWorkspace,
  path: string,
  part: LeftOut,
  left: TellLeft,
): (LeftOut & { path: string; text: string }) | null {
  const named = { ...part, path: pathIn(workspace, path) };
  try {
    const content = withoutPrivate(workspace.files.read(path)?.content ?? "");
    const text = content.replaceAll("\r\n", "\n").trim();
    return text === "" ? null : { ...named, text };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    left(named, messageOf(error));
    return null;
  }
}

/** "Working memory (this project, updated 2 hours ago)". */
export function titled(title: string, { origin }: ContextWorkspace, remark: string | null = null): string {
  const remarks = [...(origin === "project" ? ["this project"] : []), ...(remark === null ? [] : [remark])];
  return remarks.length === 0 ? title : `${title} (${remarks.join(", ")})`;
}

/** The full path for messages. `path` is as in `MemoryFiles`. */
export function pathIn({ files }: ContextWorkspace, path: string): string {
  return join(files.root, path);
}
