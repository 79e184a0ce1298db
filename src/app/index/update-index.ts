/** Brings the index up to date with the files, or rebuilds it. */
import { rebuildIndex, type SyncCounts, syncIndex } from "../../documents/index-sync.ts";
import { reportUnread } from "../../documents/unread.ts";
import type { IndexCounts } from "../../sqlite/database/care.ts";
import type { Wiring } from "../wiring.ts";

/** Indexes changes on disk, in every workspace that is read. */
export async function syncWorkspaces(wiring: Wiring): Promise<SyncCounts> {
  const counts = { changed: 0, removed: 0 };
  for (const workspace of wiring.readWorkspaces()) {
    const ports = wiring.documentPorts(workspace);
    const { changed, removed, unread } = await syncIndex(ports);
    reportUnread(ports, unread);
    await wiring.syncFacts(workspace);
    counts.changed += changed;
    counts.removed += removed;
  }
  return counts;
}

/** Rebuilds the nearest workspace's index from the files. */
export async function reindexWorkspace(wiring: Wiring): Promise<IndexCounts> {
  const { local } = wiring;
  const { syncFacts } = await import("../../facts/sync/sync-facts.ts");
  await rebuildIndex(wiring.documentPorts(local), () => {
    local.care.clear();
    syncFacts(wiring.factPorts(local), true);
  });
  local.sessions.rebuild();
  await wiring.purge(local);
  return local.care.counts();
}
