/** `{a,b}` and `{1..3}`, which bash makes several words of, and sh does not. Judged as if it always were so. */
import type { ShellWord } from "./shell-word.ts";

const MOST = 200;
const LONGEST = 1_000;
const SEQUENCE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([a-z])\.\.([a-z]))(?:\.\.-?\d{1,9})?$/i;

/** The words that they become; null where these are too many to look at, or cannot be told. */
export function withoutBraces(words: readonly ShellWord[]): readonly ShellWord[] | null {
  const all: ShellWord[] = [];
  for (const word of words) {
    const hasBraces = word.globs && word.text.includes("{");
    const texts = hasBraces ? textsOf(word.text) : [word.text];
    if (texts === null) return null;
    all.push(...texts.map((text) => (text === word.text ? word : { ...word, text })));
    if (all.length > MOST + words.length) return null;
  }
  return all;
}

function textsOf(text: string): string[] | null {
  if (!/,|\.\./.test(text)) return [text];
  // bash has ways of its own with braces that nothing opens or closes, with "{}" among others, and with a sequence of them.
  const isOdd = /\{\}/.test(text) && /[{}]/.test(text.replace(/\{\}/g, ""));
  const isNested = /\{[^{}]*\{/.test(text) && text.includes("..");
  return isOdd || isNested || text.length > LONGEST || !isBalanced(text) ? null : expanded(text, MOST);
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === "{") depth++;
    if (character === "}" && depth-- === 0) return false;
  }
  return depth === 0;
}

function expanded(text: string, most: number): string[] | null {
  const found = firstBrace(text);
  if (found === null) return [text];
  const { before, parts, after } = found;
  const all: string[] = [];
  for (const part of parts) {
    const texts = expanded(part + after, most - all.length);
    if (texts === null || all.length + texts.length > most) return null;
    all.push(...texts.map((end) => before + end));
  }
  return all;
}

/** The first brace that has parts. "${...}" has none, and neither has "{}". */
function firstBrace(text: string): { before: string; parts: readonly string[]; after: string } | null {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const parts = text[start - 1] === "$" ? null : partsFrom(text, start + 1);
    if (parts === null) continue;
    const { list, end } = parts;
    const sequence = list.length === 1 ? sequenceOf(list[0] ?? "") : list;
    if (sequence !== null) return { before: text.slice(0, start), parts: sequence, after: text.slice(end) };
  }
  return null;
}

/** What stands between the commas up to the brace that closes; null where none does. */
function partsFrom(text: string, start: number): { list: string[]; end: number } | null {
  const list: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === "{") depth++;
    else if (character === "," && depth === 0) {
      list.push(text.slice(from, at));
      from = at + 1;
    } else if (character === "}" && depth-- === 0) {
      list.push(text.slice(from, at));
      return { list, end: at + 1 };
    }
  }
  return null;
}

/** null where it is none, or a long one, whose numbers nobody is harmed by. */
function sequenceOf(text: string): string[] | null {
  const [, low, high, first, last] = SEQUENCE.exec(text) ?? [];
  const isLetters = first !== undefined && last !== undefined;
  const [a, b] = isLetters ? [first.charCodeAt(0), last.charCodeAt(0)] : [Number(low), Number(high)];
  const length = Math.abs(a - b) + 1;
  if (Number.isNaN(length) || length > MOST) return null;
  const numbers = Array.from({ length }, (_, index) => a + index * Math.sign(b - a));
  return numbers.map((one) => (isLetters ? String.fromCharCode(one) : String(one)));
}
