/**
 * Detects copies: the same text; a fact and the message or summary it came from, as far as the question goes; a reply that only
 * repeats. The best form is shown: a fact, then a document, then a person's message, then a reply.
 */

import type { StatedFact } from "../core/ports/search.ts";
import { isStopWord } from "../core/text/stop-words.ts";
import { termsOf } from "../core/text/terms.ts";
import type { Candidate } from "./candidates.ts";
import type { Shown } from "./fuse.ts";

const FORMS = ["fact", "document", "note", "message", "summary"];

/** Lower is better. */
export function formOf(one: Shown): number {
  return isReply(one) ? FORMS.length : FORMS.indexOf(one.shown.kind);
}

export function isReply({ shown: { kind }, candidate: { chunk } }: Shown): boolean {
  return kind === "message" && chunk.trust === "inferred";
}

export interface CopyPorts {
  /** The facts that came from a message. */
  factsOf(candidate: Candidate): readonly StatedFact[];
  /** The score by words and meaning. */
  relevance(candidate: Candidate): number;
  readonly words: readonly string[];
}

/** A fact that scores this much lower than its message misses what was asked. */
const LEAST_SHARE = 0.75;

export function areCopies(a: Shown, b: Shown, ports: CopyPorts): boolean {
  if (a.candidate.origin !== b.candidate.origin) return false;
  if (a.shown.hash === b.shown.hash) return a.shown.kind !== "message" || isSameSpeaker(a, b);
  const [better, worse] = formOf(a) <= formOf(b) ? [a, b] : [b, a];
  return cameFrom(better, worse, ports) || repeats(worse, better, ports.words);
}

function isSameSpeaker(a: Shown, b: Shown): boolean {
  return a.candidate.chunk.speaker === b.candidate.chunk.speaker;
}

function cameFrom(fact: Shown, from: Shown, { factsOf, relevance }: CopyPorts): boolean {
  if (fact.shown.kind !== "fact") return false;
  const isOrigin =
    from.shown.kind === "summary"
      ? from.candidate.chunk.session === fact.candidate.chunk.session
      : from.shown.kind === "message" && factsOf(from.candidate).some(({ id }) => id === fact.shown.source);
  return isOrigin && relevance(fact.candidate) >= LEAST_SHARE * relevance(from.candidate);
}

/** A reply without any word beyond those of the question and the other text. Questions don't count as repeats. */
function repeats(reply: Shown, other: Shown, words: readonly string[]): boolean {
  const { words: matched, cosine } = other.candidate;
  if (!isReply(reply) || isReply(other) || (matched === 0 && cosine === null)) return false;
  const known = termsOf(`${other.shown.text} ${words.join(" ")}`);
  const has = new Set([...known.words, ...known.pairs]);
  const said = termsOf(reply.shown.text);
  return [...said.words.filter((word) => !isStopWord(word)), ...said.pairs].every((term) => has.has(term));
}
