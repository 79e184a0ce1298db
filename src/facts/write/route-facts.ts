/**
 * Sends new facts to where memory is stored: the local workspace, where they are compared with known facts, or a backend on a
 * server, which compares them itself. Notes and working memory are always local.
 */

import { RetainError } from "../../core/errors.ts";
import { type Fact, isOver, SHORTEST_ID } from "../../core/facts/fact.ts";
import { factId, isUnder } from "../../core/facts/fact-text.ts";
import { withEnd } from "../../core/facts/until.ts";
import { tagOfChat } from "../../core/memory.ts";
import type { BackendItem } from "../../core/ports/backend.ts";
import { comparison } from "../candidates/compare.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { currentFacts } from "../sync/sync-facts.ts";
import { isAboutPerson } from "./about-person.ts";
import { writeFacts } from "./write-facts.ts";
import { type NewFact, type ToWrite, together, type Written } from "./written.ts";

interface NewKept extends Written {
  /** Facts that the server didn't accept, and why. */
  readonly failed: readonly { readonly text: string; readonly why: string }[];
}

/** The workspace of the fact that a new one replaces, found by id or else by key; the nearest first. */
export function holderOf(
  { read }: Pick<FactWorkspaces, "read">,
  { replaces = [], key = null }: Pick<NewFact, "replaces" | "key">,
): FactWorkspace | undefined {
  const holding = (isNamed: (fact: Fact) => boolean) =>
    read.find((workspace) =>
      currentFacts(workspace).some((fact) => (fact.ended_at === null || isOver(fact)) && isNamed(fact)),
    );
  const ids = replaces.filter((id) => id.length >= SHORTEST_ID);
  return (
    (ids.length === 0 ? undefined : holding((fact) => ids.some((id) => fact.id.startsWith(id)))) ??
    (key === null ? undefined : holding((fact) => isUnder(key, fact)))
  );
}

/**
 * Where a fact goes: to the workspace that its writer names, else to that of the fact it replaces. Otherwise a fact about the person
 * goes to the home workspace, if that is read here, and any other fact to the nearest.
 */
export function workspaceFor(workspaces: FactWorkspaces, fact: NewFact): FactWorkspace {
  const { nearest, home, read } = workspaces;
  if (fact.scope !== undefined) return fact.scope === "global" ? home : nearest;
  const isHomes = read.includes(home) && (isForAll(fact) || saysThePerson(home, fact));
  return holderOf(workspaces, fact) ?? (isHomes ? home : nearest);
}

/** Whether the person has already said it of themselves, so that a model's mark of it is not saved again. */
function saysThePerson(home: FactWorkspace, { text, chat, source }: NewFact): boolean {
  const stated = { chat, text, category: null, source: { ...source, trust: "stated" as const } };
  if (!isAboutPerson(stated)) return false;
  const known = currentFacts(home).find(({ id }) => id === factId(text, chat));
  return known !== undefined && known.ended_at === null && known.source.trust === "stated";
}

function isForAll(fact: NewFact): boolean {
  return fact.scope === undefined ? isAboutPerson(fact) : fact.scope === "global";
}

/** Groups facts by the workspace they go to. What they replace or end elsewhere ends there, unless a server stores facts. */
export function byWorkspace(
  workspaces: FactWorkspaces,
  facts: readonly NewFact[],
): Map<FactWorkspace, NewFact[]> {
  const groups = new Map<FactWorkspace, NewFact[]>();
  const add = (workspace: FactWorkspace, fact: NewFact) =>
    groups.set(workspace, [...(groups.get(workspace) ?? []), fact]);
  for (const fact of facts) {
    const { text, replaces = [] } = fact;
    const target = workspaceFor(workspaces, fact);
    if (workspaces.remote !== null && text !== "") {
      add(target, fact);
      continue;
    }
    const holders = new Map(
      replaces.map((id) => [id, holderOf(workspaces, { replaces: [id] }) ?? target] as const),
    );
    const rest = replaces.filter((id) => holders.get(id) === target);
    if (text !== "" || rest.length > 0) add(target, { ...fact, replaces: rest });
    for (const [id, holder] of holders)
      if (holder !== target) add(holder, { ...fact, text: "", key: null, replaces: [id] });
  }
  return groups;
}

/** Stores everything or throws. Only facts sent to a server can fail one by one. */
export async function routeFacts(
  workspaces: Pick<FactWorkspaces, "embedders" | "remote" | "nearest" | "audience">,
  workspace: FactWorkspace,
  label: string,
  toKeep: ToWrite,
): Promise<NewKept> {
  const { remote, embedders } = workspaces;
  const everywhere = workspace !== workspaces.nearest;
  const isAlone = remote !== null && workspaces.audience === "alone";
  const shared = everywhere && !isAlone ? { everywhere } : {};
  if (remote === null || toKeep.facts.length === 0) {
    const compare = await comparison(workspace, embedders, toKeep.facts);
    const kept = await writeFacts(workspace, label, toKeep, compare);
    return { ...kept, saved: kept.saved.map((one) => ({ ...one, ...shared })), failed: [] };
  }
  const at = workspace.clock().toISOString();
  const items = toKeep.facts.map((fact) => ({
    ...itemOf(fact, at),
    everywhere: everywhere || isForAll(fact),
  }));
  const { stored, queued, known, failed } = await remote.retain(items);
  const here = { ...toKeep, facts: [] };
  const isMore = here.notes.length > 0 || here.working !== null;
  const kept = isMore ? await writeFacts(workspace, label, here, () => ({ kind: "new" })) : together([]);
  return {
    ...kept,
    saved: [
      ...kept.saved,
      ...stored.map(({ id, text }) => ({ kind: "fact" as const, id, text, file: "" })),
    ].map((one) => ({ ...one, ...shared })),
    skipped: [...kept.skipped, ...known.map(({ text, as }) => ({ text, as, why: "already in the bank" }))],
    queued: queued.map((one) => ({ ...one, ...shared })),
    failed,
  };
}

function itemOf({ text, category, chat, source, asGiven, since, until }: NewFact, now: string): BackendItem {
  const { session, trust } = source;
  const tags = asGiven?.tags ?? source.tags;
  const ofChat = chat === null ? [] : [tagOfChat(chat)];
  return {
    // A server stores only the sentence, so the end goes into it.
    content: withEnd(text, until),
    context: asGiven?.context || category,
    tags: [...tags, ...ofChat],
    at: since ?? now,
    session,
    trust,
  };
}

export function requireKept([failure]: NewKept["failed"]): void {
  if (failure !== undefined) throw new RetainError("remote", `Not saved: ${failure.why}`);
}
