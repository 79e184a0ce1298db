/** Forgets a whole document: its file and its versions, in the workspace and in its backups. */
import { RetainError } from "../../core/errors.ts";
import { command, hint } from "../../core/hint.ts";
import type { WorkspaceTree } from "../../core/ports/traces.ts";
import { decodeUtf8 } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { backupsOf, inside, naming, type Traces, together } from "./backups.ts";
import { isVersion, textTarget } from "./files.ts";
import { type Forgotten, removeText } from "./forget.ts";
import { commitsHolding } from "./traces.ts";

export interface DocumentToForget {
  readonly id: string;
  readonly origin: FactWorkspace["origin"];
  /** Below the workspace. */
  readonly path: string;
}

/** Throws `not_found` with nothing changed. Throws `io` and `locked`; repeating the call finishes it. */
export async function forgetDocument(
  workspaces: FactWorkspaces,
  { id, origin, path }: DocumentToForget,
  dryRun: boolean,
): Promise<Forgotten> {
  const workspace = workspaces.read.find((one) => one.origin === origin);
  const content = workspace?.traces.tree.read(path) ?? null;
  if (workspace === undefined || content === null)
    throw new RetainError("not_found", `There is no document '${id}'.`, hint`List all: ${command("list")}`);
  const commits = commitsHolding(workspace, textTarget([decodeUtf8(content) ?? ""]));
  const found: Traces[] = [];
  for (const backup of backupsOf(workspace))
    found.push(inside(backup, await naming(backup, removed(backup, path, dryRun))));
  found.push(await removed(workspace, path, dryRun));
  const forgotten = [{ id, kind: "document" as const, origin }];
  return { dry_run: dryRun, forgotten, ...together(found), commits, elsewhere: [], short: false };
}

async function removed(workspace: FactWorkspace, path: string, dryRun: boolean): Promise<Traces> {
  const { lock, traces } = workspace;
  const paths = filesOf(traces.tree, path);
  const places = paths.map((one) => ({ what: isVersion(one) ? "version" : "document", path: one }));
  if (dryRun || paths.length === 0) return { places, left: [] };
  await lock.exclusively(() => removeDocument(traces.tree, path));
  const { left } = await removeText(workspace, textTarget([]));
  return { places, left };
}

/** Call with the lock held. Removes the versions first: as long as the document exists, a repeated call finds it again. */
export function removeDocument(tree: WorkspaceTree, path: string): void {
  for (const one of filesOf(tree, path).toReversed()) tree.write(one, null);
}

/** The document, then its versions. */
function filesOf(tree: WorkspaceTree, path: string): string[] {
  const at = path.lastIndexOf("/");
  const versions = `${path.slice(0, at)}/.versions/${path.slice(at + 1).replace(/\.md$/, "")}/`;
  const all = tree.paths();
  return [...all.filter((one) => one === path), ...all.filter((one) => one.startsWith(versions))];
}
