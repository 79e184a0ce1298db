/** Where a fact came from: its message with the messages around it, and the facts it replaced. */

import { RetainError } from "../core/errors.ts";
import { type Fact, SHORTEST_ID } from "../core/facts/fact.ts";
import { command, hint, option } from "../core/hint.ts";
import type { Message, StoredMessage } from "../core/sessions/conversation.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { currentFacts, syncMemories } from "./sync/sync-facts.ts";

export interface Provenance {
  readonly origin: FactWorkspace["origin"];
  readonly fact: Fact;
  /** The facts it replaced, directly or through others; newest first. */
  readonly before: Fact[];
  /** The fact that replaced it; null if none did. */
  readonly after: Fact | null;
  /** null if it didn't come from a message, or the message is gone. */
  readonly message: StoredMessage | null;
  /** The messages before and after it. */
  readonly around: Message[];
}

const AROUND = 2;

/** Throws `not_found`, or `ambiguous` if a shortened id matches several. */
export function explainFact(workspaces: FactWorkspaces, id: string): Provenance {
  const { workspace, fact } = findFact(workspaces, id);
  const facts = currentFacts(workspace);
  const { message: number } = fact.source;
  const found = number === null ? null : workspace.sessions.message(number);
  // HISTORY.md may come from another machine, or from before the database was lost, so a number may belong to another message now.
  const message = found?.session === fact.source.session ? found : null;
  return {
    origin: workspace.origin,
    fact,
    before: chain(facts, fact),
    after: facts.find((other) => other.id === fact.superseded_by) ?? null,
    message,
    around:
      message === null ? [] : workspace.sessions.around(message, AROUND).filter((one) => one.id !== number),
  };
}

/** By id or the start of one. Includes ended facts. */
function findFact(workspaces: FactWorkspaces, id: string): { workspace: FactWorkspace; fact: Fact } {
  const found = workspaces.read.flatMap((workspace) => {
    syncMemories(workspace);
    return currentFacts(workspace)
      .filter((fact) => fact.id === id || (id.length >= SHORTEST_ID && fact.id.startsWith(id)))
      .map((fact) => ({ workspace, fact }));
  });
  const exact = found.filter(({ fact }) => fact.id === id);
  const [first, second] = exact.length > 0 ? exact : found;
  if (first === undefined)
    throw new RetainError(
      "not_found",
      `There is no fact ${JSON.stringify(id)}.`,
      hint`To list all: ${command("facts", option("all"))}`,
    );
  if (second !== undefined && exact.length === 0)
    throw new RetainError("ambiguous", `${found.length} facts begin with '${id}'.`, "Pass more of the id.");
  return first;
}

function chain(facts: readonly Fact[], fact: Fact): Fact[] {
  const seen = new Set([fact.id]);
  const found: Fact[] = [];
  for (let next = [fact.id]; next.length > 0; ) {
    const before = facts.filter(
      ({ id, superseded_by }) => superseded_by !== null && next.includes(superseded_by) && !seen.has(id),
    );
    for (const { id } of before) seen.add(id);
    found.push(...before);
    next = before.map(({ id }) => id);
  }
  return found.sort((a, b) => (b.ended_at ?? "").localeCompare(a.ended_at ?? ""));
}
