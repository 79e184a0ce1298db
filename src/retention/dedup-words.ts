/** A fact cut into words, each in the form by which it is compared. */
import { plainFact } from "../core/fact-text.ts";
import { detached } from "../util/detached.ts";
import { AUXILIARIES, EMPTY_WORDS, PAST_VERBS, SAME_WORDS, VERB_FORMS } from "./dedup-lexicon.ts";

export interface Word {
  /** As it stands there. */
  readonly text: string;
  /** Lower case, one spelling. */
  readonly word: string;
  /** `word` in the singular, or the base form of a verb. */
  readonly base: string;
  readonly capital: boolean;
  /** "Jamie's". */
  readonly owns: boolean;
  /** A comma, a bracket or a dash stands before it. */
  readonly afterBreak: boolean;
  /** "a" or "an" stands before it: one of its kind. */
  readonly one: boolean;
}

const URL = String.raw`\p{L}[\p{L}\p{N}+.-]*:\/\/[^\s"'<>)\]]+`;
const PATH = String.raw`[~.]{0,2}\/[\p{L}\p{N}_][^\s"'<>)\],;]*`;
/** A sign before it counts (-5, .env, #general, $20), and one after it (C++, F#, 5%). */
const BEFORE = String.raw`(?:(?<![\p{L}\p{N}.])(?:--?|[.#@~+]|\p{Sc}))?`;
const PLAIN = String.raw`[\p{L}\p{N}\p{M}_]+(?:[-./:@&'%][\p{L}\p{N}\p{M}_]+)*(?:\+\+|[#%+](?!\p{L})|\p{Sc})?`;
/** Whatever else is no mere punctuation: "?", "★★★", emoji. */
const SIGNS = String.raw`[^\s\p{L}\p{N}\p{M}_,.;:!'"()[\]{}…/|-]+`;
/** URLs, addresses, paths, versions, times and words with hyphens are one word each. */
const TOKEN = new RegExp(`${URL}|${PATH}|${BEFORE}${PLAIN}|${SIGNS}`, "gu");
const BREAK = /[,;:()[\]{}/|]|[.!?…]\s|\s-+\s/;
const NEGATED_AUXILIARY = /^(\p{L}+)n'?t$/u;
/** Each is several words. */
export const HELD_APART: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "cannot can not",
    "can't can not",
    "cant can not",
    "won't will not",
    "wont will not",
    "i'm i am",
    "i've i have",
    "it's it is",
    "he's he is",
    "she's she is",
    "they're they are",
    "there's there is",
    "that's that is",
  ]
    .map((line) => line.split(" "))
    .map(([whole = "", ...parts]) => [whole, parts]),
);
const AUXILIARY_STEMS = new Set([
  ...AUXILIARIES,
  ..."is are was were has have had would could should must need ai".split(" "),
]);

export function wordsOf(text: string): Word[] {
  return wordsOfPlain(plainFact(text));
}

/** Of a text as `plainFact` gives it. No word has white space in it, so what stands between two spaces is read by itself. */
export function wordsOfPlain(plain: string): Word[] {
  const found: Word[] = [];
  let gap = "";
  let article = false;
  for (const text of plain.split(" ")) {
    const { before, words, after, endsInArticle } = chunkOf(text, article);
    const [first] = words;
    if (first === undefined) {
      gap += ` ${text}`;
      continue;
    }
    const isSmooth = gap === "" && before === "";
    if (found.length === 0) found.push(opening(first));
    else found.push(isSmooth || !BREAK.test(`${gap} ${before}`) ? first : { ...first, afterBreak: true });
    for (let at = 1; at < words.length; at++) found.push(words[at] as Word);
    gap = after;
    article = endsInArticle;
  }
  return found;
}

/** What stands between two spaces: its words, as they are in the middle of a sentence, and the signs around them. */
interface Chunk {
  readonly before: string;
  readonly words: readonly Word[];
  readonly after: string;
  readonly endsInArticle: boolean;
}

/** Facts have most of their words in common: each is read once, unless it is too long to come again. */
const MOST_CHUNKS = 20_000;
const LONGEST_CHUNK = 40;
const CHUNKS = new Map<string, Chunk>();

function chunkOf(text: string, afterArticle: boolean): Chunk {
  if (text.length > LONGEST_CHUNK) return readChunk(text, afterArticle);
  const key = afterArticle ? ` ${text}` : text;
  const known = CHUNKS.get(key);
  if (known !== undefined) return known;
  if (CHUNKS.size === MOST_CHUNKS) CHUNKS.clear();
  const chunk = readChunk(detached(text), afterArticle);
  CHUNKS.set(detached(key), chunk);
  return chunk;
}

