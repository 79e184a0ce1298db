/** The process that learns in the background: one for each home workspace. It ends when nothing is pending that it can read. */
import type { Lease } from "../../backends/spool/lease.ts";
import { RetainError } from "../../core/errors.ts";
import type { LearningFiles, LearningWorkspace } from "./files.ts";
import type { LearnRun } from "./learn.ts";

export interface WorkerPorts {
  readonly files: LearningFiles;
  readonly lease: Lease;
  /** Reads what is due in the workspace of a place; null if learning is off there. Throws RetainError. */
  learnAt(origin: LearningWorkspace): Promise<Pick<LearnRun, "stopped"> | null>;
}

/** Throws what the system throws. */
export async function workOff({ files, lease, learnAt }: WorkerPorts): Promise<void> {
  /** Workspaces that could not be read to the end. The next worker tries them again. */
  const stuck = new Set<string>();
  const waiting = () => files.places().filter(({ root }) => !stuck.has(root));
  // Whoever noted a place while the lease was taken relies on another look.
  while (waiting().length > 0) {
    if (!lease.take()) return;
    try {
      for (const [root, places] of Map.groupBy(waiting(), ({ root }) => root)) {
        const isDone = await readAt(places);
        if (!isDone) stuck.add(root);
        else for (const origin of places) files.removePlace(origin);
      }
    } finally {
      lease.giveBack();
    }
  }

  async function readAt([origin]: readonly LearningWorkspace[]): Promise<boolean> {
    try {
      const run = origin === undefined ? null : await learnAt(origin);
      return (run?.stopped ?? null) === null;
    } catch (error) {
      // A broken config or a full disk: commands in that workspace report it, and other workspaces are read.
      if (!(error instanceof RetainError)) throw error;
      return false;
    }
  }
}
