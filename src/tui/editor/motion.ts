/** Cursor movement by grapheme, word and line. Offsets are UTF-16. */
import { isFold } from "../folded.ts";
import { graphemes } from "./graphemes.ts";

const WORD = "[\\p{L}\\p{N}\\p{M}_\\u200c\\u200d]";
const FOLDS = "\\u{f0000}-\\u{ffffd}";
const OTHER = `[^\\p{L}\\p{N}\\p{M}_\\u200c\\u200d${FOLDS}]`;
const WORD_BEFORE = new RegExp(`(?:${WORD}+|[${FOLDS}])?${OTHER}*$`, "u");
const WORD_AFTER = new RegExp(`^${OTHER}*(?:${WORD}+|[${FOLDS}])?`, "u");
/** Longest word. Keeps the patterns fast on a text without spaces. */
const FAR = 1000;
const RUN_BEFORE = /\S*\s*$/;

export function lineStart(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

/** The graphemes of one line; a fold is always its own piece, even with a combining character after it. */
export function* pieces(line: string): Generator<{ readonly at: number; readonly text: string }> {
  for (const grapheme of graphemes(line)) {
    if (!isFold(grapheme.text) || grapheme.text.length === 2) yield grapheme;
    else {
      yield { at: grapheme.at, text: grapheme.text.slice(0, 2) };
      yield { at: grapheme.at + 2, text: grapheme.text.slice(2) };
    }
  }
}

/** The nearest position at or after `at` that is not inside a grapheme. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0) return 0;
  if (at >= text.length) return text.length;
  const start = lineStart(text, at);
  if (start === at) return at;
  for (const piece of pieces(text.slice(start, lineEnd(text, at))))
    if (start + piece.at + piece.text.length >= at) return start + piece.at + piece.text.length;
  return at;
}

export function before(text: string, at: number): number {
  const start = lineStart(text, at);
  if (start === at) return Math.max(0, at - 1);
  let last = start;
  for (const piece of pieces(text.slice(start, lineEnd(text, at)))) {
    if (start + piece.at >= at) break;
    last = start + piece.at;
  }
  return last;
}

export function after(text: string, at: number): number {
  if (at >= text.length) return text.length;
  return text[at] === "\n" ? at + 1 : boundaryFrom(text, at + 1);
}

export function wordBefore(text: string, at: number): number {
  return backTo(text, at, WORD_BEFORE);
}

/** Back to white space, like Ctrl-W in a shell. */
export function runBefore(text: string, at: number): number {
  return backTo(text, at, RUN_BEFORE);
}

export function wordAfter(text: string, at: number): number {
  const found = WORD_AFTER.exec(text.slice(at, at + FAR));
  return boundaryFrom(text, at + (found?.[0].length ?? 0));
}

function backTo(text: string, at: number, pattern: RegExp): number {
  const found = pattern.exec(text.slice(Math.max(0, at - FAR), at));
  const target = at - (found?.[0].length ?? 0);
  const boundary = boundaryFrom(text, target);
  return boundary <= target || boundary < at ? boundary : before(text, at);
}
