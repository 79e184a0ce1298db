/** Ranking quality: recall at 1, 5, 10 and 20, MRR and nDCG at 10, averaged over questions. */
export const METRICS = ["R@1", "R@5", "R@10", "R@20", "MRR@10", "nDCG@10"] as const;
export type Metric = (typeof METRICS)[number];
export type Scores = Record<Metric, number>;

export function scoresOf(ranking: readonly string[], relevant: readonly string[]): Scores {
  const wanted = new Set(relevant);
  const recallAt = (k: number) =>
    ranking.slice(0, k).filter((id) => wanted.has(id)).length / Math.max(1, wanted.size);
  const first = ranking.slice(0, 10).findIndex((id) => wanted.has(id));
  const gain = ranking
    .slice(0, 10)
    .reduce((sum, id, index) => sum + (wanted.has(id) ? 1 / Math.log2(index + 2) : 0), 0);
  let ideal = 0;
  for (let index = 0; index < Math.min(10, wanted.size); index++) ideal += 1 / Math.log2(index + 2);
  return {
    "R@1": recallAt(1),
    "R@5": recallAt(5),
    "R@10": recallAt(10),
    "R@20": recallAt(20),
    "MRR@10": first === -1 ? 0 : 1 / (first + 1),
    "nDCG@10": ideal === 0 ? 0 : gain / ideal,
  };
}

export function mean(scores: readonly Scores[]): Scores {
  const average = (metric: Metric) =>
    scores.reduce((sum, score) => sum + score[metric], 0) / Math.max(1, scores.length);
  return Object.fromEntries(METRICS.map((metric) => [metric, average(metric)])) as Scores;
}
