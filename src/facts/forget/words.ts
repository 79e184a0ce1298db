/**
 * Forgets words that match no fact or note, in documents and conversations: either the sentences that contain them, or the whole
 * documents and messages. The rest works as for a fact's text.
 */
import { RetainError } from "../../core/errors.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { removeEverywhere } from "./backups.ts";
import { removeDocument } from "./document.ts";
import { textTarget } from "./files.ts";
import { combined, type Forgotten, removeText } from "./forget.ts";
import { filesSaying, passagesSaying, unremoved } from "./passages.ts";
import { isLongEnoughToSearch } from "./short.ts";
import { FORGOTTEN, type ForgottenText, forgottenText } from "./text.ts";
import { commitsHolding } from "./traces.ts";

/** "passage": the sentences that contain it. "whole": whole documents and messages. */
export type Extent = "passage" | "whole";

/** Throws `not_found` if nothing contains the words, and `usage` if they are too short to remove. */
export async function forgetWords(
  workspaces: FactWorkspaces,
  words: string,
  extent: Extent,
): Promise<Forgotten> {
  const said = forgottenText([words]);
  const passages = passagesSaying(workspaces, words);
  if (passages.length === 0)
    throw new RetainError(
      "not_found",
      `No document or message contains ${JSON.stringify(words)}. Nothing was changed.`,
      "Pass the exact words; letter case doesn't matter.",
    );
  if (!isLongEnoughToSearch(words)) throw unremoved(words, passages);
  const found: Forgotten[] = [];
  for (const workspace of workspaces.read) {
    const own = passages.filter(({ origin }) => origin === workspace.origin);
    if (own.length === 0) continue;
    const texts = extent === "whole" ? [words] : own.map(({ text }) => text);
    const target = textTarget(texts);
    const commits = commitsHolding(workspace, target);
    if (extent === "whole") await removeWhole(workspace, said);
    const removed = await removeEverywhere(workspace, target, (one) => removeText(one, target));
    found.push({ dry_run: false, forgotten: [], commits, elsewhere: [], short: false, ...removed });
  }
  return combined(found);
}

/** Removes each durably on its own, so that a repeated call can continue. */
async function removeWhole(workspace: FactWorkspace, said: ForgottenText): Promise<void> {
  const { traces, sessions, lock } = workspace;
  await sessions.rewrite((text) => (said.holds(text) ? FORGOTTEN : text));
  await lock.exclusively(() => {
    for (const { path } of filesSaying(workspace, "document", said)) removeDocument(traces.tree, path);
  });
}
