/**
 * Matches the text to forget: in any letter case, with any whitespace and emphasis marks between its words, with plain or typographic
 * quotes and dashes, and with JSON and YAML escapes. Matches whole words only: "likes Go" doesn't match "likes Go-karts".
 */

import { slugify } from "../../core/documents/slug.ts";
import { plainFact } from "../../core/facts/fact-text.ts";
import { hasCjk } from "../../core/text/cjk.ts";

/** The replacement. */
export const FORGOTTEN = "[forgotten]";

export interface ForgottenText {
  /** Every text that contains it has one of these words. */
  readonly words: readonly string[];
  holds(text: string): boolean;
  /** Like `holds`, but also inside longer words, since a database's file has nothing between two texts. */
  holdsAnywhere(text: string): boolean;
  without(text: string, mark?: string): string;
  /** The lines where it starts, from 1. */
  lines(text: string): number[];
  /** Whether the text says nothing else. */
  isAllOf(text: string): boolean;
  /** Whether a document's name was made from it. */
  isName(name: string): boolean;
  /** Whether the text contains it, or starts or ends in the middle of it, as a diff may. */
  holdsPiece(text: string): boolean;
}

const NEVER = "(?!)";

/** `texts` are spellings of the text; without any, nothing matches. */
export function forgottenText(texts: readonly string[]): ForgottenText {
  const spellings = spellingsOf(texts);
  const loose = spellings.map(({ text, isPlain }) => patternOf(text, isPlain));
  const strict = spellings.map(({ text }, index) => `${startOf(text)}${loose[index]}${endOf(text)}`);
  const pattern = new RegExp(strict.join("|") || NEVER, "giu");
  const anywhere = new RegExp(loose.join("|") || NEVER, "iu");
  const folded = [...new Set(spellings.map(({ text }) => fold(text)))];
  const slugs = new Set(spellings.map(({ text }) => slugify(text)).filter((slug) => slug.includes("-")));
  const holds = (text: string) => text.search(pattern) >= 0 || cutAt(text, folded) >= 0;
  const standsFor = holds(FORGOTTEN) ? "[…]" : FORGOTTEN;
  const without = (text: string, mark = standsFor) => {
    const rest = text.replace(pattern, () => mark);
    const cut = cutAt(rest, folded);
    return cut < 0 ? rest : rest.slice(0, cut) + mark;
  };
  return {
    words: [...new Set(spellings.flatMap(({ text }) => tellingWords(text)))],
    holds,
    holdsAnywhere: (text) => anywhere.test(text),
    without,
    lines: (text) => linesOf(text, pattern),
    isAllOf: (text) => holds(text) && !/[\p{L}\p{N}]/u.test(without(text, " ")),
    isName: (name) => slugs.has(name.toLowerCase()),
    holdsPiece: (text) => anywhere.test(text) || folded.some((whole) => overlap(whole, fold(text))),
  };
}

interface Spelling {
  readonly text: string;
  /** Without emphasis marks, so the pattern allows them between words. */
  readonly isPlain: boolean;
}

/** Longest first, so that the longer of two matches is removed. */
function spellingsOf(texts: readonly string[]): Spelling[] {
  const all = texts.flatMap((text) => [
    { text: text.trim(), isPlain: false },
    { text: text.normalize("NFC").trim(), isPlain: false },
    { text: text.normalize("NFD").trim(), isPlain: false },
    { text: plainFact(text), isPlain: true },
  ]);
  const distinct = new Map(all.map((spelling) => [`${spelling.isPlain} ${spelling.text}`, spelling]));
  return [...distinct.values()]
    .filter(({ text }) => text !== "")
    .sort((a, b) => b.text.length - a.text.length);
}

const ESCAPED_SPACE = String.raw`\\+[nrt]`;
const SPACE = String.raw`(?:\s|${ESCAPED_SPACE})+`;
const SPACE_AND_MARKS = `(?:[\\s*_~\`>]|${ESCAPED_SPACE})+`;

function patternOf(text: string, isPlain: boolean): string {
  const words = text.split(/\s+/).map((word) => Array.from(word, characterPattern).join(""));
  return `(?:${words.join(isPlain ? SPACE_AND_MARKS : SPACE)})`;
}

