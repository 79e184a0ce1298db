/** The background process that learns: one per home workspace. It exits when it can read nothing more. */
import type { Lease } from "../../backends/spool/lease.ts";
import { RetainError } from "../../core/errors.ts";
import type { LearningFiles, LearningWorkspace } from "./files.ts";
import type { LearnRun } from "./learn.ts";

interface WorkerPorts {
  readonly files: LearningFiles;
  readonly lease: Lease;
  /** Reads what is due in a workspace; null if learning is off there. Throws RetainError. */
  learnAt(workspace: LearningWorkspace): Promise<Pick<LearnRun, "stopped"> | null>;
}

/** Throws system errors as they are. */
export async function workOff({ files, lease, learnAt }: WorkerPorts): Promise<void> {
  /** Workspaces that could not be read to the end. The next worker tries them again. */
  const stuck = new Set<string>();
  const waiting = () => files.workspaces().filter(({ root }) => !stuck.has(root));
  // Check again after each round: a process that added a workspace while the lease was held relies on it.
  while (waiting().length > 0) {
    if (!lease.take()) return;
    try {
      for (const [root, workspaces] of Map.groupBy(waiting(), ({ root }) => root)) {
        const isDone = await readAt(workspaces);
        if (!isDone) stuck.add(root);
        else for (const workspace of workspaces) files.removeWorkspace(workspace);
      }
    } finally {
      lease.giveBack();
    }
  }

  async function readAt([workspace]: readonly LearningWorkspace[]): Promise<boolean> {
    try {
      const run = workspace === undefined ? null : await learnAt(workspace);
      return (run?.stopped ?? null) === null;
    } catch (error) {
      // A broken config or a full disk: commands in that workspace report it, and other workspaces are read.
      if (!(error instanceof RetainError)) throw error;
      return false;
    }
  }
}
