/**
 * Mental models as files. Before a write, the file is compared under the lock with what was read, so that changes by the user or
 * another process are never overwritten.
 */
import { join } from "node:path";
import { checkName, checkNewName } from "../../core/documents/names.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { kindOfFile } from "../../core/facts/memory-paths.ts";
import { command, hint } from "../../core/hint.ts";
import { type MentalModel, parseMentalModel } from "../../core/mental-model.ts";
import { isoSeconds } from "../../util/days.ts";
import type { BuiltIn } from "./built-in.ts";
import type { MentalModelPorts, MentalModelWorkspace } from "./ports.ts";

export interface StoredMentalModel extends MentalModel {
  readonly workspace: MentalModelWorkspace;
  /** Absolute path. */
  readonly path: string;
  /** The file's content; null if it cannot be read. */
  readonly file: string | null;
}

/** All of one workspace, by name. An unreadable file is listed with its problem. */
export function mentalModelsIn(workspace: MentalModelWorkspace): StoredMentalModel[] {
  return workspace.files.scan().flatMap(({ path }) => {
    const kind = kindOfFile(path);
    if (kind?.kind !== "model") return [];
    const model = readMentalModel(workspace, kind.name);
    return model === null ? [] : [model];
  });
}

/** null if there is none. */
export function readMentalModel(workspace: MentalModelWorkspace, name: string): StoredMentalModel | null {
  const origin = { workspace, path: join(workspace.files.root, pathOf(name)) };
  try {
    const file = workspace.files.read(pathOf(name))?.content ?? null;
    return file === null ? null : { ...parseMentalModel(name, file), ...origin, file };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    return { ...parseMentalModel(name, ""), ...origin, file: null, problem: messageOf(error) };
  }
}

function pathOf(name: string): string {
  return `models/${name}.md`;
}

/** The one in the nearest workspace. Throws `invalid_name`, `not_found`. */
export function findMentalModel(
  ports: Pick<MentalModelPorts, "workspaces">,
  name: string,
): StoredMentalModel {
  checkName("id", name);
  const found = ports.workspaces().flatMap((workspace) => readMentalModel(workspace, name) ?? []);
  const model = found.find(({ state }) => state !== "removed");
  if (model !== undefined) return model;
  throw new RetainError(
    "not_found",
    found.length > 0 ? `The mental model '${name}' was removed.` : `There is no mental model '${name}'.`,
    found.length > 0
      ? hint`To add it again: ${command("mental-models add", name)}`
      : hint`List them with: ${command("mental-models list")}`,
  );
}

/** Where a built-in one lives; undefined where it has no origin here. */
export function workspaceOf(
  { workspaces }: Pick<MentalModelPorts, "workspaces">,
  seed: BuiltIn,
): MentalModelWorkspace | undefined {
  return workspaces().find(({ origin }) => origin === seed.origin);
}

interface Replacement {
  /** The content that was read; null if there was no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** The label for `undo`; by default the change cannot be undone, since an answer can be regenerated. */
  readonly undo?: string;
}

/** Returns false, and changes nothing, if the file differs from `before`. Throws `io`, `locked`, `invalid_name`. */
export async function replaceMentalModel(
  { files, lock }: MentalModelWorkspace,
  name: string,
  { before, after, undo }: Replacement,
  now: Date,
): Promise<boolean> {
  if (before === null) checkNewName("id", name);
  const path = pathOf(name);
  return lock.exclusively(() => {
    if (files.unfinished) files.recover();
    if ((files.read(path)?.content ?? null) !== before) return false;
    if (undo !== undefined || after === null)
      files.change(undo ?? "models", isoSeconds(now), [{ path, before, after }]);
    else files.write(path, after);
    return true;
  });
}

/** Lets `undo` revert the addition together with its first answer. `before`: see `Replacement`. */
export async function recordAddition(
  { files, lock }: MentalModelWorkspace,
  name: string,
  before: string | null,
  now: Date,
): Promise<void> {
  const path = pathOf(name);
  await lock.exclusively(() => {
    const after = files.read(path)?.content ?? null;
    files.recordChange("mental-models add", isoSeconds(now), { files: [{ path, before, after }] });
  });
}
