/**
 * Moves a fact in front of older messages that say something similar: "Deploys are on Fridays" in front of an earlier "we deploy on
 * Mondays". A message isn't linked to facts that were saved without it, so nothing else tells which of the two is current.
 */
import { contentTerms } from "../core/text/terms.ts";
import type { Candidate } from "./candidates.ts";
import type { Shown } from "./fuse.ts";

/** Measured (bench/life.ts): 0.65 moves a fact before a message that has the answer. */
const SIMILAR_FROM = 0.7;
/** The share of common words from which they are, if one of them isn't embedded yet. */
const ALIKE_FROM = 0.5;
/** A fact that scores lower answers another question. */
const LEAST_SHARE = 0.5;

/** `similarity` is 0 if unknown. */
export function factsFirst(
  hits: readonly Shown[],
  similarity: (a: Candidate, b: Candidate) => number,
): readonly Shown[] {
  const ordered = [...hits];
  for (const fact of hits.filter(({ shown }) => shown.kind === "fact")) {
    const from = ordered.indexOf(fact);
    const to = ordered.findIndex(
      (message, place) =>
        place < from &&
        isOlderMessage(message, fact) &&
        isSimilar(similarity(message.candidate, fact.candidate), message, fact),
    );
    if (to < 0) continue;
    ordered.splice(from, 1);
    ordered.splice(to, 0, fact);
  }
  return ordered;
}

function isOlderMessage(message: Shown, fact: Shown): boolean {
  const [said, saved] = [message.candidate.chunk.at, fact.candidate.chunk.at];
  return (
    message.shown.kind === "message" &&
    (said ?? 0) < (saved ?? 0) &&
    fact.score >= LEAST_SHARE * message.score
  );
}

function isSimilar(similarity: number, message: Shown, fact: Shown): boolean {
  if (similarity !== 0) return similarity >= SIMILAR_FROM;
  const [said, saved] = [new Set(contentTerms(message.shown.text)), new Set(contentTerms(fact.shown.text))];
  const both = [...said].filter((term) => saved.has(term)).length;
  return (2 * both) / (said.size + saved.size) >= ALIKE_FROM;
}
