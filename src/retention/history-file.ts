/** HISTORY.md with more lines at its end. */
import { HISTORY_HEAD, type HistoryEntry, printEntry } from "../core/history.ts";
import { HISTORY } from "../core/memory-paths.ts";
import type { Drafts } from "./drafts.ts";

export function tell(drafts: Drafts, entries: readonly HistoryEntry[]): void {
  if (entries.length > 0) drafts.append(HISTORY, entries.map(printEntry).join(""), HISTORY_HEAD);
}
