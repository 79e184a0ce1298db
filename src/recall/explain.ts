/** Explains a hit's score in words. */
import type { ScorePart } from "./fuse.ts";

const REASONS: Readonly<Record<string, string>> = {
  words: "words match",
  guess: "a word is spelled similarly",
  meaning: "similar meaning",
  senses: "words with a similar meaning",
  "not embedded": "not embedded yet: what others with as many matching words get",
  around: "nearby messages match",
  "every word": "contains every word",
  speaker: "said by the person you asked about",
  "a question": "is itself a question",
  "a reply": "is a reply",
  length: "longer text",
  period: "from the time you asked about, or near it",
  age: "the note is old",
  importance: "its importance",
  trust: "source",
  project: "belongs to this project",
  recalled: "recalled before",
  session: "its session matches",
  "kept on purpose": "saved explicitly, outside any conversation",
  outdated: "demoted: states a fact that ended on",
  rerank: "moved by the reranker",
  copies: "represents identical copies",
  before: "you asked about the past, and it was replaced by",
  "about you": "about you, as the question is, so ranked before one about somebody close to you",
  newer: "newer than a similar memory, so ranked before it",
};

/** A smaller value would print as 0.000. */
const LEAST = 0.0005;

/** One part of a score, in words. */
interface ScoreReason {
  /** "words match" */
  readonly reason: string;
  readonly value: number;
}

/** The largest first. */
export function reasonsFor(parts: readonly ScorePart[]): ScoreReason[] {
  return parts
    .filter(({ value }) => Math.abs(value) >= LEAST)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .map(({ name, value, note }) => ({
      reason: `${REASONS[name] ?? name}${note === undefined ? "" : ` ${note}`}`,
      value,
    }));
}

/** "+0.412 words match", the largest first. */
export function explain(parts: readonly ScorePart[]): string[] {
  return reasonsFor(parts).map(
    ({ reason, value }) => `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)} ${reason}`,
  );
}
