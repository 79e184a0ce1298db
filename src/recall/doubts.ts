/**
 * Uncertain facts: unconfirmed ones are labelled. If one fact may replace another, the newer ranks before the older and the messages
 * that stated it, and the older is marked until a person decides.
 */
import type { Fact } from "../core/facts/fact.ts";
import type { MemoryRef, Origin } from "../core/memory.ts";
import type { MemoryFilter, StatedFact } from "../core/ports/search.ts";
import type { Candidate } from "./candidates.ts";
import { factHit, isAllowed } from "./fact-hit.ts";
import type { ScorePart, Shown } from "./fuse.ts";
import { outdatedSince } from "./outdated.ts";
import type { RecallPorts } from "./ports.ts";

interface Hit extends MemoryRef {
  readonly origin: Origin;
  readonly score: number;
  readonly guessed: boolean;
  readonly parts: readonly ScorePart[];
  readonly mayBeOutdatedBy?: string;
  readonly unconfirmed?: boolean;
}

/** Labels unconfirmed facts. */
export function labelled<One extends Hit>({ workspaces }: RecallPorts, hits: readonly One[]): One[] {
  const facts = hits.filter(({ kind }) => kind === "fact");
  const unconfirmed = new Set(
    workspaces.flatMap(({ origin, search }) => {
      const own = facts.filter((hit) => hit.origin === origin).map(({ source }) => source);
      return search.unconfirmed(own).map((id) => `${origin} ${id}`);
    }),
  );
  return hits.map((hit) =>
    hit.kind === "fact" && unconfirmed.has(`${hit.origin} ${hit.source}`)
      ? { ...hit, unconfirmed: true }
      : hit,
  );
}

/**
 * Marks facts that another one may replace. That one comes in front of them, even if the search didn't find it, but never a model's
 * inference in front of a person's statement, nor a fact with none of the query's words in front of one that has them all: it comes
 * right behind. Other hits keep their order.
 */
export function newerFirst<One extends Hit>(
  { workspaces }: RecallPorts,
  hits: readonly One[],
  filter: MemoryFilter,
) {
  const ordered: (One | (ReturnType<typeof factHit> & Hit))[] = [...hits];
  for (const { origin, search } of workspaces) {
    const facts = hits.filter((hit) => hit.kind === "fact" && hit.origin === origin);
    for (const { newer, older, newerLeads } of search.doubts(facts.map(({ source }) => source))) {
      const of = (id: string) =>
        ordered.findIndex((hit) => hit.kind === "fact" && hit.origin === origin && hit.source === id);
      const [from, to] = [of(newer), of(older)];
      const [moved, outdated] = [ordered[from], ordered[to]];
      if (outdated === undefined) continue;
      ordered[to] = { ...outdated, mayBeOutdatedBy: newer };
      if (!newerLeads || (moved !== undefined && from < to)) continue;
      const [fact] = moved === undefined ? search.facts([newer]) : [];
      const found = moved ?? (fact === undefined ? null : foundBy(fact, outdated, filter));
      if (found === null) continue;
      if (moved !== undefined) ordered.splice(from, 1);
      const isBehind = has("every word", outdated) && !has("words", found);
      // So that scores agree with the order, and `--explain` says why.
      const value = Math.max(0, outdated.score - found.score);
      const parts = [...found.parts, { name: "newer", value } as const];
      ordered.splice(isBehind ? to + 1 : to, 0, { ...found, score: found.score + value, parts });
    }
  }
  return ordered;
}

/** A current fact of these scopes that no search found; null for another. */
function foundBy(fact: Fact, older: Hit, filter: MemoryFilter) {
  const found = { ...factHit(fact, { ...older, score: 0 }), parts: [] as readonly ScorePart[] };
  const isInScope = filter.scopes?.includes(fact.chat ?? "") ?? true;
  return fact.ended_at === null && isInScope && isAllowed(found, filter) ? found : null;
}

function has(part: ScorePart["name"], { parts }: Hit): boolean {
  return parts.some(({ name }) => name === part);
}

/** Tells whether a fact among the hits replaces, or may replace, the one that a message among them answers with. */
export function replacementsIn(
  { workspaces }: RecallPorts,
  hits: readonly Shown[],
  factsOf: (message: Candidate) => readonly StatedFact[],
  { words, asOf }: { readonly words: readonly string[]; readonly asOf: number },
): (newer: Shown, message: Shown) => boolean {
  const pairs = workspaces.flatMap(({ origin, search }) => {
    const ids = hits
      .filter(({ candidate }) => candidate.origin === origin)
      .flatMap(({ candidate, shown }) =>
        shown.kind === "fact" ? shown.source : factsOf(candidate).map(({ id }) => id),
      );
    const leading = search.doubts(ids).filter(({ newerLeads }) => newerLeads);
    return leading.map(({ newer, older }) => `${origin} ${newer} ${older}`);
  });
  const doubts = new Set(pairs);
  return ({ candidate: { origin }, shown }, message) => {
    if (shown.kind !== "fact" || message.candidate.origin !== origin) return false;
    const stated = factsOf(message.candidate);
    const isReplaced = ({ id, replacedBy }: StatedFact) =>
      replacedBy === shown.source || doubts.has(`${origin} ${shown.source} ${id}`);
    if (!stated.some(isReplaced)) return false;
    const asIfEnded = stated.map((fact) => (isReplaced(fact) ? { ...fact, endedAt: asOf } : fact));
    return outdatedSince(message.shown.text, asIfEnded, words, asOf) !== null;
  };
}
