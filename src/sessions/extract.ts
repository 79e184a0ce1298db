/**
 * A summary without a model: the most informative sentences of a conversation, verbatim. Words that recur without being everywhere
 * score highest, so no stop word list is needed for any language.
 */
import { cjkBigrams, withoutCjk } from "../core/text/cjk.ts";
import { firstLineOf, type Said, sentencesIn, shortened, visibleText } from "./prose.ts";

const MOST_SENTENCES = 3;
const LONGEST_SENTENCE = 240;
const LONGEST_SUMMARY = 600;
/** A sentence with fewer terms seldom says what a conversation is about. */
const FEW_TERMS = 3;
/** In most languages, shorter words are stop words. */
const SHORTEST_TERM = 3;
/** More occurrences than this don't raise a word's weight. */
const OFTEN = 3;

interface Candidate {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly role: Said["role"];
  score: number;
}

/** Up to three sentences in their original order; "" for an empty conversation. Ignores tool results. */
export function extractSummary(messages: readonly Said[]): string {
  const turns = messages
    .filter(({ role }) => role !== "tool")
    .map((message) => ({ role: message.role, text: visibleText(message) }));
  const candidates = turns.flatMap(({ role, text }) =>
    sentencesIn(text).map((sentence): Candidate => {
      return { text: shortened(sentence, LONGEST_SENTENCE), terms: termsOf(sentence), role, score: 0 };
    }),
  );
  if (candidates.length === 0) {
    const line = turns.map(({ text }) => firstLineOf(text)).find((one) => one !== null);
    return shortened(line ?? "", LONGEST_SENTENCE);
  }
  score(candidates);
  const chosen = choose(candidates);
  return candidates
    .filter((candidate) => chosen.has(candidate))
    .map(({ text }) => ended(text))
    .join(" ");
}

function termsOf(sentence: string): Set<string> {
  const words =
    withoutCjk(sentence)
      .toLowerCase()
      .normalize("NFC")
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const long = words.filter((word) => word.length >= SHORTEST_TERM || /\d/.test(word));
  return new Set([...long, ...cjkBigrams(sentence)]);
}

function score(candidates: readonly Candidate[]): void {
  const counts = new Map<string, number>();
  for (const { terms } of candidates) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weight = (term: string) => {
    const count = counts.get(term) ?? 1;
    return Math.min(count, OFTEN) * Math.log((candidates.length + 1) / count);
  };
  const first = candidates.find(({ role, terms }) => role === "user" && terms.size >= FEW_TERMS);
  for (const candidate of candidates) {
    const { terms, role, text } = candidate;
    const sum = [...terms].reduce((total, term) => total + weight(term), 0);
    candidate.score = sum / Math.sqrt(Math.max(terms.size, FEW_TERMS));
    if (terms.size < FEW_TERMS) candidate.score *= 0.3;
    // The user's opening says what the conversation is about; later statements say more than later questions.
    if (candidate === first) candidate.score *= 1.5;
    else if (/[?？]$/.test(text)) candidate.score *= 0.7;
    else if (role === "user") candidate.score *= 1.15;
  }
}

/** Picks the best sentences greedily, each scored by what the earlier picks don't say. */
function choose(candidates: readonly Candidate[]): Set<Candidate> {
  const chosen = new Set<Candidate>();
  const covered = new Set<string>();
  let room = LONGEST_SUMMARY;
  while (chosen.size < MOST_SENTENCES) {
    let best: Candidate | null = null;
    let most = Number.NEGATIVE_INFINITY;
    for (const candidate of candidates) {
      if (chosen.has(candidate) || candidate.text.length > room) continue;
      const worth = candidate.score * newShare(candidate, covered);
      if (worth > most) [best, most] = [candidate, worth];
    }
    if (best === null || (chosen.size > 0 && most <= 0)) return chosen;
    chosen.add(best);
    room -= best.text.length + 2;
    for (const term of best.terms) covered.add(term);
  }
  return chosen;
}

function newShare({ terms }: Candidate, told: ReadonlySet<string>): number {
  if (terms.size === 0) return told.size === 0 ? 1 : 0;
  return terms.difference(told).size / terms.size;
}

/** Adds a full stop if missing, since the sentences are joined on one line. */
function ended(text: string): string {
  return /[\p{L}\p{N}\p{M})"'”’»\]]$/u.test(text) && cjkBigrams(text.slice(-2)).length === 0
    ? `${text}.`
    : text;
}
