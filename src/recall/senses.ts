/** Compares the best hits with the question word by word, which would take too long for all of them. */
import { type SenseMatch, senseMatch } from "../core/senses.ts";
import type { QueryEmbeddings } from "./candidates.ts";
import { exactFirst, type Scored } from "./fuse.ts";
import type { RecallWorkspace } from "./ports.ts";
import type { Weights } from "./weights.ts";

/** Hits below these seldom answer. */
const COMPARED = 20;
/** The match of texts that have nothing in common, so that a text without senses neither gains nor loses. */
const UNRELATED = 0.2;

export function compareSenses(
  workspaces: readonly Pick<RecallWorkspace, "origin" | "search">[],
  ranked: readonly Scored[],
  embeddings: QueryEmbeddings,
  weights: Weights,
): readonly Scored[] {
  const best = ranked.slice(0, COMPARED);
  const matches = new Map<Scored, SenseMatch>();
  for (const [model, question] of embeddings) {
    if (question.senses.length === 0) continue;
    for (const { origin, search } of workspaces) {
      const own = best.filter(({ candidate }) => candidate.origin === origin);
      const senses = search.senses(
        model,
        own.map(({ candidate }) => candidate.chunk.chunkId),
      );
      for (const one of own) {
        const said = senses.get(one.candidate.chunk.chunkId);
        if (said !== undefined) matches.set(one, senseMatch(question, said));
      }
    }
  }
  if (matches.size === 0) return ranked;
  const compared = best.map((one): Scored => {
    const { candidate, session, score, more } = one;
    const { mean, weakest } = matches.get(one) ?? { mean: UNRELATED, weakest: UNRELATED };
    const value = (mean - UNRELATED) * weights.senses;
    return {
      ...{ candidate, session, score: score + value, weakest: weakest - UNRELATED },
      more: [...more, { name: "senses", value }],
    };
  });
  return exactFirst([...compared.sort((a, b) => b.score - a.score), ...ranked.slice(COMPARED)]);
}
