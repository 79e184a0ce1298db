/** Undoes the last change of memory files that Retain made, in one workspace. */
import { RetainError } from "../core/errors.ts";
import { HISTORIES, kindOfFile } from "../core/facts/memory-paths.ts";
import { command, hint } from "../core/hint.ts";
import type { Change } from "../core/ports/documents.ts";
import { isoSeconds } from "../util/text.ts";
import { COMPACTION } from "./compact/plan.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { syncFacts } from "./sync/sync-facts.ts";

export interface UndoOptions {
  /** Keep the last change; the next undo undoes the one before it. */
  skip?: boolean;
  /** Fail with `conflict` unless this is still the last change. */
  number?: number;
  /** The workspace; by default the one that changed last of those that are read. */
  origin?: FactWorkspace["origin"];
}

/** A change, and the workspace it was made in. */
export interface UndoableChange extends Change {
  readonly origin: FactWorkspace["origin"];
}

/** The last change of all workspaces that are read; null if there is nothing to undo. Takes no lock: `undoLast` checks again. */
export function lastChange(workspaces: Pick<FactWorkspaces, "nearest" | "read">): UndoableChange | null {
  const { origin, files } = changedLast(workspaces);
  const [last] = files.changes();
  return last === undefined ? null : { ...last, origin };
}

function changedLast({ nearest, read }: Pick<FactWorkspaces, "nearest" | "read">): FactWorkspace {
  const madeIn = ({ files }: FactWorkspace) => files.lastChange() ?? 0;
  return read.reduce((last, one) => (madeIn(one) > madeIn(last) ? one : last), nearest);
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

/** Throws `not_found` if there is nothing to undo, `conflict` if a file has changed too much since. */
export async function undoLast(
  workspaces: Pick<FactWorkspaces, "nearest" | "read">,
  { skip = false, number, origin }: UndoOptions,
): Promise<UndoableChange> {
  const ports = workspaces.read.find((one) => one.origin === origin) ?? changedLast(workspaces);
  return ports.lock.exclusively(() => {
    syncFacts(ports);
    const [last] = ports.files.changes();
    if (last === undefined)
      throw new RetainError(
        "not_found",
        "There is nothing to undo.",
        "Retain can undo the last 50 changes of facts, notes and working memory.",
      );
    if (number !== undefined && last.number !== number)
      throw new RetainError(
        "conflict",
        "Nothing was undone: memory has changed in the meantime.",
        hint`Look at the last change again: ${command("undo")}`,
      );
    if (skip) ports.files.dropChange(last.number);
    else {
      // First, so that after a crash in between the next conversation doesn't compact them again.
      if (last.label === COMPACTION) ports.files.leaveUncompacted(logsIn(last));
      ports.files.undo(last.number, isoSeconds(ports.clock()));
    }
    syncFacts(ports);
    return { ...last, origin: ports.origin };
  });
}

/** Below memories/. */
function logsIn({ files }: Change): string[] {
  return files
    .map(({ path }) => path.replace(/^memories\//, ""))
    .filter((path) => kindOfFile(path)?.kind === "log");
}
