/**
 * Removes near-duplicates, keeping the first, and applies maximal marginal relevance if `variety` is set. Reads only as many
 * texts as needed.
 */
import type { Candidate } from "./candidates.ts";
import { areCopies, type CopyPorts, formOf, isReply } from "./copies.ts";
import { exactFirst, type Scored, type Shown } from "./fuse.ts";
import { saysTheSame } from "./same-statement.ts";

/** MiniLM's cosine for two texts that say the same. */
const SAME = 0.97;

/** Extra candidates that compete for the last positions. */
const SPARE = 5;

export interface Diversity {
  readonly limit: number;
  /** Only the best chunk of each memory. */
  readonly onePerMemory: boolean;
  /** The most that a text loses for similarity to a higher hit; 0 keeps the ranking. */
  readonly variety: number;
  /** Reads the candidates' texts in order, skipping deleted ones. */
  read(candidates: readonly Scored[]): Shown[];
  similarity(a: Candidate, b: Candidate): number;
  readonly copies?: CopyPorts;
}

/** A kept text with its similarity to each text kept before it. */
interface Kept {
  readonly one: Shown;
  readonly similarities: readonly number[];
}

export function diversify(ranked: readonly Scored[], diversity: Diversity): Shown[] {
  const { limit, read } = diversity;
  const pool = limit + SPARE;
  const kept: Kept[] = [];
  for (let next = 0; next < ranked.length && kept.length < pool; next += pool) {
    for (const one of read(ranked.slice(next, next + pool))) {
      if (kept.length === pool) break;
      const similarities = kept.map((other) => diversity.similarity(one.candidate, other.one.candidate));
      const same = kept.findIndex((other, index) =>
        isSame(one, other.one, similarities[index] ?? 0, diversity),
      );
      if (same === -1) kept.push({ one, similarities });
      else kept[same] = bestForm(kept[same] as Kept, { one, similarities });
    }
  }
  return exactFirst(spread(kept, diversity.variety).map(({ one }) => one)).slice(0, limit);
}

/** Keeps the better form of two copies at the rank of the first. A reply passes on no rank, since it may be about anything. */
function bestForm(first: Kept, second: Kept): Kept {
  const { one, similarities } = second;
  if (formOf(one) >= formOf(first.one)) return first;
  const value = isReply(first.one) ? 0 : Math.max(0, first.one.score - one.score);
  const more = [...one.more, { name: "copies" as const, value }];
  return {
    one: { ...one, more, score: one.score + value },
    similarities: similarities.slice(0, first.similarities.length),
  };
}

function isSame(a: Shown, b: Shown, similarity: number, { onePerMemory, copies }: Diversity): boolean {
  if (copies !== undefined && areCopies(a, b, copies))
    return onePerMemory || a.shown.source !== b.shown.source;
  if (a.shown.kind !== b.shown.kind) return false;
  if (a.candidate.origin === b.candidate.origin && a.shown.source === b.shown.source) return onePerMemory;
  // Two people, or one person on two days, may say nearly the same.
  if (a.shown.kind === "message" || a.candidate.chunk.speaker !== b.candidate.chunk.speaker) return false;
  return a.shown.hash === b.shown.hash || (similarity >= SAME && saysTheSame(wholeOf(a), wholeOf(b)));
}

/** Two texts may differ only in their heading: "Staging", "Production". */
function wholeOf({ shown: { heading, text } }: Shown): string {
  return `${heading}\n${text}`;
}

/** Starts with the best, then repeatedly picks the highest score after the penalty for similarity to those already picked. */
function spread(kept: readonly Kept[], variety: number): Kept[] {
  const waiting = kept.map((entry, position) => ({ entry, position, nearest: 0 }));
  const ordered: Kept[] = [];
  while (waiting.length > 0) {
    let best = 0;
    let bestValue = Number.NEGATIVE_INFINITY;
    for (const [index, { entry, nearest }] of waiting.entries()) {
      const value = entry.one.score - variety * nearest;
      if (value > bestValue) {
        best = index;
        bestValue = value;
      }
    }
    const [next] = waiting.splice(best, 1);
    if (next === undefined) break;
    ordered.push(next.entry);
    for (const other of waiting) {
      const [late, early] = other.position > next.position ? [other, next] : [next, other];
      other.nearest = Math.max(other.nearest, late.entry.similarities[early.position] ?? 0);
    }
  }
  return ordered;
}