/** One word of plain letters, as most are, and signs that are no part of any. */
const LETTERS = /^[A-Za-z][a-z]*(?=[,.;:!]*$)/;

function readChunk(chunk: string, afterArticle: boolean): Chunk {
  const only = LETTERS.exec(chunk)?.[0];
  if (only !== undefined) {
    const words = readToken(only, { owns: false, afterBreak: false, one: afterArticle });
    return { before: "", words, after: chunk.slice(only.length), endsInArticle: isArticle(only) };
  }
  const words: Word[] = [];
  let before = chunk;
  let end = 0;
  let one = afterArticle;
  for (const { 0: token, index } of chunk.matchAll(TOKEN)) {
    const gap = chunk.slice(end, index);
    const isFirst = words.length === 0;
    if (isFirst) before = gap;
    end = index + token.length;
    const owns = /(?:'s|s')$/i.test(token) || (/s$/i.test(token) && chunk[end] === "'");
    words.push(...readToken(token, { owns, afterBreak: !isFirst && BREAK.test(gap), one }));
    one = isArticle(token);
  }
  return { before, words, after: chunk.slice(end), endsInArticle: one };
}

function isArticle(token: string): boolean {
  return token.length < 3 && /^an?$/i.test(token);
}

/** Mostly one word. */
function readToken(
  text: string,
  { owns, afterBreak, one }: Pick<Word, "owns" | "afterBreak" | "one">,
): Word[] {
  const lower = text.toLowerCase();
  const capital = lower !== text && /^\p{Lu}/u.test(text);
  return apart(lower).map((part, at) => ({
    text,
    word: SAME_WORDS.get(part) ?? part,
    base: baseOf(part, capital || IDENTIFIER.test(text)),
    capital,
    owns: owns && at === 0,
    afterBreak: afterBreak && at === 0,
    one,
  }));
}

/** `getUser` and `getUsers` are two names. */
const IDENTIFIER = /\p{Ll}\p{Lu}/u;

/** A fact's first word has its capital anyway: it may be a plural. */
function opening(word: Word): Word {
  if (!word.capital || !word.base.endsWith("s") || IDENTIFIER.test(word.text)) return word;
  return { ...word, base: baseOf(apart(word.text.toLowerCase())[0] ?? "", false) };
}

/** "don't" is "do not", "Jamie's" is "Jamie". */
function apart(lower: string): readonly string[] {
  if (!lower.includes("'") && !lower.endsWith("nt") && lower !== "cannot") return [lower];
  const known = HELD_APART.get(lower);
  if (known !== undefined) return known;
  const auxiliary = NEGATED_AUXILIARY.exec(lower)?.[1];
  if (auxiliary !== undefined && AUXILIARY_STEMS.has(auxiliary)) return [auxiliary, "not"];
  return [lower.replace(/'s$|'$/, "")];
}

/** A name in the middle of a sentence is no plural ("Athens" stays), and "training" is neither "trains" nor "train". */
function baseOf(lower: string, isName: boolean): string {
  const spelt = SAME_WORDS.get(lower);
  if (spelt !== undefined) return spelt;
  const verb = VERB_FORMS.get(lower);
  if (verb !== undefined && !lower.endsWith("ing")) return verb;
  return isName ? lower : singular(lower);
}

export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith("s") || !/^[\p{L}-]+s$/u.test(word) || /(?:ss|us|is|ous)$/.test(word))
    return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  return /(?:sh|ch|x|ss|z)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

/** The same word, or the same but for its number: not "a dog" and "dogs", nor "Apple" and "apples". */
export function sameWord(a: Word, b: Word): boolean {
  if (a.word === b.word) return true;
  if (a.base !== b.base || a.capital !== b.capital) return false;
  const singularOne = a.word === a.base ? a : b;
  return !singularOne.one;
}

/** Without the words that say nothing. The last word stays, and so does the A of "vitamin A". */
export function telling(words: readonly Word[]): Word[] {
  return words.filter(
    ({ word, text }, at) =>
      !EMPTY_WORDS.has(word) || at === words.length - 1 || (at > 0 && text !== text.toLowerCase()),
  );
}

/** "coffee and tea": what goes on says something else as well. */
export function isJoined(words: readonly Word[]): boolean {
  return words.some(({ word, afterBreak }) => afterBreak || /^(?:and|or|but|plus|&)$/.test(word));
}

/** "and works at Acme": what goes on says something else as well, with a verb of its own. */
export function isSentenceMore(words: readonly Word[]): boolean {
  const hasVerb = words.some(
    ({ word }) => VERB_FORMS.has(word) || PAST_VERBS.has(word) || /^(?:is|are|was|were|has)$/.test(word),
  );
  return hasVerb && (isJoined(words) || words.some(({ word }) => /^(?:who|which|while|where)$/.test(word)));
}
