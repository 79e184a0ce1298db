/**
 * Mental models as files. What is written was read before, and is compared with what is there once the lock is held: whatever a
 * person or another process did meanwhile stays.
 */
import { join } from "node:path";
import { checkName, checkNewName } from "../../core/documents/names.ts";
import { messageOf, RetainError } from "../../core/errors.ts";
import { kindOfFile } from "../../core/facts/memory-paths.ts";
import { type MentalModel, parseMentalModel } from "../../core/mental-model.ts";
import { isoSeconds } from "../../util/text.ts";
import type { MentalModelPorts, MentalModelWorkspace } from "./ports.ts";

export interface StoredMentalModel extends MentalModel {
  readonly workspace: MentalModelWorkspace;
  /** Where it is on the disk. */
  readonly path: string;
  /** As it stands there; null where it cannot be read. */
  readonly file: string | null;
}

/** Of one workspace, by name. A file that cannot be read is told in its place. */
export function mentalModelsIn(workspace: MentalModelWorkspace): StoredMentalModel[] {
  return workspace.files.scan().flatMap(({ path }) => {
    const kind = kindOfFile(path);
    if (kind?.kind !== "model") return [];
    const model = readMentalModel(workspace, kind.name);
    return model === null ? [] : [model];
  });
}

/** null where there is none. */
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

/** The nearest of that name. Throws `invalid_name`, `not_found`. */
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
      ? `To add it again: retain mental-models add ${name}`
      : "List them with: retain mental-models list",
  );
}

export interface Replacement {
  /** What was read; null where there was no file. */
  readonly before: string | null;
  readonly after: string | null;
  /** What `undo` calls it, where it is to take this back; by default it is not, since an answer can be made again. */
  readonly undo?: string;
}

/** False, with nothing changed, where the file is not what was read any more. Throws `io`, `locked`, `invalid_name`. */
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
