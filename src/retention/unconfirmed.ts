/**
 * Writes unconfirmed facts, which somebody else found in a conversation, to INFERRED.md. Facts that a person rejected or that are
 * already known are skipped.
 */
import { messageOf, RetainError } from "../core/errors.ts";
import type { Fact } from "../core/fact.ts";
import { factId } from "../core/fact-text.ts";
import { comparison } from "./compare.ts";
import { forgottenIn } from "./history-file.ts";
import { isRejected, shortId } from "./inferred.ts";
import { keep, type NewFact } from "./keep.ts";
import type { KeptMarks } from "./keep-marks.ts";
import type { RetentionPlaces, RetentionWorkspace } from "./ports.ts";
import { currentFacts, syncMemories } from "./take-in.ts";

/** `about` decides the workspace: a fact about the person belongs to them, not into a project that others read. */
export interface UnconfirmedFact {
  readonly about: "person" | "project";
  readonly fact: NewFact;
}

export interface Inferred {
  /** `short` is enough of the id to name it. */
  readonly saved: readonly { readonly id: string; readonly short: string; readonly text: string }[];
  /** Already known, or a person removed or forgot it. */
  readonly skipped: readonly { readonly text: string; readonly why: string }[];
  readonly superseded: KeptMarks["superseded"];
  /** What could not be written, and why. */
  readonly failed: KeptMarks["failed"];
}

/** Facts that are written in one go: nobody else writes meanwhile. */
const AT_ONCE = 250;
const NOTHING: Inferred = { saved: [], skipped: [], superseded: [], failed: [] };

/** Everything in `saved` is stored on return. A failed write is reported in `failed` and throws nothing. */
export async function keepUnconfirmed(
  places: RetentionPlaces,
  found: readonly UnconfirmedFact[],
): Promise<Inferred> {
  const { nearest, home, read } = places;
  const own = read.includes(home) ? home : nearest;
  const groups = Map.groupBy(found, ({ about }) => (about === "person" ? own : nearest));
  const results: Inferred[] = [];
  for (const [workspace, its] of groups)
    for (let at = 0; at < its.length; at += AT_ONCE) {
      const facts = its.slice(at, at + AT_ONCE).map(({ fact }) => ({ ...fact, inferred: true }));
      try {
        results.push(await kept(places, workspace, facts));
      } catch (error) {
        if (!(error instanceof RetainError)) throw error;
        const why = messageOf(error);
        results.push({ ...NOTHING, failed: facts.map(({ text }) => ({ text, why })) });
      }
    }
  return {
    saved: results.flatMap(({ saved }) => saved),
    skipped: results.flatMap(({ skipped }) => skipped),
    superseded: results.flatMap(({ superseded }) => superseded),
    failed: results.flatMap(({ failed }) => failed),
  };
}

async function kept(
  places: RetentionPlaces,
  workspace: RetentionWorkspace,
  found: readonly NewFact[],
): Promise<Inferred> {
  const { embedders } = places;
  const rejected = new Set(places.read.flatMap(rejectedIn));
  const facts: NewFact[] = [];
  const skipped: { text: string; why: string }[] = [];
  for (const fact of found) {
    if (rejected.has(factId(fact.text, fact.chat)))
      skipped.push({ text: fact.text, why: "a person removed or forgot it" });
    else facts.push(fact);
  }
  const elsewhere = await knownIn(
    places.read.filter((one) => one !== workspace),
    embedders,
    facts,
  );
  const fresh = facts.filter(({ text }) => !elsewhere.has(text));
  for (const { text } of facts) if (elsewhere.has(text)) skipped.push({ text, why: "it is known elsewhere" });
  if (fresh.length === 0) return { ...NOTHING, skipped };
  const compare = await comparison(workspace, embedders, fresh);
  const result = await keep(workspace, "infer", { facts: fresh, notes: [], working: null }, compare);
  const ids = currentFacts(workspace).map(({ id }) => id);
  return {
    saved: result.saved.map(({ id, text }) => ({ id, short: shortId(id, ids), text })),
    skipped: [...skipped, ...result.skipped.map(({ text, why }) => ({ text, why }))],
    superseded: result.superseded,
    failed: [],
  };
}

/** Ids of facts that a person removed or forgot. */
function rejectedIn(workspace: RetentionWorkspace): string[] {
  syncMemories(workspace);
  const facts = currentFacts(workspace);
  return [...facts.filter(isRejected).map(({ id }) => id), ...forgottenIn(workspace).keys()];
}

/** The texts that one of these workspaces knows. */
async function knownIn(
  workspaces: readonly RetentionWorkspace[],
  embedders: RetentionPlaces["embedders"],
  facts: readonly NewFact[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const workspace of workspaces) {
    const compare = await comparison(workspace, embedders, facts);
    const holding = currentFacts(workspace).filter(isShared);
    for (const { text } of facts) if (compare(text, holding, null).kind === "same") known.add(text);
  }
  return known;
}

function isShared({ ended_at, chat }: Fact): boolean {
  return ended_at === null && chat === null;
}
