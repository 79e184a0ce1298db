/** Combines all signals of a text into one score, a sum of named parts that can be explained. */
import type { ChunkText } from "../core/memory.ts";
import { DAY_MS, localDay } from "../util/days.ts";
import type { Candidate } from "./candidates.ts";
import type { Period } from "./query.ts";
import type { Weights } from "./weights.ts";

/** Properties of the question besides its words. */
export interface Question {
  readonly period: Period | null;
  readonly speakers: ReadonlySet<string>;
  readonly now: number;
  /** When the fact that a message answers with ended; null if it is current. */
  readonly endedAt?: (candidate: Candidate) => number | null;
}

export const PARTS = [
  "words",
  "guess",
  "meaning",
  "around",
  "every word",
  "speaker",
  "a question",
  "a reply",
  "length",
  "period",
  "age",
  "importance",
  "trust",
  "project",
  "recalled",
  "session",
  "kept on purpose",
  "outdated",
  "senses",
  "not embedded",
  "rerank",
  "copies",
  "newer",
  "about you",
  "before",
] as const;

export interface ScorePart {
  readonly name: (typeof PARTS)[number];
  readonly value: number;
  /** Extra detail. */
  readonly note?: string;
}

export interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
  /** Support from its session. */
  readonly session: number;
  /** How well it has the word of the question that it has least; 0 if it has nothing to do with it, or that is unknown. */
  readonly weakest: number;
  /** Further parts of the score. */
  readonly more: readonly ScorePart[];
}

/** A candidate with its text. */
export interface Shown extends Scored {
  readonly shown: ChunkText;
}

const NEAR_DAYS = 7;

/** Best first. */
export function fuse(candidates: readonly Candidate[], question: Question, weights: Weights): Scored[] {
  const sessions = bestOfSessions(candidates);
  const scored = candidates.map((candidate) => {
    const best = sessions.get(sessionOf(candidate) ?? "");
    const session = best === undefined ? 0 : supportOf(best, weights);
    const more = outdated(candidate, question, weights);
    const score = sum(partsOf(candidate, session, question, weights)) + sum(more.map(({ value }) => value));
    return { candidate, session, weakest: 0, more, score };
  });
  return exactFirst(scored.sort((a, b) => b.score - a.score || tieBreak(a.candidate, b.candidate)));
}

const HOSTED = "(by the hosted index, which knows nothing about nearby messages)";

/** Non-zero score parts, by name. They add up to the score. */
export function namedParts(
  { candidate, session, more }: Scored,
  question: Question,
  weights: Weights,
): ScorePart[] {
  const parts = partsOf(candidate, session, question, weights);
  const note = candidate.isHosted ? { note: HOSTED } : {};
  const named = PARTS.map((name, index) => ({
    ...{ name, value: parts[index] ?? 0 },
    ...(name === "meaning" && note),
  }));
  return [...named, ...more].filter(({ value }) => value !== 0);
}

function outdated(candidate: Candidate, { endedAt }: Question, { outdated: value }: Weights): ScorePart[] {
  const at = endedAt?.(candidate) ?? null;
  if (at === null) return [];
  return [{ name: "outdated", value, note: localDay(new Date(at).toISOString()) }];
}

/** Typing a text's own words must find it: a text with none of the words never ranks above one with all of them. */
export function exactFirst<One extends Scored>(ranked: readonly One[]): One[] {
  const exact = ranked.findLastIndex(({ candidate }) => candidate.everyWord) + 1;
  const before = ranked.slice(0, exact);
  const hasWords = ({ candidate }: One) => candidate.words > 0 || candidate.everyWord;
  return [...before.filter(hasWords), ...before.filter((one) => !hasWords(one)), ...ranked.slice(exact)];
}

/** Moved before a hit with this score: so that scores agree with the order, and `--explain` says why. */
export function raisedTo(score: number, one: Shown, name: ScorePart["name"]): Shown {
  const value = Math.max(0, score - one.score);
  return { ...one, score: one.score + value, more: [...one.more, { name, value }] };
}

