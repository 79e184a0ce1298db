/** A hit's score in words. */
import type { ScorePart } from "./fuse.ts";

const REASONS: Readonly<Record<string, string>> = {
  words: "its words match",
  guess: "a word looks like one of these",
  meaning: "it means something similar",
  around: "what was said around it fits",
  "every word": "it holds every word",
  speaker: "the person asked about says it",
  "a question": "it is itself a question",
  "a reply": "it is a reply",
  length: "it says more",
  period: "it is from the time asked about, or near it",
  age: "the note is old",
  importance: "its importance",
  trust: "where it came from",
  project: "it is this project's own",
  recalled: "it was recalled before",
  session: "its session matches",
  "kept on purpose": "it was kept on purpose, outside of any conversation",
  outdated: "demoted: it stated a fact that ended on",
  rerank: "the reranker moved it",
  copies: "it stands for copies of it",
};

/** Less is printed as nothing, and would read as a reason. */
const LEAST = 0.0005;

/** "+0.412 its words match", the largest first. */
export function explain(parts: readonly ScorePart[]): string[] {
  return parts
    .filter(({ value }) => Math.abs(value) >= LEAST)
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .map(
      ({ name, value, note }) =>
        `${value < 0 ? "-" : "+"}${Math.abs(value).toFixed(3)} ${REASONS[name] ?? name}${note === undefined ? "" : ` ${note}`}`,
    );
}
