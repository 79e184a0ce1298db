/** Lists current facts, facts as of a date, and ended facts. */
import { asOf, endInWords, type Fact, replay } from "../core/facts/fact.ts";
import type { HistoryEntry } from "../core/facts/history.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { withEnd } from "../core/facts/until.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { entriesIn } from "./sync/history-file.ts";
import { currentFacts, syncMemories } from "./sync/sync-facts.ts";

export interface FactsOptions {
  /** Current facts (default), ended facts, or all. */
  which?: "holding" | "superseded" | "all";
  /** As of this moment, according to HISTORY.md. */
  asOf?: Date;
  /** Only this chat's facts. Default: the workspace's and every chat's. */
  chat?: string;
  /** Only unconfirmed facts. */
  unconfirmed?: boolean;
}

export interface OwnedFact extends Fact {
  readonly origin: FactWorkspace["origin"];
}

export function listFacts(workspaces: FactWorkspaces, options: FactsOptions): OwnedFact[] {
  const chat = options.chat?.normalize("NFC");
  return workspaces.read.flatMap((workspace) => {
    syncMemories(workspace);
    return factsAt(workspace, options.asOf)
      .filter((fact) => chat === undefined || fact.chat === chat)
      .filter(({ file }) => options.unconfirmed !== true || isInferredFile(file))
      .filter((fact) => isWanted(fact, options.which ?? "holding"))
      .map((fact) => ({ ...fact, origin: workspace.origin }));
  });
}

function factsAt(workspace: FactWorkspace, moment: Date | undefined): readonly Fact[] {
  if (moment === undefined) return currentFacts(workspace);
  const entries = entriesIn((path) => workspace.files.read(path)?.content);
  const since = (entry: HistoryEntry) =>
    Date.parse((entry.kind === "added" ? entry.since : null) ?? entry.at);
  return asOf([...replay(entries.filter((entry) => since(entry) <= moment.getTime())).values()], moment);
}

function isWanted({ ended_at }: Fact, which: NonNullable<FactsOptions["which"]>): boolean {
  return which === "all" || (which === "holding") === (ended_at === null);
}

/** Each of these facts with its state: "I live in Ulm (may be outdated by 3f9a2xw0c1)". */
export function factsInWords(listed: readonly Fact[]): (fact: Fact) => string {
  const newer = new Map(
    listed.flatMap(({ id, doubts, ended_at }) =>
      doubts === null || ended_at !== null ? [] : [[doubts, id]],
    ),
  );
  return (fact) => {
    const { id, text, until, ended_at, file } = fact;
    if (ended_at !== null) return `${text} (${endInWords(fact)})`;
    const by = newer.get(id);
    const doubt = by === undefined ? "" : ` (may be outdated by ${by})`;
    return withEnd(isInferredFile(file) ? `${text} (unconfirmed)` : text, until) + doubt;
  };
}
