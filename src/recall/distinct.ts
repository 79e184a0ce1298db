/** Removes near-duplicates, keeping the first. Reads only as many texts as needed. */
import type { Candidate } from "./candidates.ts";
import { areCopies, type CopyPorts, formOf, isReply } from "./copies.ts";
import { exactFirst, type Scored, type Shown } from "./fuse.ts";
import { saysTheSame } from "./same-statement.ts";

/** MiniLM's cosine for two texts that say the same. */
const SAME = 0.97;

interface Distinct {
  readonly limit: number;
  /** Only the best chunk of each memory. */
  readonly onePerMemory: boolean;
  /** Reads the candidates' texts in order, skipping deleted ones. */
  read(candidates: readonly Scored[]): Shown[];
  similarity(a: Candidate, b: Candidate): number;
  readonly copies?: CopyPorts;
}

/** Candidates that take the place of removed copies. */
const SPARE = 5;

export function distinctHits(ranked: readonly Scored[], distinct: Distinct): Shown[] {
  const { limit, read } = distinct;
  const pool = limit + SPARE;
  const kept: Shown[] = [];
  for (let next = 0; next < ranked.length && kept.length < pool; next += pool) {
    for (const one of read(ranked.slice(next, next + pool))) {
      if (kept.length === pool) break;
      const same = kept.findIndex((other) => isSame(one, other, distinct));
      if (same === -1) kept.push(one);
      else kept[same] = bestForm(kept[same] as Shown, one);
    }
  }
  return exactFirst(kept.sort((a, b) => b.score - a.score)).slice(0, limit);
}

/** Keeps the better form of two copies at the rank of the first. A reply passes on no rank, since it may be about anything. */
function bestForm(first: Shown, second: Shown): Shown {
  if (formOf(second) >= formOf(first)) return first;
  const value = isReply(first) ? 0 : Math.max(0, first.score - second.score);
  return {
    ...second,
    more: [...second.more, { name: "copies", value }],
    score: second.score + value,
  };
}

function isSame(a: Shown, b: Shown, { onePerMemory, copies, similarity }: Distinct): boolean {
  if (copies !== undefined && areCopies(a, b, copies))
    return onePerMemory || a.shown.source !== b.shown.source;
  if (a.shown.kind !== b.shown.kind) return false;
  if (a.candidate.origin === b.candidate.origin && a.shown.source === b.shown.source) return onePerMemory;
  // Two people, or one person on two days, may say nearly the same.
  if (a.shown.kind === "message" || a.candidate.chunk.speaker !== b.candidate.chunk.speaker) return false;
  return (
    a.shown.hash === b.shown.hash ||
    (similarity(a.candidate, b.candidate) >= SAME && saysTheSame(wholeOf(a), wholeOf(b)))
  );
}

/** Two texts may differ only in their heading: "Staging", "Production". */
function wholeOf({ shown: { heading, text } }: Shown): string {
  return `${heading}\n${text}`;
}
