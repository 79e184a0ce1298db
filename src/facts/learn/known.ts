/** Finds what is known near the turns of a batch: facts, pairs in doubt, and facts that a person rejected. */
import { listFacts, type OwnedFact } from "../list-facts.ts";
import type { FactWorkspaces } from "../ports.ts";
import { type Doubt, doubtsIn } from "../unconfirmed/review.ts";
import { rejectedIn } from "../unconfirmed/write-unconfirmed.ts";
import type { Batch } from "./batch.ts";

export interface Known {
  readonly facts: readonly OwnedFact[];
  /** Both facts of each pair are in `facts`. */
  readonly pairs: readonly Doubt[];
  /** Texts of facts that the model must not report again. */
  readonly rejected: readonly string[];
}

/** Up to this number, the model sees all facts; with more, those near the turns. */
const MOST_FACTS = 120;
const NEWEST = 20;
const MOST_PAIRS = 20;
const MOST_REJECTED = 30;

export async function knownNear(workspaces: FactWorkspaces, { turns }: Pick<Batch, "turns">): Promise<Known> {
  const all = listFacts(workspaces, {}).filter(({ chat }) => chat === null);
  const said = turns.filter(({ role }) => role === "user").map(({ text }) => text);
  const facts = all.length <= MOST_FACTS ? all : await nearest(workspaces, all, said);
  const shown = new Set(facts.map(({ id }) => id));
  const pairs = doubtsIn(workspaces)
    .filter(({ older, newer }) => shown.has(older.id) || shown.has(newer.id))
    .slice(0, MOST_PAIRS);
  const inPairs = new Set(pairs.flatMap(({ older, newer }) => [older.id, newer.id]));
  const rejected = workspaces.read
    .flatMap(rejectedIn)
    .slice(-MOST_REJECTED)
    .map(({ text }) => text)
    .filter((text) => text !== "");
  return { facts: all.filter(({ id }) => shown.has(id) || inPairs.has(id)), pairs, rejected };
}

/** The newest facts, and those that recall finds for each turn. */
async function nearest(
  workspaces: FactWorkspaces,
  all: readonly OwnedFact[],
  said: readonly string[],
): Promise<readonly OwnedFact[]> {
  const ids = new Set(
    all
      .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
      .slice(0, NEWEST)
      .map(({ id }) => id),
  );
  for (const text of said)
    for (const { id } of await workspaces.recall(text)) if (ids.size < MOST_FACTS) ids.add(id);
  return all.filter(({ id }) => ids.has(id));
}