/** How well the text, its words, its surroundings and its time match the question, without the other parts of the score. */
export function evidence({ candidate, more }: Scored, { period }: Question, weights: Weights): number {
  const { around, chunk } = candidate;
  return (
    relevance(candidate, weights) +
    sum(more.map(({ name, value }) => (name === "senses" ? value : 0))) +
    Math.max(0, around) * weights.around +
    nearness(chunk.at, period) * weights.period
  );
}

/** The score of the text itself, by words and meaning. */
export function relevance({ words, cosine }: Candidate, weights: Weights): number {
  return words * weights.words + Math.max(0, cosine ?? 0) * weights.meaning;
}

export function isKeptOnPurpose({ chunk: { kind, session } }: Candidate): boolean {
  return kind === "fact" && session === null;
}

/** In the order of `PARTS`. */
function partsOf(candidate: Candidate, session: number, question: Question, weights: Weights): number[] {
  const { chunk, origin, words, cosine, around, everyWord, guessed } = candidate;
  const spoken = chunk.kind === "message";
  return [
    guessed ? 0 : words * weights.words,
    guessed ? words * weights.words : 0,
    Math.max(0, cosine ?? 0) * weights.meaning,
    Math.max(0, around) * weights.around,
    everyWord ? weights.everyWord : 0,
    isNamed(chunk.speaker, question) ? weights.speaker : 0,
    spoken && chunk.isQuestion ? weights.question : 0,
    spoken && chunk.trust === "inferred" ? weights.reply : 0,
    spoken ? weights.length * Math.log(1 + Math.min(chunk.length, weights.lengthLimit)) : 0,
    nearness(chunk.at, question.period) * weights.period,
    chunk.kind === "note" ? -weights.recency * aged(chunk.at, question, weights) : 0,
    (chunk.importance - 0.5) * weights.importance,
    chunk.trust === "tool" ? weights.fromTool : 0,
    origin === "project" ? weights.project : 0,
    chunk.recalls === 0 ? 0 : weights.recalls * Math.log(1 + Math.min(chunk.recalls, weights.recallsLimit)),
    session,
    isKeptOnPurpose(candidate) ? supportOf(candidate, weights) : 0,
  ];
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function isNamed(speaker: string | null, { speakers }: Question): boolean {
  return speaker !== null && speakers.size > 0 && speakers.has(speaker.toLowerCase());
}

/** 1 within the period, less on the days around it, since people mention a day later. */
function nearness(at: number | null, period: Period | null): number {
  if (at === null || period === null) return 0;
  const early = (period.from ?? at) - at;
  const late = at - (period.until ?? at);
  return Math.exp(-Math.max(0, early, late) / DAY_MS / NEAR_DAYS);
}

/** From 0 (new) towards 1 (old). */
function aged(at: number | null, { now }: Question, { halfLifeDays }: Weights): number {
  if (at === null) return 0;
  return 1 - 0.5 ** (Math.max(0, now - at) / DAY_MS / halfLifeDays);
}

/** Facts of a session support each other, and so do its turns; a turn does not support a fact that came from it. */
function sessionOf({ chunk: { kind, session } }: Candidate): string | null {
  return kind === "fact" && session !== null ? `facts of ${session}` : session;
}

/** The best word score and the best cosine, possibly of different texts. */
interface Best {
  words: number;
  cosine: number;
}

function bestOfSessions(candidates: readonly Candidate[]): ReadonlyMap<string, Best> {
  const sessions = new Map<string, Best>();
  for (const candidate of candidates) {
    const session = sessionOf(candidate);
    if (session === null) continue;
    const { words, cosine } = candidate;
    const best = sessions.get(session);
    if (best === undefined) sessions.set(session, { words, cosine: cosine ?? 0 });
    else {
      best.words = Math.max(best.words, words);
      best.cosine = Math.max(best.cosine, cosine ?? 0);
    }
  }
  return sessions;
}

/** A fact saved outside any conversation supports itself; otherwise facts from conversations would outrank it. */
function supportOf({ words, cosine }: Pick<Candidate, "words" | "cosine">, weights: Weights): number {
  return words * weights.sessionWords + Math.max(0, cosine ?? 0) * weights.sessionMeaning;
}

function tieBreak(a: Candidate, b: Candidate): number {
  return (b.chunk.at ?? 0) - (a.chunk.at ?? 0) || a.chunk.chunkId - b.chunk.chunkId;
}
