/**
 * Parses a typed query into words, phrases, exclusions, tags, prefixes and a period. Any text is valid, because questions are
 * often pasted.
 */

import { findPeriod, type Period } from "../core/dates/period.ts";
import { nameKey } from "../core/documents/names.ts";
import { isQuestion } from "../core/language/evidence.ts";
import { contractionParts, isStopWord, type Language, languageOf } from "../core/language/stop-words.ts";
import { cjkBigrams, hasCjk, withoutCjk } from "../core/text/cjk.ts";
import { type Piece, scanQuery } from "./query-scan.ts";

export type { Period } from "../core/dates/period.ts";

export interface Query {
  /** The typed text: trimmed, without control characters, with whitespace collapsed. */
  readonly text: string;
  /**
   * Lower-case content words in order, without duplicates, including those of phrases. If only stop words were typed, these.
   * Without CJK, see `cjkBigrams`.
   */
  readonly words: readonly string[];
  /** Prefixes, typed as `auth*`: lower case, at least two characters; not among the words. */
  readonly prefixes: readonly string[];
  /** Quoted phrases, each as its words (CJK as bigrams). All must occur. */
  readonly phrases: readonly (readonly string[])[];
  /** `-word` and `-"a phrase"`, each as its words (CJK as bigrams). None may occur. */
  readonly excluded: readonly (readonly string[])[];
  /** `tag:x` and `tag:"two words"`, in lower case. A memory must have all of them. */
  readonly tags: readonly string[];
  /** The period that the question names, or null. */
  readonly period: Period | null;
  /** The language that the question's function words suggest; null for English, or if they suggest none. */
  readonly language: Language | null;
  /** The text to embed: without operators, excluded words and tags. */
  readonly meaning: string;
}

/** More words don't make a question clearer, and FTS5 rejects expressions that are too deep. */
const MOST = 64;

const CONTROLS = /(?!\s)\p{Cc}|\p{Cs}/gu;
const TOKEN = /[\p{L}\p{N}\p{M}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’ʼ＇][\p{L}\p{N}\p{M}]+)*/gu;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const PREFIX = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}\p{M}]{2,}$/u;
const NOT_A_PREFIX_STAR = /[*\p{L}\p{N}\p{M}]/u;

/** Words that ask for a time or for the present state. The answer names the time instead: "On which day ...?", "On Tuesdays". */
const PRESENT =
  /(?<!\p{L})(?:these days|at the moment|right now|at present|im moment|heutzutage|en este momento|hoy en día|ahora mismo|en ce moment)(?!\p{L})/giu;
const ASKED_TIME =
  /(?<=(?<!\p{L})(?:what|which|welche[mnrs]?|qué|quel(?:le)?s?) )(?:day|date|time|year|month|tag|datum|uhrzeit|jahr|monat|día|fecha|hora|año|mes|jour|heure|année|mois)s?(?!\p{L})(?: (\p{L}+))?/giu;

/** In capitals, people mean these as operators. */
const OPERATORS: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "NEAR"]);

/** `tags` are asked for besides those that were typed. */
export function parseQuery(typed: string, now: Date, tags: readonly string[]): Query {
  const text = typed.replace(CONTROLS, "").replace(/\s+/g, " ").trim();
  const pieces = scanQuery(text);
  const of = (kind: Piece["kind"]) => pieces.filter((piece) => piece.kind === kind).map(({ value }) => value);
  const meant = pieces.filter(({ kind }) => kind === "plain" || kind === "phrase");
  const meaning = meant
    .map(({ value }) => value)
    .join("")
    .replace(/(?<=[\p{L}\p{N}\p{M}])\*(?=\s|$)/gu, "")
    .replace(/\s+/g, " ")
    .trim();
  const language = languageOf(latinTokens(meaning));
  return {
    text,
    language,
    ...wordsAndPrefixes(meant, { mixedCase: /\p{Ll}/u.test(meaning), language }),
    phrases: first(of("phrase").flatMap(requiredPhrases)),
    excluded: first(of("excluded").map(tokensOf)),
    tags: tagsOf([...of("tag"), ...tags]),
    period: findPeriod(plainOnly(text, pieces), now),
    meaning,
  };
}

