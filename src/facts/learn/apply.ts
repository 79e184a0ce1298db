/**
 * Writes a model's findings from a batch: new unconfirmed facts, replaced and ended facts, and decisions on pairs in doubt. Applying
 * them again after a crash changes nothing.
 */
import { RetainError } from "../../core/errors.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { isInferredFile } from "../../core/facts/memory-paths.ts";
import type { FactWorkspaces } from "../ports.ts";
import { currentFacts } from "../sync/sync-facts.ts";
import { decideDoubt, doubtsIn, type ReviewDecision } from "../unconfirmed/review.ts";
import { type UnconfirmedFact, writeUnconfirmed } from "../unconfirmed/write-unconfirmed.ts";
import type { Learned, LearnedDecision } from "./answer.ts";

interface Source {
  readonly session: string;
  readonly model: string;
  /** Known facts that the model saw. Those it didn't replace are still true. */
  readonly seen: readonly string[];
}

interface Applied {
  /** Ids of the new unconfirmed facts. */
  readonly kept: readonly string[];
  readonly replaced: number;
  readonly ended: number;
  readonly decided: number;
  /** Rejected before, or already known. */
  readonly skipped: number;
}

/** The author of these facts: see `FactSource.by`. */
const BY = "learn";

/** Throws `partial`; repeating the call finishes it. */
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
  // Facts from a run that was killed before it could report them.
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

/** false if the pair is no longer in doubt. */
async function decidePair(
  workspaces: FactWorkspaces,
  { newer: id, decision, because }: LearnedDecision,
  model: string,
): Promise<boolean> {
  const pair = doubtsIn(workspaces).find(({ newer }) => newer.id === id);
  if (pair === undefined) return false;
  const { id: named, older, newer } = pair;
  // If both say the same, the confirmed one stays.
  const same: ReviewDecision = isInferredFile(newer.file) && !isInferredFile(older.file) ? "older" : "newer";
  const reason = `${model} decided: ${decision}${because === null ? "" : `, ${because}`}`;
  try {
    await decideDoubt(workspaces, named, decision === "same" ? same : decision, reason);
    return true;
  } catch (error) {
    const isSettled =
      error instanceof RetainError && ["not_found", "ambiguous", "conflict"].includes(error.code);
    if (isSettled) return false;
    throw error;
  }
}
