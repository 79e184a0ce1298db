/** HISTORY.md, and the history of unconfirmed facts, which git does not see: written and read together. */
import { HISTORY_HEAD, type HistoryEntry, parseHistory, printEntry } from "../../core/facts/history.ts";
import { HISTORIES, historyPath, inferredPath } from "../../core/facts/memory-paths.ts";
import type { MemoryFiles } from "../../core/ports/documents.ts";
import type { Drafts } from "../write/drafts.ts";

/** Adds lines at the end. */
export function tell(drafts: Drafts, entries: readonly HistoryEntry[]): void {
  for (const [path, its] of Map.groupBy(entries, ({ file }) => historyPath(file)))
    drafts.append(path, its.map(printEntry).join(""), HISTORY_HEAD);
}

/**
 * Says that a person forgot the fact of this id, which is a hash of its text, so that it does not come back as unconfirmed. It is in the
 * history that git does not see.
 */
export function forgottenEntry(id: string, at: string): HistoryEntry {
  return { kind: "removed", at, id, text: "", file: inferredPath(null), by: "forget", supersededBy: null };
}

export function isForgottenEntry({ kind, text }: HistoryEntry): boolean {
  return kind === "removed" && text === "";
}

/** Every entry of both. */
export function entriesIn(read: (path: string) => string | undefined): HistoryEntry[] {
  return HISTORIES.flatMap((path) => parseHistory(read(path) ?? ""));
}

/** When a person forgot facts, by their ids. */
export function forgottenIn({
  files,
}: {
  readonly files: Pick<MemoryFiles, "read">;
}): ReadonlyMap<string, string> {
  const entries = entriesIn((path) => files.read(path)?.content);
  return new Map(entries.filter(isForgottenEntry).map(({ id, at }) => [id, at]));
}
