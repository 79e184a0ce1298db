/**
 * What a person typed, understood: words, phrases, exclusions, tags, beginnings of words, a period. Everything has a
 * meaning and nothing is an error, since a question is as often pasted as composed.
 */

import { findPeriod, type Period } from "../core/dates/period.ts";
import { nameKey } from "../core/documents/names.ts";
import { cjkBigrams, hasCjk, withoutCjk } from "../core/text/cjk.ts";
import { isQuestion } from "../core/text/evidence.ts";
import { contractionParts, isStopWord, type Language, languageOf } from "../core/text/stop-words.ts";
import { type Piece, scanQuery } from "./query-scan.ts";

export type { Period } from "../core/dates/period.ts";

export interface Query {
  /** As typed, trimmed, controls removed, whitespace collapsed. */
  readonly text: string;
  /**
   * What the question is about: lower-case words in order, without stop words (all words where only stop words were
   * typed), without duplicates; those of phrases included. CJK is left out: see `cjkBigrams`.
   */
  readonly words: readonly string[];
  /** Beginnings of words, typed as `auth*`: lower case, at least two characters; not among the words. */
  readonly prefixes: readonly string[];
  /** Quoted phrases, each as its words, CJK as its bigrams; all must occur. */
  readonly phrases: readonly (readonly string[])[];
  /** `-word` and `-"a phrase"`, each as its words, CJK as its bigrams: none may occur. */
  readonly excluded: readonly (readonly string[])[];
  /** `tag:x` and `tag:"two words"`: all must be among a memory's tags; lower case. */
  readonly tags: readonly string[];
  /** The period that the question names; null where it names none. */
  readonly period: Period | null;
  /** The language that the question's function words suggest; null for English, or if they suggest none. */
  readonly language: Language | null;
  /** What is embedded: the text without operators, excluded words and tags. */
  readonly meaning: string;
}

/** More would not make a question clearer, and FTS5 refuses expressions that are too deep. */
const MOST = 64;

const CONTROLS = /(?!\s)\p{Cc}|\p{Cs}/gu;
const TOKEN = /[\p{L}\p{N}\p{M}]+/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’ʼ＇][\p{L}\p{N}\p{M}]+)*/gu;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const PREFIX = /^(?=.*[\p{L}\p{N}])[\p{L}\p{N}\p{M}]{2,}$/u;
const NOT_A_PREFIX_STAR = /[*\p{L}\p{N}\p{M}]/u;

/** In capitals these are what people know as operators, not abbreviations. */
const OPERATORS: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "NEAR"]);

/** `tags` are asked for besides those that were typed. */
export function parseQuery(typed: string, now: Date, tags: readonly string[] = []): Query {
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

/** One or two words, a phrase or an id asks for whatever contains it, questions that somebody asked included. */
export function isLookup({ text, phrases }: Query): boolean {
  return !isQuestion(text) && (phrases.length > 0 || text.split(" ").length <= 2);
}

function tagsOf(typed: readonly string[]): string[] {
  const tags = typed.map((tag) => nameKey(tag.trim()));
  return [...new Set(tags.filter((tag) => tag !== ""))].slice(0, MOST);
}

interface Reading {
  /** Where everything is in capitals, capitals say nothing. */
  readonly mixedCase: boolean;
  readonly language: Language | null;
}

function wordsAndPrefixes(pieces: readonly Piece[], reading: Reading): Pick<Query, "words" | "prefixes"> {
  const telling = new Set<string>();
  const stops = new Set<string>();
  const prefixes = new Set<string>();
  let cjk = false;
  for (const { value } of pieces) {
    cjk ||= hasCjk(value);
    const text = withoutCjk(value);
    for (const match of text.matchAll(WORD)) {
      if (telling.size === MOST) break;
      const [word] = match;
      const end = match.index + word.length;
      const starred = text[end] === "*" && !NOT_A_PREFIX_STAR.test(text[end + 1] ?? "");
      const isPrefix = starred && text[match.index - 1] !== "*" && PREFIX.test(word);
      if (isPrefix) prefixes.add(lower(word));
      else addWord(word, reading, telling, stops);
    }
  }
  const nothingElse = telling.size === 0 && prefixes.size === 0 && !cjk;
  return {
    words: [...(nothingElse ? stops : telling)].slice(0, MOST),
    prefixes: [...prefixes].slice(0, MOST),
  };
}

function addWord(
  word: string,
  { mixedCase, language }: Reading,
  telling: Set<string>,
  stops: Set<string>,
): void {
  const isName = mixedCase && /^[\p{Lu}\p{N}]{2,}$/u.test(word) && !OPERATORS.has(word);
  const parts = lower(word).split(/['’ʼ＇]/u);
  const kept = parts.length === 1 ? parts : contractionParts(parts);
  if (kept.length === 0) stops.add(parts[0] ?? "");
  for (const part of kept)
    if (SAYS_SOMETHING.test(part)) (isName || !isStopWord(part, language) ? telling : stops).add(part);
}

/** Words and CJK stand in different columns of the index, so a phrase of both becomes one of each. */
function requiredPhrases(phrase: string): string[][] {
  return [latinTokens(phrase), cjkBigrams(phrase)];
}

function tokensOf(text: string): string[] {
  return [...latinTokens(text), ...cjkBigrams(text)];
}

/** As FTS5's unicode61 cuts: contractions too, since a phrase must fit word for word. */
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

/** The text, places kept, with a bar in place of everything that is meant to the letter. */
function plainOnly(text: string, pieces: readonly Piece[]): string {
  return pieces
    .map(({ kind, value, start, end }) => (kind === "plain" ? value : "|".repeat(end - start)))
    .join("")
    .padEnd(text.length);
}
