/** HISTORY.md with more lines at its end. */
import { HISTORY_HEAD, type HistoryEntry, printEntry } from "../core/history.ts";

export function withEntries(content: string, entries: readonly HistoryEntry[]): string {
  if (entries.length === 0) return content;
  const before = content.trim() === "" ? HISTORY_HEAD : content.endsWith("\n") ? content : `${content}\n`;
  return before + entries.map(printEntry).join("");
}
