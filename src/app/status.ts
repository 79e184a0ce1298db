/** What `retain status` shows: where memory is stored, and what is pending. */
import type { Choice, Workspace } from "../config/workspace.ts";
import type { Incident } from "../core/incidents.ts";
import type { BackendStatus, MemoryBackend } from "../core/ports/backend.ts";
import type { OpenIncidents } from "../files/incidents.ts";
import type { IndexCounts } from "../sqlite/database/care.ts";
import type { Learning, LearningStatus } from "./learning.ts";
import { spoolsIn } from "./remote-for.ts";
import { type WaitingElsewhere, waitingElsewhere } from "./waiting-elsewhere.ts";
import type { Wiring } from "./wiring.ts";

export interface MemoryStatus {
  readonly workspace: Pick<Workspace, "kind" | "root">;
  /** Counts of this machine's index. */
  readonly counts: IndexCounts;
  readonly backend: BackendStatus;
  /** Pending memories for banks that are not in use here. */
  readonly elsewhere: readonly WaitingElsewhere[];
  readonly learning: LearningStatus;
  /** Unacknowledged, oldest first. */
  readonly incidents: readonly Incident[];
}

interface Memory {
  readonly workspace: Workspace;
  readonly choice: Choice;
  backend(): Promise<MemoryBackend>;
  learning(): Promise<Learning>;
  incidents(): OpenIncidents;
}

export async function statusOf(memory: Memory, wiring: Wiring): Promise<MemoryStatus> {
  await wiring.syncFacts(wiring.local);
  const { kind, root } = memory.workspace;
  return {
    workspace: { kind, root },
    counts: wiring.local.care.counts(),
    backend: await (await memory.backend()).status(),
    elsewhere: waitingElsewhere(spoolsIn(memory.choice.home), wiring.remote?.spool ?? null),
    learning: (await memory.learning()).status(),
    incidents: memory.incidents().incidents,
  };
}
