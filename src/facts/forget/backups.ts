/**
 * Forgets in backups too. A backup has a workspace's layout, so the same steps apply. Backups come first: as long as the workspace
 * has the text, repeating the call finds it again.
 */
import { RetainError } from "../../core/errors.ts";
import { isoSeconds } from "../../util/days.ts";
import type { BackupWorkspace, FactWorkspace } from "../ports.ts";
import { type Left, planFiles, type Target } from "./files.ts";
import { conversationsHolding, fileLines, rowCounts, type Trace } from "./traces.ts";

export interface Traces {
  readonly places: readonly Trace[];
  readonly left: readonly Left[];
}

/** Where the text is in the workspace and its backups. Changes nothing. */
export function tracesOf(workspace: FactWorkspace, target: Target): Traces {
  const backups = backupsOf(workspace).map((backup) => inside(backup, foundIn(backup, target)));
  return together([foundIn(workspace, target), ...backups]);
}

/** Calls `remove` on each backup that contains the text, then on the workspace. Throws like `remove`. */
export async function removeEverywhere(
  workspace: FactWorkspace,
  target: Target,
  remove: (workspace: FactWorkspace) => Promise<Traces>,
): Promise<Traces> {
  const removed: Traces[] = [];
  for (const backup of backupsOf(workspace))
    if (foundIn(backup, target).places.length > 0 || backup.traces.scrub.unfinished().length > 0)
      removed.push(inside(backup, await naming(backup, remove(backup))));
  const here = await remove(workspace);
  await recordForgetting(workspace);
  return together([here, ...removed]);
}

/** Forgetting is permanent; without a record, `undo` would undo the change before it. */
async function recordForgetting({ lock, files, clock }: FactWorkspace): Promise<void> {
  await lock.exclusively(() => files.recordChange("forget", isoSeconds(clock()), {}));
}

export function backupsOf({ backups }: FactWorkspace): readonly BackupWorkspace[] {
  return backups?.() ?? [];
}

function foundIn(workspace: FactWorkspace, target: Target): Traces {
  const plan = planFiles(workspace.traces, target);
  const places = [
    ...fileLines(plan),
    ...conversationsHolding(workspace, target),
    ...rowCounts(workspace, target),
  ];
  return { places, left: plan.left };
}

/** The backup's paths relative to the workspace. */
export function inside({ name }: BackupWorkspace, { places, left }: Traces): Traces {
  const below = <T extends { readonly path: string }>(one: T) => ({ ...one, path: `${name}/${one.path}` });
  return { places: places.map(below), left: left.map(below) };
}

export function together(all: readonly Traces[]): Traces {
  return { places: all.flatMap(({ places }) => places), left: all.flatMap(({ left }) => left) };
}

export async function naming<T>({ name }: BackupWorkspace, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof RetainError)) throw error;
    throw new RetainError(error.code, error.message, `Fix or remove ${name}, then run it again.`);
  });
}
