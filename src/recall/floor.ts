/** The relevance floor: recall returns nothing rather than its least bad guesses. */
import type { Candidate } from "./candidates.ts";
import { evidence, isKeptOnPurpose, type Question, type Scored } from "./fuse.ts";
import { isLookup, type Query } from "./query.ts";
import type { Weights } from "./weights.ts";

/**
 * The minimum evidence that the best of the first hits must have (docs/benchmarks.md). Messages match by chance more often than
 * facts, since their neighbours count too. A fact that a person saved explicitly is seldom off topic. A question with one or two
 * content words can match little; a saved fact says one thing, so it matches such a question about it better.
 */
const LEAST = { short: 0.06, asked: 0.1, said: 0.275, written: 0.175, kept: 0.13, byWords: 0.07 };
/** A text without one of the question's words seldom answers it, however well it matches the others. */
const WEAKEST_WORD = 0.3;
const SHORT = 2;
/** With fewer texts, almost every word is in most of them, so only a model that reads the question can tell what is relevant. */
export const FEWEST_TEXTS = 20;
/** The number of hits that decide. */
const JUDGED = 10;

interface Judging {
  /** The content words of the question, without names of speakers. */
  readonly contentWords: number;
  readonly byMeaning: boolean;
  /** Whether a similar meaning alone is evidence (`readsWell`). */
  readonly readsWell: boolean;
}

/** Returns all hits or none. */
export function aboveFloor(
  ranked: readonly Scored[],
  query: Query,
  { contentWords, byMeaning, readsWell }: Judging,
  question: Question,
  weights: Weights,
): readonly Scored[] {
  const holds = ({ candidate }: Scored) => candidate.words > 0 || candidate.everyWord;
  if ((contentWords === 0 || isLookup(query)) && (query.meaning === "" || ranked.some(holds))) return ranked;
  const least = (candidate: Candidate) => {
    const isShort = contentWords <= SHORT;
    if (!byMeaning) return isShort ? 0 : LEAST.byWords;
    const isKept = isKeptOnPurpose(candidate);
    if (isShort) return isKept && !isLookup(query) ? LEAST.asked : LEAST.short;
    if (isKept) return LEAST.kept;
    return candidate.chunk.kind === "message" ? LEAST.said : LEAST.written;
  };
  const evidenceIn = (one: Scored) =>
    evidence(one, question, weights) + (contentWords > SHORT ? one.weakest * WEAKEST_WORD : 0);
  const isKnown = ranked
    .slice(0, JUDGED)
    .some((one) => (readsWell || holds(one)) && evidenceIn(one) >= least(one.candidate));
  return isKnown ? ranked : [];
}
