/**
 * Detects copies: the same text; a fact and the message or summary it came from, as far as the question goes; a message and the
 * summary that quotes it; a reply that only repeats. The best form is shown: a fact, then a document, a person's message, a reply,
 * a summary.
 */

import type { StatedFact } from "../core/ports/search.ts";
import { sentencesOf } from "../core/text/sentences.ts";
import { contentTerms, termsOf } from "../core/text/terms.ts";
import type { Candidate } from "./candidates.ts";
import type { Shown } from "./fuse.ts";

const FORMS = ["fact", "document", "note", "message", "reply", "summary"];

/** Lower is better. */
export function formOf(one: Shown): number {
  return FORMS.indexOf(isReply(one) ? "reply" : one.shown.kind);
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

/** A fact that scores this much lower than its message misses what was asked; so does a message of a summary. */
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

function cameFrom(better: Shown, from: Shown, { factsOf, relevance }: CopyPorts): boolean {
  const isFact = better.shown.kind === "fact";
  const isOrigin =
    from.shown.kind === "summary"
      ? from.candidate.chunk.session === better.candidate.chunk.session && (isFact || quotes(from, better))
      : isFact &&
        from.shown.kind === "message" &&
        factsOf(from.candidate).some(({ id }) => id === better.shown.source);
  return isOrigin && relevance(better.candidate) >= LEAST_SHARE * relevance(from.candidate);
}

/** Whether a sentence of the summary is from the message. */
function quotes({ shown: { text } }: Shown, message: Shown): boolean {
  const isFrom = saysOnly(message.shown.text);
  return (
    message.shown.kind === "message" &&
    sentencesOf(text).some(({ start, end }) => isFrom(text.slice(start, end)))
  );
}

/** A reply without any word beyond those of the question and the other text. Questions don't count as repeats. */
function repeats(reply: Shown, other: Shown, words: readonly string[]): boolean {
  const { words: matched, cosine } = other.candidate;
  if (!isReply(reply) || isReply(other) || (matched === 0 && cosine === null)) return false;
  return saysOnly(`${other.shown.text} ${words.join(" ")}`)(reply.shown.text);
}

/** Whether a text has no content word beyond the known ones. */
function saysOnly(known: string): (text: string) => boolean {
  const { words, pairs } = termsOf(known);
  const has = new Set([...words, ...pairs]);
  return (text) => contentTerms(text).every((term) => has.has(term));
}
