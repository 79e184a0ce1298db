/** Rejects an unconfirmed fact: removes it, restores the facts it had replaced, and keeps it from being proposed again. */

import { RetainError } from "../../core/errors.ts";
import { withBullet } from "../../core/facts/bullets.ts";
import { type Fact, restated } from "../../core/facts/fact.ts";
import type { HistoryEntry } from "../../core/facts/history.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { command, hint } from "../../core/hint.ts";
import { isoSeconds } from "../../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { tell } from "../sync/history-file.ts";
import { syncFacts } from "../sync/sync-facts.ts";
import { removeLines, requireOthersStay } from "../write/checks.ts";
import { Drafts } from "../write/drafts.ts";
import { inferredFact } from "./confirm.ts";
import { INFERRED_HEAD } from "./inferred.ts";

export interface Rejected {
  readonly rejected: Pick<Fact, "id" | "text">;
  /** Facts it had replaced, which are current again. */
  readonly restored: readonly Pick<Fact, "id" | "text">[];
}

/** By id or the start of one. Throws `not_found`, `ambiguous`, and `conflict` for a fact that isn't unconfirmed. */
export async function rejectFact(workspaces: FactWorkspaces, id: string): Promise<Rejected> {
  const { origin, fact } = inferredFact(workspaces, id);
  const workspace = workspaces.read.find((one) => one.origin === origin) ?? workspaces.nearest;
  return workspace.lock.exclusively(() => reject(workspace, fact.id));
}

function reject(workspace: FactWorkspace, id: string): Rejected {
  const facts = syncFacts(workspace);
  const fact = facts.find((one) => one.id === id && one.ended_at === null && isInferredFile(one.file));
  if (fact === undefined)
    throw new RetainError(
      "conflict",
      "The fact has changed in the meantime.",
      hint`See: ${command("review")}`,
    );
  const at = isoSeconds(workspace.clock());
  const drafts = new Drafts(workspace.files);
  removeLines(workspace, drafts, fact);
  const { text, file } = fact;
  const entries: HistoryEntry[] = [
    {
      kind: "removed",
      at,
      id,
      text,
      file,
      by: "review",
      supersededBy: null,
      because: "a person rejected it",
    },
  ];
  const replaced = facts.filter((one) => one.ended_at !== null && one.superseded_by === id);
  for (const old of replaced) {
    const content = drafts.read(old.file) || (isInferredFile(old.file) ? INFERRED_HEAD : "");
    drafts.write(old.file, withBullet(content, old.text, old.category));
    entries.push(restated({ ...old, because: "what replaced it was rejected" }, at));
  }
  tell(drafts, entries);
  const changes = drafts.changes();
  requireOthersStay(changes, new Set([id]));
  workspace.files.change("review", at, changes);
  syncFacts(workspace);
  return { rejected: { id, text }, restored: replaced.map((old) => ({ id: old.id, text: old.text })) };
}
