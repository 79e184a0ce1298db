/** Writes facts that a model found in a conversation to INFERRED.md. Skips known and rejected facts. */
import { messageOf, RetainError } from "../../core/errors.ts";
import type { Fact } from "../../core/facts/fact.ts";
import { factId } from "../../core/facts/fact-text.ts";
import { parseHistory } from "../../core/facts/history.ts";
import { HISTORIES } from "../../core/facts/memory-paths.ts";
import { comparison } from "../candidates/compare.ts";
import { decide, type NearFact } from "../compare/decide.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { currentFacts, syncMemories } from "../sync/sync-facts.ts";
import { holderOf, workspaceFor } from "../write/route-facts.ts";
import { writeFacts } from "../write/write-facts.ts";
import type { NewFact, Written } from "../write/written.ts";

/**
 * `about` decides the workspace: a fact about the person goes to the home workspace, not into a project that others read. A fact that
 * names the facts it replaces is written next to them; if its text is empty, they end.
 */
export interface UnconfirmedFact {
  readonly about: "person" | "project";
  readonly fact: NewFact;
}

export interface KeptUnconfirmed extends Pick<Written, "superseded" | "ended"> {
  readonly saved: readonly { readonly id: string; readonly text: string }[];
  /** Already known (`as` is the known fact's id), or rejected before. */
  readonly skipped: readonly { readonly text: string; readonly why: string; readonly as: string | null }[];
  /** Facts that could not be written, and why. */
  readonly failed: readonly { readonly text: string; readonly why: string }[];
}

/** How many facts are written under one lock: other writers wait for it. */
const AT_ONCE = 250;
const NOTHING: KeptUnconfirmed = { saved: [], skipped: [], superseded: [], ended: [], failed: [] };

/** Everything in `saved` is durable on return. Reports failed writes in `failed` instead of throwing. */
export async function writeUnconfirmed(
  workspaces: FactWorkspaces,
  found: readonly UnconfirmedFact[],
): Promise<KeptUnconfirmed> {
  const groups = Map.groupBy(found, (one) => targetOf(workspaces, one));
  const results: KeptUnconfirmed[] = [];
  for (const [workspace, its] of groups)
    for (let at = 0; at < its.length; at += AT_ONCE) {
      const facts = its.slice(at, at + AT_ONCE).map(({ fact }) => ({ ...fact, inferred: true }));
      try {
        results.push(await kept(workspaces, workspace, facts));
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
    ended: results.flatMap(({ ended }) => ended),
    failed: results.flatMap(({ failed }) => failed),
  };
}

function targetOf(workspaces: FactWorkspaces, { about, fact }: UnconfirmedFact): FactWorkspace {
  const replacesEnded = (fact.replaces ?? []).length > 0 && holderOf(workspaces, fact) === undefined;
  // A killed run may have written it already, next to what it replaced.
  const written = replacesEnded ? holderOf(workspaces, { replaces: [factId(fact.text, null)] }) : undefined;
  return written ?? workspaceFor(workspaces, { ...fact, about });
}

async function kept(
  workspaces: FactWorkspaces,
  workspace: FactWorkspace,
  found: readonly NewFact[],
): Promise<KeptUnconfirmed> {
  const { embedders } = workspaces;
  const rejected = workspaces.read.flatMap(rejectedIn);
  const others = workspaces.read.filter((one) => one !== workspace);
  const elsewhere = await knownIn(
    others,
    embedders,
    found.filter(({ text, replaces = [] }) => text !== "" && replaces.length === 0),
  );
  const fresh: NewFact[] = [];
  const skipped: { text: string; why: string; as: string | null }[] = [];
  for (const fact of found) {
    const { text } = fact;
    const as = elsewhere.get(text);
    if (isOneOf(text, rejected)) skipped.push({ text, why: "a person removed or forgot it", as: null });
    else if (as !== undefined) skipped.push({ text, why: "already known in another workspace", as });
    else fresh.push(fact);
  }
  if (fresh.length === 0) return { ...NOTHING, skipped };
  const compare = await comparison(workspace, embedders, fresh);
  const result = await writeFacts(workspace, "learn", { facts: fresh, notes: [], working: null }, compare);
  return {
    ...{ superseded: result.superseded, ended: result.ended, failed: [] },
    saved: result.saved.map(({ id, text }) => ({ id, text })),
    skipped: [...skipped, ...result.skipped],
  };
}

/** Texts that one of these workspaces already has, each with its id there. */
async function knownIn(
  workspaces: readonly FactWorkspace[],
  embedders: FactWorkspaces["embedders"],
  facts: readonly NewFact[],
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, string>();
  for (const workspace of workspaces) {
    const compare = await comparison(workspace, embedders, facts);
    const holding = currentFacts(workspace).filter(isShared);
    for (const { text } of facts) {
      const verdict = compare(text, holding, null);
      if (verdict.kind === "same") known.set(text, verdict.as);
    }
  }
  return known;
}

function isShared({ ended_at, chat }: Fact): boolean {
  return ended_at === null && chat === null;
}

/** Removals by a person: in an editor, in a review, or with `forget`. */
const PERSON: ReadonlySet<string> = new Set(["hand", "review", "forget"]);

/**
 * Facts that a person removed and that aren't current again, oldest first. For a forgotten fact, only the id is known. A fact that
 * ended for another reason was true, and may be again.
 */
export function rejectedIn(workspace: FactWorkspace): NearFact[] {
  syncMemories(workspace);
  const rejected = new Map<string, NearFact>();
  for (const path of HISTORIES) {
    const last = new Map(
      parseHistory(workspace.files.read(path)?.content ?? "").map((entry) => [entry.id, entry]),
    );
    for (const entry of last.values())
      if (entry.kind === "removed" && entry.supersededBy === null && PERSON.has(entry.by))
        rejected.set(entry.id, { id: entry.id, text: entry.text, cosine: null });
  }
  for (const { id, ended_at } of currentFacts(workspace)) if (ended_at === null) rejected.delete(id);
  return [...rejected.values()];
}

/** Whether one of these facts says the same, even in slightly different words. */
function isOneOf(text: string, facts: readonly NearFact[]): boolean {
  const id = factId(text, null);
  const worded = facts.filter((fact) => fact.text !== "");
  return facts.some((fact) => fact.id === id) || (worded.length > 0 && decide(text, worded).kind === "same");
}
