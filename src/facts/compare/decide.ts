/** Decides about a new fact by comparing it with similar known facts. The most similar one decides. */
import type { Fact } from "../../core/facts/fact.ts";
import { LONGEST_FACT } from "../../core/facts/fact-text.ts";
import { type ComparedFact, FactPair, type Relation } from "./relation.ts";

export interface KnownFact {
  readonly id: string;
  readonly text: string;
}

export interface NearFact extends KnownFact, ComparedFact {
  /** The id of an older fact that it may replace. */
  readonly doubts?: string | null;
}

/** A known fact that the writer of a new one may want to replace. */
export interface Nearby extends KnownFact {
  readonly similarity: number;
}

export type Verdict = Decision & { readonly nearby?: readonly Nearby[] };

/** Compares a fact with current facts of its chat and workspace. Runs under the lock; slow work such as embedding is done before. */
export type Compare = (text: string, known: readonly Fact[], chat: string | null) => Verdict;

type Decision =
  | { readonly kind: "new" }
  /** Nothing to store: the fact `as` says the same. */
  | { readonly kind: "same"; readonly as: string; readonly why: string }
  | { readonly kind: "supersedes"; readonly ids: readonly string[]; readonly why: string }
  /** It may replace this one. Both stay until somebody decides. */
  | { readonly kind: "unsure"; readonly about: string; readonly why: string };

/** Less similar facts are about something else. */
const NEARBY_FROM = 0.6;
const MOST_NEARBY = 3;

export function decide(text: string, near: readonly NearFact[]): Verdict {
  const pairs = comparable(text, near)
    .map((fact) => ({ fact, pair: new FactPair(fact, text) }))
    .sort((a, b) => b.pair.similarity - a.pair.similarity);
  const nearby = pairs
    .filter(({ pair }) => pair.similarity >= NEARBY_FROM)
    .slice(0, MOST_NEARBY)
    .map(({ fact: { id, text: said }, pair }) => ({ id, text: said, similarity: pair.similarity }));
  return { ...decisionOn(pairs), nearby };
}

/** Without texts that are too long for a fact: they aren't one statement, and comparing them takes too long. */
export function comparable<T extends KnownFact>(text: string, known: readonly T[]): readonly T[] {
  const isOneStatement = (said: string) => said.length <= LONGEST_FACT;
  return isOneStatement(text) ? known.filter((fact) => isOneStatement(fact.text)) : [];
}

interface Compared {
  readonly fact: NearFact;
  readonly pair: FactPair;
}

/** `pairs` starts with the most similar one. */
function decisionOn(pairs: readonly Compared[]): Decision {
  const certain = pairs.map(({ fact, pair }) => ({ id: fact.id, ...pair.byWords() }));
  const same = certain.find(({ kind }) => kind === "same");
  if (same !== undefined) return { kind: "same", as: same.id, why: same.why };
  const [replaced, ...others] = certain.filter(({ kind }) => kind === "supersedes");
  if (replaced !== undefined)
    return { kind: "supersedes", ids: [replaced, ...others].map(({ id }) => id), why: replaced.why };
  const open = pairs.filter(({ pair }) => !pair.agrees);
  const changed = open.filter(({ pair }) => pair.mayBeChanged);
  const nearest = nearestDecision(open, (pair, next) => pair.bySimilarity(next));
  if (nearest?.kind === "supersedes") return nearest;
  return (
    doubtOfPair(open) ??
    nearest ??
    nearestDecision(changed, (pair, next) => pair.bySubject(next)) ?? { kind: "new" }
  );
}

/** A third value of the same thing: the nearest one stands out together with the one that it is in doubt with. */
function doubtOfPair([nearest, ...others]: readonly Compared[]): Decision | null {
  if (nearest === undefined) return null;
  const { id, doubts } = nearest.fact;
  const linked = others.filter(({ fact }) => fact.doubts === id || fact.id === doubts);
  if (linked.length === 0) return null;
  const next = others.find((one) => !linked.includes(one));
  const { kind, why } = nearest.pair.bySimilarity(next?.pair.similarity ?? 0);
  const newest = linked.find(({ fact }) => fact.doubts === id) ?? nearest;
  return kind === "other" ? null : { kind: "unsure", about: newest.fact.id, why };
}

/** null if the most similar one is another fact. */
function nearestDecision(
  [nearest, next]: readonly Compared[],
  relate: (pair: FactPair, next: number) => Relation,
): Decision | null {
  if (nearest === undefined) return null;
  const { kind, why } = relate(nearest.pair, next?.pair.similarity ?? 0);
  const { id } = nearest.fact;
  if (kind === "supersedes") return { kind, ids: [id], why };
  return kind === "unsure" ? { kind, about: id, why } : null;
}
