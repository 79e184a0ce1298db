/** Lists current facts, facts as of a date, and ended facts. */
import { asOf, endInWords, type Fact, replay } from "../core/facts/fact.ts";
import type { HistoryEntry } from "../core/facts/history.ts";
import { isInferredFile } from "../core/facts/memory-paths.ts";
import { withEnd } from "../core/facts/until.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { entriesIn } from "./sync/history-file.ts";
import { currentFacts, syncMemories } from "./sync/sync-facts.ts";
import { doubtsAmong } from "./unconfirmed/review.ts";

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
  /** The id of the fact that may replace it, until a person decides; null if none does. */
  readonly may_be_outdated_by: string | null;
}

export function listFacts(workspaces: FactWorkspaces, options: FactsOptions): OwnedFact[] {
  const chat = options.chat?.normalize("NFC");
  return workspaces.read.flatMap((workspace) => {
    syncMemories(workspace);
    const facts = factsAt(workspace, options.asOf);
    const newer = new Map(doubtsAmong(facts).map((pair) => [pair.older.id, pair.newer.id]));
    return facts
      .filter((fact) => chat === undefined || fact.chat === chat)
      .filter(({ file }) => options.unconfirmed !== true || isInferredFile(file))
      .filter((fact) => isWanted(fact, options.which ?? "holding"))
      .map((fact) => ({
        ...fact,
        origin: workspace.origin,
        may_be_outdated_by: newer.get(fact.id) ?? null,
      }));
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

/** A fact with its state: "I live in Ulm (may be outdated by 3f9a2xw0c1)". */
export function factInWords(fact: OwnedFact): string {
  const { text, until, ended_at, file, may_be_outdated_by: newer } = fact;
  if (ended_at !== null) return `${text} (${endInWords(fact)})`;
  const doubt = newer === null ? "" : ` (may be outdated by ${newer})`;
  return withEnd(isInferredFile(file) ? `${text} (unconfirmed)` : text, until) + doubt;
}
