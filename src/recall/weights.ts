import type { Language } from "../core/language/stop-words.ts";
import { cjkShare } from "../core/text/cjk.ts";

/**
 * Ranking weights, tuned on real conversations, their facts, and texts that share no word with the question (docs/benchmarks.md).
 * Scores are added, not ranks, so a list without a good hit does not push its best one up.
 */
export interface Weights {
  /** For the share of the best possible word score, and for the cosine. */
  readonly words: number;
  readonly meaning: number;
  /** For how well the senses of its words match those of the question. */
  readonly senses: number;
  /** The text contains every word of the question. */
  readonly everyWord: number;
  /** The same two for the best texts of its session. */
  readonly sessionWords: number;
  readonly sessionMeaning: number;
  /** For the mean cosine of the surrounding turns. */
  readonly around: number;
  /** The speaker is the person that the question names. */
  readonly speaker: number;
  /** Questions seldom answer questions. */
  readonly question: number;
  /** Replies mostly comment on what the person said. */
  readonly reply: number;
  /** The message stated a fact that has ended. */
  readonly outdated: number;
  /** Per unit of ln(1 + characters), up to `lengthLimit`: longer texts say more. */
  readonly length: number;
  readonly lengthLimit: number;
  /** From the period that the question names. */
  readonly period: number;
  /** The most that a dated note loses with age. */
  readonly recency: number;
  readonly halfLifeDays: number;
  /** The difference between an unimportant and an important memory. */
  readonly importance: number;
  /** Came from a web page or a tool. */
  readonly fromTool: number;
  /** From the project, not the home workspace. */
  readonly project: number;
  /** Per unit of ln(1 + recalls), up to `recallsLimit`. */
  readonly recalls: number;
  readonly recallsLimit: number;
}

/** MiniLM was trained on English and cannot read Chinese, Japanese or Korean: to it, all words that it can't read are the same. */
export function weightsFor(query: string, model: string | undefined, weights: Weights): Weights {
  const read = isMiniLm(model) ? 1 - cjkShare(query) : 1;
  if (read === 1) return weights;
  const { meaning, sessionMeaning, around } = weights;
  return {
    ...weights,
    meaning: meaning * read,
    senses: 0,
    sessionMeaning: sessionMeaning * read,
    around: around * read,
  };
}

/** MiniLM rates any two texts of the same other language as similar, so their cosine shows no relevance. */
export function readsWell(model: string | undefined, language: Language | null): boolean {
  return language === null || !isMiniLm(model);
}

function isMiniLm(model: string | undefined): boolean {
  return model?.startsWith("minilm") ?? false;
}

export const WEIGHTS: Weights = {
  words: 0.65,
  meaning: 0.35,
  senses: 0.6,
  everyWord: 0.03,
  sessionWords: 0.4,
  sessionMeaning: 0.25,
  around: 0.35,
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
  project: 0.05,
  recalls: 0.005,
  recallsLimit: 20,
};
