/**
 * Undoes one fact, however old: removes it and restores the facts it had replaced. A fact that has ended becomes current again. Or
 * ends a fact that was true until now: what it replaced is still over.
 */
import { RetainError } from "../core/errors.ts";
import { withBullet } from "../core/facts/bullets.ts";
import { endInWords, type Fact, isOver, restated } from "../core/facts/fact.ts";
import type { HistoryEntry } from "../core/facts/history.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { isoSeconds } from "../util/days.ts";
import { Drafts } from "./drafts.ts";
import { INFERRED_HEAD } from "./inferred.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { appendHistory } from "./sync/history-file.ts";
import { syncFacts } from "./sync/sync-facts.ts";
import { explainFact } from "./why.ts";
import { removeLines, requireOthersStay } from "./write/checks.ts";

type Named = Pick<Fact, "id" | "text">;

export interface Withdrawn {
  /** null if the fact had already ended. */
  readonly removed: Named | null;
  /** Facts that are current again. */
  readonly restored: readonly Named[];
}

/** By id or the start of one. Throws `not_found`, `ambiguous`, and `conflict` if its last day is over or it changes meanwhile. */
export async function withdrawFact(workspaces: FactWorkspaces, id: string): Promise<Withdrawn> {
  return withFact(workspaces, id, (workspace, fact, facts) => {
    const reasons = { by: "undo", removed: "a person undid it", restored: "the change was undone" };
    if (fact.ended_at !== null) return exchange(workspace, null, [fact], reasons);
    return exchange(workspace, fact, replacedBy(facts, fact), reasons);
  });
}

/** Throws like `withdrawFact`, and `conflict` if the fact has ended. */
export async function endFact(workspaces: FactWorkspaces, id: string): Promise<Withdrawn> {
  return withFact(workspaces, id, (workspace, fact) => {
    if (fact.ended_at !== null)
      throw new RetainError("conflict", `The fact has already ended (${endInWords(fact)}).`);
    return exchange(workspace, fact, [], { by: "end", removed: "a person ended it", restored: "" });
  });
}

function withFact(
  workspaces: FactWorkspaces,
  id: string,
  change: (workspace: FactWorkspace, fact: Fact, facts: readonly Fact[]) => Withdrawn,
): Promise<Withdrawn> {
  const { origin, fact } = explainFact(workspaces, id);
  const workspace = workspaces.read.find((one) => one.origin === origin) ?? workspaces.nearest;
  return workspace.lock.exclusively(() => {
    const facts = syncFacts(workspace);
    const now = facts.find((one) => one.id === fact.id);
    if (now === undefined || (now.ended_at === null) !== (fact.ended_at === null))
      throw new RetainError("conflict", "The fact has changed in the meantime.", "Look at it again.");
    if (isOver(now))
      throw new RetainError(
        "conflict",
        `The fact ended because its last day, ${now.until}, is over.`,
        "If it is true again, remember it again.",
      );
    return change(workspace, now, facts);
  });
}

export function replacedBy(facts: readonly Fact[], { id }: Fact): Fact[] {
  return facts.filter((one) => one.ended_at !== null && one.superseded_by === id);
}

interface Reasons {
  /** The writer, and the label of the change. */
  readonly by: string;
  readonly removed: string;
  readonly restored: string;
}

/** Removes a fact and restores others, as one change. Needs the lock. */
export function exchange(
  workspace: FactWorkspace,
  gone: Fact | null,
  back: readonly Fact[],
  { by, ...because }: Reasons,
): Withdrawn {
  const at = isoSeconds(workspace.clock());
  const drafts = new Drafts(workspace.files);
  const entries: HistoryEntry[] = [];
  if (gone !== null) {
    const { id, text, file } = gone;
    removeLines(workspace, drafts, gone);
    entries.push({
      ...{ kind: "removed", at, id, text, file, by },
      ...{ supersededBy: null, because: because.removed },
    });
  }
  for (const old of back) {
    const content = drafts.read(old.file) || (isInferredFile(old.file) ? INFERRED_HEAD : "");
    drafts.write(old.file, withBullet(content, old.text, old.category));
    entries.push(restated({ ...old, because: because.restored }, at));
  }
  appendHistory(drafts, entries);
  const changes = drafts.changes();
  requireOthersStay(changes, new Set(gone === null ? [] : [gone.id]));
  workspace.files.change(by, at, changes);
  syncFacts(workspace);
  const named = ({ id, text }: Fact) => ({ id, text });
  return { removed: gone && named(gone), restored: back.map(named) };
}
