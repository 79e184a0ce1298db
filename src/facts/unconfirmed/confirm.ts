/** Confirms facts: moves them from INFERRED.md to MEMORY.md as one change that can be undone. */

import { RetainError } from "../../core/errors.ts";
import { GENERAL } from "../../core/facts/bullets.ts";
import type { Fact } from "../../core/facts/fact.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import { command, hint, option } from "../../core/hint.ts";
import { comparison } from "../candidates/compare.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { currentFacts, syncMemories } from "../sync/sync-facts.ts";
import { explainFact } from "../why.ts";
import { writeFacts } from "../write/write-facts.ts";
import type { NewFact, Written } from "../write/written.ts";

export interface Confirmed {
  readonly confirmed: readonly {
    readonly id: string;
    readonly text: string;
    readonly file: string;
    readonly origin: FactWorkspace["origin"];
    /** See `Written`. */
    readonly shared?: true;
  }[];
  /** Unconfirmed facts that a confirmed one already says; they were removed. */
  readonly skipped: Written["skipped"];
  /** Facts that a confirmed one replaced. */
  readonly superseded: Written["superseded"];
}

/**
 * Takes ids or starts of ids, or "all" for all unconfirmed facts, if any. Throws with nothing changed: `not_found`, `ambiguous`,
 * `conflict` for a fact that isn't unconfirmed.
 */
export async function confirmFacts(
  workspaces: FactWorkspaces,
  wanted: readonly string[] | "all",
): Promise<Confirmed> {
  const found = wanted === "all" ? waiting(workspaces) : wanted.map((id) => inferredFact(workspaces, id));
  const results: Confirmed[] = [];
  for (const workspace of workspaces.read) {
    const own = found.filter(({ origin }) => origin === workspace.origin);
    const facts = [...new Map(own.map(({ fact }) => [fact.id, confirmed(fact)])).values()];
    if (facts.length === 0) continue;
    const compare = await comparison(workspace, workspaces.embedders, facts);
    const kept = await writeFacts(workspace, "confirm", { facts, notes: [], working: null }, compare);
    const { origin } = workspace;
    results.push({
      confirmed: kept.saved.map(({ id, text, file, shared }) => ({
        ...{ id, text, file, origin },
        ...(shared && { shared }),
      })),
      skipped: kept.skipped,
      superseded: kept.superseded,
    });
  }
  return {
    confirmed: results.flatMap((one) => one.confirmed),
    skipped: results.flatMap((one) => one.skipped),
    superseded: results.flatMap((one) => one.superseded),
  };
}

interface Found {
  readonly origin: FactWorkspace["origin"];
  readonly fact: Fact;
}

function waiting({ read }: FactWorkspaces): Found[] {
  return read.flatMap((workspace) => {
    syncMemories(workspace);
    return currentFacts(workspace)
      .filter(({ ended_at, file }) => ended_at === null && isInferredFile(file))
      .map((fact) => ({ origin: workspace.origin, fact }));
  });
}

export function inferredFact(workspaces: FactWorkspaces, id: string): Found {
  const { origin, fact } = explainFact(workspaces, id);
  if (fact.ended_at === null && isInferredFile(fact.file)) return { origin, fact };
  throw new RetainError(
    "conflict",
    fact.ended_at === null
      ? `The fact ${fact.id} is in ${fact.file}, so it is already confirmed.`
      : `The fact ${fact.id} has ended.`,
    hint`To list unconfirmed facts: ${command("facts", option("unconfirmed"))}`,
  );
}

/** Keeps the source, but with a person's trust. */
function confirmed({ text, category, chat, source, created_at }: Fact): NewFact {
  const stated = { ...source, by: "confirm", trust: "stated" as const };
  return { text, category: category === GENERAL ? null : category, chat, source: stated, since: created_at };
}
