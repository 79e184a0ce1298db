/** What facts replaced: a fact is indexed with these, so that a question in the words of an ended fact finds the current one. */
import type { Fact } from "./fact.ts";

/** With more, a fact's own words would count for little. It also limits the steps back. */
const MOST_REPLACED = 5;

/**
 * The facts with these ids and the current ones that replaced them, each with what it replaced, directly or in steps, latest step
 * first.
 */
export function withReplaced(facts: readonly Fact[], ids: Iterable<string>): Map<Fact, readonly Fact[]> {
  const superseded = facts.filter(({ superseded_by }) => superseded_by !== null);
  const newer = new Map(superseded.map((fact) => [fact.id, fact.superseded_by]));
  const older = Map.groupBy(superseded, (fact) => fact.superseded_by);
  const wanted = new Set<string>();
  for (const id of ids) {
    let next: string | null = id;
    for (let steps = 0; next !== null && steps <= MOST_REPLACED; steps++) {
      wanted.add(next);
      next = newer.get(next) ?? null;
    }
  }
  return new Map(facts.filter(({ id }) => wanted.has(id)).map((fact) => [fact, replacedBy(fact, older)]));
}

function replacedBy({ id }: Fact, older: ReadonlyMap<string | null, readonly Fact[]>): readonly Fact[] {
  const replaced: Fact[] = [];
  let step = older.get(id) ?? [];
  while (step.length > 0 && replaced.length < MOST_REPLACED) {
    replaced.push(...step);
    step = step.flatMap((fact) => older.get(fact.id) ?? []);
  }
  return replaced.slice(0, MOST_REPLACED);
}