const ALIKE = ["'‘’‚‛ʼ´", '"“”„‟«»', "-‐‑‒–—―−"];

function characterPattern(character: string): string {
  if (character === "\\") return String.raw`\\+`;
  if (/[\p{L}\p{N}]/u.test(character) && character <= "\x7f") return character;
  const alike = ALIKE.find((group) => group.includes(character)) ?? character;
  const cases = [...alike, character.toLowerCase(), character.toUpperCase()];
  const escapes = new Set(cases.flatMap((one) => jsonEscape(one)));
  const plain = Array.from(alike, literal).join("|");
  const doubled = character === "'" ? "|''" : "";
  return `(?:${[...escapes].join("|")}${doubled}|\\\\*(?:${plain}))`;
}

function literal(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&").replace(/^\\-$/, "\\x2d");
}

/** "\u00e9", with any number of backslashes, as a pattern. */
function jsonEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const code = character.charCodeAt(index).toString(16).padStart(4, "0");
    return String.raw`\\+u${code}`;
  }).join("");
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

function startOf(text: string): string {
  const [first = ""] = text;
  if (!WORD_CHARACTER.test(first) || isUnspaced(first)) return "";
  return String.raw`(?:(?<=\\[nrtbf])|(?<=\\u[0-9a-f]{4})|(?<![\p{L}\p{N}\p{M}]|\p{L}-))`;
}

function endOf(text: string): string {
  const last = Array.from(text).at(-1) ?? "";
  if (!WORD_CHARACTER.test(last) || isUnspaced(last)) return "";
  return String.raw`(?![\p{L}\p{N}\p{M}]|-\p{L})`;
}

/** From a script without spaces between words. */
function isUnspaced(character: string): boolean {
  return (
    hasCjk(character) || /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u.test(character)
  );
}

/** The longest word; outside ASCII, in each likely letter case. */
function tellingWords(text: string): string[] {
  const longest = (words: readonly string[]) =>
    words.reduce((best, word) => (word.length > best.length ? word : best), "");
  const ascii = longest(text.match(/[A-Za-z0-9]+/g) ?? []);
  if (ascii.length >= 3) return [ascii];
  const word = longest(text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []) || longest(text.split(/\s+/));
  const [first = "", ...rest] = word.toLowerCase();
  return [...new Set([word, word.toLowerCase(), word.toUpperCase(), first.toUpperCase() + rest.join("")])];
}

function linesOf(text: string, pattern: RegExp): number[] {
  let line = 1;
  let counted = 0;
  const lines = new Set<number>();
  for (const { index } of text.matchAll(pattern)) {
    for (; counted < index; counted++) if (text[counted] === "\n") line++;
    lines.add(line);
  }
  return [...lines];
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}

const CUT = "…";
/** A shorter beginning may be about something else. */
const LEAST_CUT = 16;

/** Where a truncated text such as a title ("Remember: my landlord li…") ends with a beginning of it; -1 if it doesn't. */
function cutAt(text: string, wholes: readonly string[]): number {
  if (!text.endsWith(CUT)) return -1;
  const said = text.slice(0, -CUT.length).toLowerCase();
  if (said.length !== text.length - CUT.length) return -1;
  for (const whole of wholes)
    for (let length = Math.min(whole.length, said.length); length >= LEAST_CUT; length--) {
      const at = said.length - length;
      if (said.endsWith(whole.slice(0, length)) && !WORD_CHARACTER.test(said[at - 1] ?? "")) return at;
    }
  return -1;
}

/** Shorter pieces reveal nothing. */
const LEAST_PIECE = 3;

/** Whether `piece` is part of `whole`, starts with its end, or ends with its start. */
function overlap(whole: string, piece: string): boolean {
  const bare = piece.trim();
  if (bare.length >= LEAST_PIECE && whole.includes(bare)) return true;
  for (let length = Math.min(whole.length, piece.length); length >= LEAST_PIECE; length--) {
    const [end, beginning] = [whole.slice(-length), whole.slice(0, length)];
    if (piece.startsWith(end) && end.trim().length >= LEAST_PIECE) return true;
    if (piece.endsWith(beginning) && beginning.trim().length >= LEAST_PIECE) return true;
  }
  return false;
}
