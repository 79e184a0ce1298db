/**
 * Moves a newer statement in front of older messages that say something similar: a fact ("Deploys are on Fridays", earlier "we deploy
 * on Mondays"), or a message that states a change ("standup is at 10 now"), also in front of an older fact. Nothing links such a
 * message to what it changed, so the older one often matches the question better. A fact in doubt with the one that a message stated
 * needs no similarity.
 *
 * Messages are moved only for questions about the present that name no speaker. A question about the past wants the older message,
 * and so do most questions about the people of a recorded conversation (docs/benchmarks.md).
 */
import { saysChange, tellsPast } from "../core/language/change-words.ts";
import { contentTerms } from "../core/text/terms.ts";
import { shareInCommon } from "../util/text.ts";
import type { Candidate } from "./candidates.ts";
import { isReply } from "./copies.ts";
import { type Question, raisedTo, type Shown } from "./fuse.ts";
import type { Query } from "./query.ts";

/**
 * Measured (bench/life.ts): a fact from 0.65 moves before a message that has the answer; a change from 0.4 does too. `change` is for
 * two messages.
 */
const SIMILAR_FROM = { fact: 0.7, change: 0.5 };
/** The share of common words from which they are, if one of them isn't embedded yet. */
const ALIKE_FROM = 0.5;
/** A newer statement that scores lower answers another question. */
const LEAST_SHARE = 0.5;

interface Comparisons {
  /** 0 if unknown. */
  similarity(a: Candidate, b: Candidate): number;
  /** Whether it is a fact that may replace the one that the message answers with. */
  mayReplace(newer: Shown, message: Shown): boolean;
}

export function latestFirst(
  hits: readonly Shown[],
  { query, question }: { readonly query: Query; readonly question: Question },
  { similarity, mayReplace }: Comparisons,
): readonly Shown[] {
  const ordered = [...hits];
  const isAboutNow = question.speakers.size === 0 && query.period === null && !asksOfPast(query);
  for (const newer of hits) {
    if (!mayMove(newer, isAboutNow)) continue;
    const from = ordered.indexOf(newer);
    const to = ordered.findIndex(
      (older, index) =>
        index < from &&
        isOlder(older, newer) &&
        (mayReplace(newer, older) ||
          (newer.score >= LEAST_SHARE * older.score &&
            isSimilar(similarity(older.candidate, newer.candidate), older, newer))),
    );
    if (to < 0) continue;
    ordered.splice(from, 1);
    ordered.splice(to, 0, raisedTo(ordered[to]?.score ?? newer.score, newer, "newer"));
  }
  return ordered;
}

function mayMove(hit: Shown, isAboutNow: boolean): boolean {
  if (isFact(hit)) return true;
  return isAboutNow && isMessage(hit) && !isReply(hit) && saysChange(hit.shown.text);
}

function isFact({ shown: { kind } }: Shown): boolean {
  return kind === "fact";
}

function isMessage({ shown: { kind } }: Shown): boolean {
  return kind === "message";
}

/** Not "where did I say my dentist is?" */
const DID = /(?<!\p{L})(?:did(?! (?:i|we) (?:say|tell|mention|write|note|save))|ago|damals)(?!\p{L})/iu;

export function asksOfPast({ text }: Query): boolean {
  return tellsPast(text) || DID.test(text);
}

/** Of two facts, the newer one replaces the older or is in doubt with it. */
function isOlder(older: Shown, newer: Shown): boolean {
  const [said, since] = [older.candidate.chunk.at, newer.candidate.chunk.at];
  return (isMessage(older) || (isFact(older) && isMessage(newer))) && (said ?? 0) < (since ?? 0);
}

function isSimilar(similarity: number, older: Shown, newer: Shown): boolean {
  if (similarity !== 0)
    return similarity >= (isFact(older) || isFact(newer) ? SIMILAR_FROM.fact : SIMILAR_FROM.change);
  const [said, saved] = [new Set(contentTerms(older.shown.text)), new Set(contentTerms(newer.shown.text))];
  return shareInCommon(said, saved) >= ALIKE_FROM;
}
