/** Learning, as the library offers it. Loads the implementation when a method is called. */
import type { LearnRun } from "../../agent/learn/learn.ts";
import type { Spent } from "../../agent/learn/ledger.ts";
import type { LearningParts, LearningStatus, RunOptions } from "./learning.ts";

export function openLearning(parts: () => LearningParts) {
  const load = async () => {
    const { Learning } = await import("./agents.ts");
    return new Learning(parts());
  };

  return {
    /** Reads all pending turns of this workspace now; waits while another process learns. Throws `usage`, `io`, `locked`. */
    run: async (options: RunOptions = {}): Promise<LearnRun> => (await load()).run(options),

    /** Reads due turns, in a worker that holds this lease. null if learning is off. */
    runDue: async (renew: () => boolean): Promise<LearnRun | null> => (await load()).runDue(renew),

    /** Starts a worker if turns are due. It reads config files, not `RetainOptions.settings`. */
    async start(): Promise<void> {
      if (parts().config.settings.learning_model !== "") (await load()).wake();
    },

    /** The model, pending turns, today's cost and the last failure. */
    status: async (): Promise<LearningStatus> => (await load()).status(),

    /** What learning did and cost from this day on ("2026-11-15"), in all workspaces. */
    spentSince: async (day: string): Promise<Spent> => (await load()).spentSince(day),
  };
}
