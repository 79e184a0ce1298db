/**
 * Texts that are not embedded yet compete with others whose score also counts their vector, so that a new text with the decisive
 * word would rank below old ones without it. Each gets what their vectors gave the others, as far as its words match as well as
 * theirs. That is no evidence of relevance (see `evidence`).
 */
import type { Candidate } from "./candidates.ts";
import { exactFirst, isKeptOnPurpose, type Scored } from "./fuse.ts";
import type { Weights } from "./weights.ts";

/** As many as `compareSenses` compares. */
const COMPARED = 20;

export function withUnembedded(ranked: readonly Scored[], weights: Weights): readonly Scored[] {
  // A hosted index gives the cosines of its hits only, so the others may well be embedded.
  if (!ranked.some(isWaiting) || ranked.some(({ candidate }) => candidate.isHosted)) return ranked;
  const embedded = ranked
    .filter(({ candidate }) => candidate.cosine !== null && candidate.words > 0)
    .slice(0, COMPARED);
  const mean = (of: (one: Scored) => number) =>
    embedded.reduce((sum, one) => sum + of(one), 0) / Math.max(1, embedded.length);
  const words = mean(({ candidate }) => candidate.words);
  const cosine = mean((one) => Math.max(0, one.candidate.cosine ?? 0));
  const senses = mean(({ more }) => more.find(({ name }) => name === "senses")?.value ?? 0);
  const typical = (candidate: Candidate) =>
    cosine * (weights.meaning + (isKeptOnPurpose(candidate) ? weights.sessionMeaning : 0)) + senses;
  const scored = ranked.map((one): Scored => {
    if (!isWaiting(one) || words === 0) return one;
    const value = typical(one.candidate) * Math.min(1, one.candidate.words / words);
    return { ...one, score: one.score + value, more: [...one.more, { name: "not embedded", value }] };
  });
  return exactFirst(scored.sort((a, b) => b.score - a.score));
}

function isWaiting({ candidate: { cosine, words, origin } }: Scored): boolean {
  return cosine === null && words > 0 && origin !== "bank";
}
