/** The facts that hold, or held at a date, and those that have ended. */
import { asOf, type Fact, replay } from "../core/facts/fact.ts";
import type { HistoryEntry } from "../core/facts/history.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { entriesIn } from "./sync/history-file.ts";
import { currentFacts, syncMemories } from "./sync/sync-facts.ts";

export interface FactsOptions {
  /** Those that hold (default), those that have ended, or all. */
  which?: "holding" | "superseded" | "all";
  /** As things stood at this moment, by what HISTORY.md says. */
  asOf?: Date;
  /** Only this chat's; by default the workspace's own and every chat's. */
  chat?: string;
  /** Only those that wait to be confirmed. */
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
