/**
 * Writes what a model learned from a batch: new facts as unconfirmed ones, what they replace, what ended, and decisions on pairs in
 * doubt. Applying it again after a kill changes nothing.
 */
import { RetainError } from "../../core/errors.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import type { FactWorkspaces } from "../ports.ts";
import { currentFacts } from "../sync/sync-facts.ts";
import { decideDoubt, doubtsIn, type ReviewDecision } from "../unconfirmed/review.ts";
import { type UnconfirmedFact, writeUnconfirmed } from "../unconfirmed/write-unconfirmed.ts";
import type { Learned, LearnedDecision } from "./answer.ts";

export interface Source {
  readonly session: string;
  readonly model: string;
  /** Known facts that the model saw. One that it did not replace is true, too. */
  readonly seen: readonly string[];
}

export interface Applied {
  /** Ids of the facts that are unconfirmed now. */
  readonly kept: readonly string[];
  readonly replaced: number;
  readonly ended: number;
  readonly decided: number;
  /** Rejected before, or known by then. */
  readonly skipped: number;
}

/** Who writes these facts: see `FactSource.by`. */
const BY = "learn";

/** Throws `partial`: then the same call finishes it later. */
export async function applyLearned(
  workspaces: FactWorkspaces,
  { facts, ended: endings, decisions }: Learned,
  saidIn: Source,
): Promise<Applied> {
  const { session, model } = saidIn;
  // The facts of one answer are all true.
  const seen = [...saidIn.seen, ...facts.map(({ text }) => factId(text, null))];
  const because = (reason: string | null) => `${model}: ${reason ?? "the conversation says so"}`;
  const source = (message: number | null) => {
    return { by: BY, session, message, trust: "inferred" as const, tags: [] };
  };
  const found: UnconfirmedFact[] = [
    ...facts.map(({ text, message, at: since, about, replaces, key, because: reason }) => ({
      about,
      fact: {
        ...{ text, category: null, chat: null, source: source(message), since, key, replaces, seen },
        because: because(reason),
      },
    })),
    ...endings.map(({ id, because: reason }) => ({
      about: "project" as const,
      fact: {
        ...{ text: "", category: null, chat: null, source: source(null), replaces: [id] },
        because: because(reason),
      },
    })),
  ];
  const { saved, skipped, superseded, ended, failed } = await writeUnconfirmed(workspaces, found);
  const [failure] = failed;
  if (failure !== undefined) throw new RetainError("partial", failure.why);
  let decided = 0;
  for (const decision of decisions) if (await decidePair(workspaces, decision, model)) decided++;
  // Those that a run wrote that was killed before it could say so.
  const again = skipped.flatMap(({ as }) => (as !== null && isOwn(workspaces, as, session) ? [as] : []));
  const kept = [...new Set([...saved.map(({ id }) => id), ...again])];
  return {
    kept,
    replaced: superseded.length,
    ended: ended.length,
    decided,
    skipped: Math.max(0, facts.length - kept.length),
  };
}

function isOwn({ read }: FactWorkspaces, id: string, session: string): boolean {
  return read.some((workspace) =>
    currentFacts(workspace).some(
      (fact) => fact.id === id && isInferredFile(fact.file) && fact.source.session === session,
    ),
  );
}

/** false where the pair is not in doubt any more. */
async function decidePair(
  workspaces: FactWorkspaces,
  { newer: id, decision, because }: LearnedDecision,
  model: string,
): Promise<boolean> {
  const pair = doubtsIn(workspaces).find(({ newer }) => newer.id === id);
  if (pair === undefined) return false;
  const { older, newer } = pair;
  // Of two that say the same, the confirmed one stays.
  const same: ReviewDecision = isInferredFile(newer.file) && !isInferredFile(older.file) ? "older" : "newer";
  const reason = `${model} decided: ${decision}${because === null ? "" : `, ${because}`}`;
  try {
    await decideDoubt(workspaces, id, decision === "same" ? same : decision, reason);
    return true;
  } catch (error) {
    const isSettled =
      error instanceof RetainError && ["not_found", "ambiguous", "conflict"].includes(error.code);
    if (isSettled) return false;
    throw error;
  }
}
