/** Undoes the last change of memory files that Retain made. */
import { RetainError } from "../core/errors.ts";
import { HISTORIES, kindOfFile } from "../core/facts/memory-paths.ts";
import type { Change } from "../core/ports/documents.ts";
import { isoSeconds } from "../util/text.ts";
import { COMPACTION } from "./compact/plan.ts";
import type { FactPorts, FactWorkspaces } from "./ports.ts";
import { syncFacts } from "./sync/sync-facts.ts";

export interface UndoOptions {
  /** Keep the last change; the next undo undoes the one before it. */
  skip?: boolean;
}

/** The memory files that an undone change touched, each with the lines it removed (-) and brought back (+). */
export function undoneLines({ files }: Change): string[] {
  const signed = (sign: string, text: string) =>
    text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => `${sign} ${line}`);
  return files
    .filter(({ path }) => !HISTORIES.some((history) => path.endsWith(`/${history}`)))
    .flatMap(({ path, removed, inserted }) => [path, ...signed("-", inserted), ...signed("+", removed)]);
}

/**
 * Undoes the last change in the workspaces that are read. Throws `not_found` if there is nothing to undo, `conflict` if a file has
 * changed too much since.
 */
export async function undoLast(
  { nearest, read }: Pick<FactWorkspaces, "nearest" | "read">,
  { skip = false }: UndoOptions,
): Promise<Change> {
  const madeIn = (workspace: FactPorts) => workspace.files.lastChange() ?? 0;
  const ports: FactPorts = read.reduce((last, one) => (madeIn(one) > madeIn(last) ? one : last), nearest);
  return ports.lock.exclusively(() => {
    syncFacts(ports);
    const [last] = ports.files.changes();
    if (last === undefined)
      throw new RetainError(
        "not_found",
        "There is nothing to undo.",
        "Retain can undo the last 50 changes of facts, notes and working memory.",
      );
    if (skip) ports.files.dropChange(last.number);
    else {
      // First, so that after a crash in between the next conversation doesn't compact them again.
      if (last.label === COMPACTION) ports.files.leaveUncompacted(logsIn(last));
      ports.files.undo(last.number, isoSeconds(ports.clock()));
    }
    syncFacts(ports);
    return last;
  });
}

/** Below memories/. */
function logsIn({ files }: Change): string[] {
  return files
    .map(({ path }) => path.replace(/^memories\//, ""))
    .filter((path) => kindOfFile(path)?.kind === "log");
}
