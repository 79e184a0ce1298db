/** Forgets one message: its text leaves every conversation, with titles and summaries made from it. Documents and facts stay. */
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { backupsOf, inside, naming, type Traces, together } from "./backups.ts";
import { textTarget } from "./files.ts";
import { type Forgotten, removeText } from "./forget.ts";
import { isLongEnoughToSearch } from "./short.ts";
import { FORGOTTEN, forgottenText } from "./text.ts";

/** Throws `io` and `locked`; repeating the call finishes it. */
export async function forgetMessage(
  workspaces: FactWorkspaces,
  { id, content }: { readonly id: number; readonly content: string },
  dryRun: boolean,
): Promise<Forgotten> {
  const holder = workspaces.read.find(({ sessions }) => sessions.message(id) !== null) ?? workspaces.nearest;
  const found: Traces[] = [];
  for (const backup of backupsOf(holder))
    found.push(inside(backup, await naming(backup, erased(backup, content, dryRun))));
  found.push(await erased(holder, content, dryRun));
  const forgotten = [{ id: String(id), kind: "message" as const, origin: holder.origin }];
  return { dry_run: dryRun, forgotten, ...together(found), commits: [], elsewhere: [], short: false };
}

async function erased(workspace: FactWorkspace, content: string, dryRun: boolean): Promise<Traces> {
  const { sessions } = workspace;
  const said = forgottenText([content]);
  // Other texts may contain a short one by chance.
  const edit = (text: string) =>
    text === content ? FORGOTTEN : isLongEnoughToSearch(content) ? said.without(text) : text;
  const places = sessions
    .holding((text) => edit(text) !== text)
    .map((path) => ({ what: "conversation", path }));
  if (dryRun || places.length === 0) return { places, left: [] };
  await sessions.rewrite(edit);
  const { left } = await removeText(workspace, textTarget([]));
  return { places, left };
}
