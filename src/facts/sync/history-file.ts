/** Reads and writes HISTORY.md together with the history of unconfirmed facts, which git ignores. */
import { HISTORY_HEAD, type HistoryEntry, parseHistory, printEntry } from "../../core/facts/history.ts";
import { HISTORIES, historyPath, inferredPath } from "../../core/facts/memory-paths.ts";
import type { MemoryFiles } from "../../core/ports/documents.ts";
import type { Drafts } from "../drafts.ts";

/** Appends the entries to their histories. */
export function appendHistory(drafts: Drafts, entries: readonly HistoryEntry[]): void {
  for (const [path, its] of Map.groupBy(entries, ({ file }) => historyPath(file)))
    drafts.append(path, its.map(printEntry).join(""), HISTORY_HEAD);
}

/**
 * Records that a person forgot the fact with this id (a hash of its text), so that it doesn't come back as unconfirmed. It goes into
 * the history that git ignores.
 */
export function forgottenEntry(id: string, at: string): HistoryEntry {
  return { kind: "removed", at, id, text: "", file: inferredPath(null), by: "forget", supersededBy: null };
}

export function isForgottenEntry({ kind, text }: HistoryEntry): boolean {
  return kind === "removed" && text === "";
}

/** The entries of both histories. */
export function entriesIn(read: (path: string) => string | undefined): HistoryEntry[] {
  return HISTORIES.flatMap((path) => parseHistory(read(path) ?? ""));
}

/** When a person forgot facts, by id. */
export function forgottenIn({
  files,
}: {
  readonly files: Pick<MemoryFiles, "read">;
}): ReadonlyMap<string, string> {
  const entries = entriesIn((path) => files.read(path)?.content);
  return new Map(entries.filter(isForgottenEntry).map(({ id, at }) => [id, at]));
}
