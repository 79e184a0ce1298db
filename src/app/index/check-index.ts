/** Checks the index for damage, and compares it with the files. */
import { existsSync } from "node:fs";
import type { LocalWorkspace } from "../../backends/local.ts";
import { checkDocuments, type DocumentCheck } from "../../documents/check-index.ts";
import { syncIndex } from "../../documents/index-sync.ts";
import type { DatabaseCheck, IndexCounts } from "../../sqlite/database/care.ts";
import { type Difference, differences } from "../../sqlite/database/compare.ts";
import type { Wiring } from "../wiring.ts";

interface FileProblem {
  readonly path: string;
  readonly problem: string;
}

export interface IndexCheck extends DocumentCheck, DatabaseCheck {
  readonly counts: IndexCounts;
  /** Session files that are partly unreadable. */
  readonly conversations: readonly FileProblem[];
  /** Unreadable memory files, including the home workspace's. */
  readonly memoryFiles: readonly FileProblem[];
}

export interface DeepCheck {
  readonly root: string;
  readonly kind: "project" | "home";
  /** Number of session files read. */
  readonly sessionFiles: number;
  /** Session files that are partly unreadable. */
  readonly conversations: readonly FileProblem[];
  /** Differences between the index and the files. */
  readonly differences: readonly Difference[];
}

export async function checkIndex(wiring: Wiring): Promise<IndexCheck> {
  const { local } = wiring;
  const { care, sessions } = local;
  const documents = await checkDocuments(wiring.documentPorts(local), (source) => care.partsOf(source));
  await wiring.syncFacts(local);
  const memoryFiles = wiring.readWorkspaces().flatMap(({ memoryFiles: files }) => files.problems());
  const conversations = sessions.problems();
  return { ...documents, ...care.check(), counts: care.counts(), conversations, memoryFiles };
}

/**
 * Rereads every file, whatever its stamp, builds a second index in memory and compares the two. Other processes may write in the
 * meantime, so a difference counts only if it appears twice.
 */
export async function checkDeep(wiring: Wiring): Promise<DeepCheck[]> {
  const first = await compareOnce(wiring);
  if (first.every((check) => check.differences.length === 0)) return first;
  const again = await compareOnce(wiring);
  return again.map((check) => {
    const before = first.find(({ root }) => root === check.root)?.differences ?? [];
    const lasting = check.differences.filter(({ kind, name }) =>
      before.some((one) => one.kind === kind && one.name === name),
    );
    return { ...check, differences: lasting };
  });
}

async function compareOnce(wiring: Wiring): Promise<DeepCheck[]> {
  const fresh = wiring.withoutIndex();
  try {
    const checks: DeepCheck[] = [];
    for (const [at, local] of wiring.readWorkspaces().entries()) {
      const built = fresh.readWorkspaces()[at];
      if (built !== undefined && existsSync(local.workspace.root))
        checks.push(await compare(wiring, local, fresh, built));
    }
    return checks;
  } finally {
    fresh.close();
  }
}

async function compare(
  wiring: Wiring,
  local: LocalWorkspace,
  fresh: Wiring,
  built: LocalWorkspace,
): Promise<DeepCheck> {
  await syncIndex(wiring.documentPorts(local));
  await wiring.syncFacts(local);
  built.lock.readFromCopy();
  await syncIndex(fresh.documentPorts(built));
  await fresh.syncFacts(built);
  const { root, kind } = local.workspace;
  return {
    ...{ root, kind, sessionFiles: built.sessions.paths().length },
    conversations: built.sessions.problems(),
    differences: differences(local.lock, built.lock),
  };
}
