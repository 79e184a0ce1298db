import { cjkShare } from "../core/text/cjk.ts";

/**
 * What counts how much in a memory's rank. The figures come from measuring on real conversations, their facts, and texts
 * with no word in common with the question (docs/benchmarks.md); scores, not ranks, are added up, so that a list that has
 * nothing good to offer does not push its best forward.
 */
export interface Weights {
  /** Of the words' share of what they could reach, and of the cosine. */
  readonly words: number;
  readonly meaning: number;
  /** For a text that holds every word of the question. */
  readonly everyWord: number;
  /** The same two, of the best texts of its session. */
  readonly sessionWords: number;
  readonly sessionMeaning: number;
  /** Of the mean cosine of the turns around it. */
  readonly around: number;
  /** The person that the question names says it. */
  readonly speaker: number;
  /** A question seldom answers one. */
  readonly question: number;
  /** A reply mostly comments on what the person said. */
  readonly reply: number;
  /** A message that stated a fact which has ended since. */
  readonly outdated: number;
  /** Longer texts say more: for each unit of ln(1 + characters), up to `lengthLimit`. */
  readonly length: number;
  readonly lengthLimit: number;
  /** Said or written within the period that the question names. */
  readonly period: number;
  /** A dated note loses up to this much as it ages. */
  readonly recency: number;
  readonly halfLifeDays: number;
  /** From an unimportant memory to an important one. */
  readonly importance: number;
  /** Came from a page or a tool. */
  readonly fromTool: number;
  /** Of the project rather than of the home workspace. */
  readonly project: number;
  /** For each unit of ln(1 + recalls), up to `recallsLimit`. */
  readonly recalls: number;
  readonly recallsLimit: number;
  /** What a text loses that is just like one before it. */
  readonly variety: number;
}

/** MiniLM learned English: it cannot read Chinese, Japanese and Korean. */
export function weightsFor(query: string, model: string | undefined, weights: Weights): Weights {
  const read = model?.startsWith("minilm") ? 1 - cjkShare(query) : 1;
  if (read === 1) return weights;
  const { meaning, sessionMeaning, around } = weights;
  return {
    ...weights,
    meaning: meaning * read,
    sessionMeaning: sessionMeaning * read,
    around: around * read,
  };
}

export const WEIGHTS: Weights = {
  words: 0.65,
  meaning: 0.35,
  everyWord: 0.03,
  sessionWords: 0.4,
  sessionMeaning: 0.25,
  around: 0.2,
  speaker: 0.04,
  question: -0.04,
  reply: -0.04,
  outdated: -0.3,
  length: 0.02,
  lengthLimit: 150,
  period: 0.1,
  recency: 0.05,
  halfLifeDays: 30,
  importance: 0.08,
  fromTool: -0.06,
  project: 0.03,
  recalls: 0.005,
  recallsLimit: 20,
  variety: 0.02,
};
