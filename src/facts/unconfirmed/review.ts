/** Pairs of facts in doubt: the newer one may replace the older one, and a person decides. Each decision is one change. */
import { RetainError } from "../../core/errors.ts";
import { type Fact, restated } from "../../core/facts/fact.ts";
import type { HistoryEntry } from "../../core/facts/history.ts";
import { command, hint } from "../../core/hint.ts";
import { isoSeconds } from "../../util/days.ts";
import { Drafts } from "../drafts.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { appendHistory } from "../sync/history-file.ts";
import { currentFacts, syncFacts, syncMemories } from "../sync/sync-facts.ts";
import { removeLines, requireOthersStay } from "../write/checks.ts";

/** The label of the change. */
export const REVIEW = "review";

/** Which of the two is true. */
export const DECISIONS = ["newer", "both", "older"] as const;
export type ReviewDecision = (typeof DECISIONS)[number];

export interface Doubt {
  /** Names this pair only: a fact may be in several. */
  readonly id: string;
  readonly origin: FactWorkspace["origin"];
  readonly older: Fact;
  readonly newer: Fact;
}

/** Newest first. */
export function doubtsIn({ read }: Pick<FactWorkspaces, "read">): Doubt[] {
  return read
    .flatMap((workspace) => {
      syncMemories(workspace);
      return doubtsAmong(currentFacts(workspace)).map((pair) => ({
        ...{ id: `${pair.older.id}+${pair.newer.id}`, origin: workspace.origin },
        ...pair,
      }));
    })
    .sort((a, b) => b.newer.created_at.localeCompare(a.newer.created_at));
}

export function doubtsAmong(facts: readonly Fact[]): Pick<Doubt, "older" | "newer">[] {
  const holding = new Map(facts.filter(({ ended_at }) => ended_at === null).map((fact) => [fact.id, fact]));
  return [...holding.values()].flatMap((newer) => {
    const older = newer.doubts === null ? undefined : holding.get(newer.doubts);
    return older === undefined ? [] : { older, newer };
  });
}

/**
 * `id` is the pair's, or the start of the doubtful (older) fact's id, or else of the newer one's. Throws `not_found` if the pair is no
 * longer in doubt, and `ambiguous`.
 */
export async function decideDoubt(
  workspaces: FactWorkspaces,
  id: string,
  decision: ReviewDecision,
  because = `a person decided: ${decision}`,
): Promise<Doubt> {
  const all = doubtsIn(workspaces);
  const byOlder = all.filter((pair) => pair.id.startsWith(id));
  const pairs = byOlder.length > 0 ? byOlder : all.filter(({ newer }) => newer.id.startsWith(id));
  const [pair, another] = pairs;
  if (pair === undefined)
    throw new RetainError("not_found", `Fact ${id} is not in doubt.`, hint`List them: ${command("review")}`);
  if (another !== undefined)
    throw new RetainError(
      "ambiguous",
      [
        `${pairs.length} pairs in doubt match ${id}:`,
        ...pairs.map(({ id, older, newer }) => `  ${id}  ${older.text} / ${newer.text}`),
      ].join("\n"),
      hint`Pass the id of a pair: ${command("review", pair.id)}`,
    );
  const workspace = workspaces.read.find(({ origin }) => origin === pair.origin) ?? workspaces.nearest;
  await workspace.lock.exclusively(() => settle(workspace, pair, decision, because));
  return pair;
}

function settle(workspace: FactWorkspace, pair: Doubt, decision: ReviewDecision, because: string): void {
  const now = doubtsAmong(syncFacts(workspace)).find(({ newer }) => newer.id === pair.newer.id);
  if (now === undefined)
    throw new RetainError(
      "conflict",
      "One of the two facts has changed in the meantime.",
      hint`See: ${command("review")}`,
    );
  const { older, newer } = now;
  const at = isoSeconds(workspace.clock());
  const drafts = new Drafts(workspace.files);
  const ends = decision === "both" ? null : decision === "newer" ? older : newer;
  if (ends !== null) removeLines(workspace, drafts, ends);
  const stays = ends === newer ? older : newer;
  const entries: HistoryEntry[] = [
    ...(ends === null ? [] : [{ ...removalOf(ends, at), supersededBy: stays.id, because }]),
    restated({ ...stays, because, doubts: decision === "both" ? null : older.doubts }, at),
  ];
  appendHistory(drafts, entries);
  const changes = drafts.changes();
  requireOthersStay(changes, new Set(ends === null ? [] : [ends.id]));
  workspace.files.change(REVIEW, at, changes);
  syncFacts(workspace);
}

function removalOf({ id, text, file }: Fact, at: string) {
  return { kind: "removed", at, id, text, file, by: "review" } as const;
}