/** One or two words, a phrase or an id match everything that contains them, including past questions. */
export function isLookup({ text, phrases }: Query): boolean {
  return !isQuestion(text) && (phrases.length > 0 || text.split(" ").length <= 2);
}

function tagsOf(typed: readonly string[]): string[] {
  const tags = typed.map((tag) => nameKey(tag.trim()));
  return [...new Set(tags.filter((tag) => tag !== ""))].slice(0, MOST);
}

interface Reading {
  /** If the whole query is in capitals, capitals mean nothing. */
  readonly mixedCase: boolean;
  readonly language: Language | null;
}

function wordsAndPrefixes(pieces: readonly Piece[], reading: Reading): Pick<Query, "words" | "prefixes"> {
  const contentWords = new Set<string>();
  const stops = new Set<string>();
  const prefixes = new Set<string>();
  let cjk = false;
  for (const { kind, value } of pieces) {
    cjk ||= hasCjk(value);
    const text = withoutCjk(value);
    const ofTime = kind === "plain" ? timeWords(text, reading.language) : new Set();
    for (const match of text.matchAll(WORD)) {
      if (contentWords.size === MOST) break;
      const [word] = match;
      const end = match.index + word.length;
      const starred = text[end] === "*" && !NOT_A_PREFIX_STAR.test(text[end + 1] ?? "");
      const isPrefix = starred && text[match.index - 1] !== "*" && PREFIX.test(word);
      if (isPrefix) prefixes.add(lower(word));
      else addWord(word, reading, ofTime.has(match.index) ? stops : contentWords, stops);
    }
  }
  const nothingElse = contentWords.size === 0 && prefixes.size === 0 && !cjk;
  return {
    words: [...(nothingElse ? stops : contentWords)].slice(0, MOST),
    prefixes: [...prefixes].slice(0, MOST),
  };
}

/** Where such words start. Not "time" in "which time zone": before another content word, it is part of a name. */
function timeWords(text: string, language: Language | null): ReadonlySet<number> {
  const isName = (next = "") => next !== "" && !isStopWord(lower(next), language);
  const asked = [...text.matchAll(ASKED_TIME)].filter(([, next]) => !isName(next));
  const present = [...text.matchAll(PRESENT)].flatMap(({ 0: phrase, index }) =>
    [...phrase.matchAll(WORD)].map((word) => index + word.index),
  );
  return new Set([...asked.map(({ index }) => index), ...present]);
}

function addWord(
  word: string,
  { mixedCase, language }: Reading,
  contentWords: Set<string>,
  stops: Set<string>,
): void {
  const isName = mixedCase && /^[\p{Lu}\p{N}]{2,}$/u.test(word) && !OPERATORS.has(word);
  const parts = lower(word).split(/['’ʼ＇]/u);
  const kept = parts.length === 1 ? parts : contractionParts(parts);
  if (kept.length === 0) stops.add(parts[0] ?? "");
  for (const part of kept)
    if (SAYS_SOMETHING.test(part)) (isName || !isStopWord(part, language) ? contentWords : stops).add(part);
}

/** Words and CJK are in different index columns, so a mixed phrase becomes two. */
function requiredPhrases(phrase: string): string[][] {
  return [latinTokens(phrase), cjkBigrams(phrase)];
}

function tokensOf(text: string): string[] {
  return [...latinTokens(text), ...cjkBigrams(text)];
}

/** Tokenizes like FTS5's unicode61, contractions included, since a phrase must match word for word. */
function latinTokens(text: string): string[] {
  return Array.from(withoutCjk(text).matchAll(TOKEN), ([token]) => lower(token)).filter((token) =>
    SAYS_SOMETHING.test(token),
  );
}

function lower(word: string): string {
  return word.toLowerCase().normalize("NFC");
}

function first(phrases: readonly string[][]): string[][] {
  return phrases
    .filter((words) => words.length > 0)
    .map((words) => words.slice(0, MOST))
    .slice(0, MOST);
}

/** The text with quoted and operator pieces masked by a bar, at the same offsets. */
function plainOnly(text: string, pieces: readonly Piece[]): string {
  return pieces
    .map(({ kind, value, start, end }) => (kind === "plain" ? value : "|".repeat(end - start)))
    .join("")
    .padEnd(text.length);
}
