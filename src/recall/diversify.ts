/**
 * Says each thing once. Of texts that are the same, or nearly, the first is kept; where variety is asked for, one that is
 * much like what is there already gives way to another (maximal marginal relevance). Texts are read only as far as needed.
 */
import type { ChunkText } from "../core/memory.ts";
import type { Candidate } from "./candidates.ts";
import type { Scored } from "./fuse.ts";

/** As MiniLM sees two texts that say the same. */
const SAME = 0.97;

/** A candidate with its text. */
export interface Shown extends Scored {
  readonly shown: ChunkText;
}

export interface Diversity {
  readonly limit: number;
  /** Only the best part of each memory. */
  readonly onePerMemory: boolean;
  /** What a text loses that is just like one before it; 0 keeps the ranking. */
  readonly variety: number;
  /** The texts of candidates, in their order; those that are gone are left out. */
  read(candidates: readonly Scored[]): Shown[];
  likeness(a: Candidate, b: Candidate): number;
}

export function diversify(ranked: readonly Scored[], diversity: Diversity): Shown[] {
  const { limit, read } = diversity;
  const kept: Shown[] = [];
  for (let next = 0; next < ranked.length && kept.length < limit; next += limit) {
    for (const one of read(ranked.slice(next, next + limit)))
      if (kept.length < limit && !kept.some((other) => isSame(one, other, diversity))) kept.push(one);
  }
  return diversity.variety === 0 ? kept : spread(kept, diversity);
}

function isSame(a: Shown, b: Shown, { onePerMemory, likeness }: Diversity): boolean {
  if (a.shown.kind !== b.shown.kind) return false;
  if (a.candidate.place === b.candidate.place && a.shown.source === b.shown.source) return onePerMemory;
  if (a.candidate.chunk.speaker !== b.candidate.chunk.speaker) return false;
  if (a.shown.hash === b.shown.hash) return true;
  // Of what was said, each time counts.
  return a.shown.kind !== "message" && likeness(a.candidate, b.candidate) >= SAME;
}

/** The best first, then always the one that scores best after what its likeness to those before costs it. */
function spread(kept: readonly Shown[], { variety, likeness }: Diversity): Shown[] {
  const waiting = kept.map((one) => ({ one, likest: 0 }));
  const ordered: Shown[] = [];
  while (waiting.length > 0) {
    const value = ({ one, likest }: (typeof waiting)[number]) => one.score - variety * likest;
    const best = waiting.reduce((first, next) => (value(next) > value(first) ? next : first));
    waiting.splice(waiting.indexOf(best), 1);
    ordered.push(best.one);
    for (const other of waiting)
      other.likest = Math.max(other.likest, likeness(best.one.candidate, other.one.candidate));
  }
  return ordered;
}
