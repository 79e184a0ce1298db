/**
 * Wraps text to a number of columns: between words, in Chinese and Japanese between characters, and within a word that is longer than
 * a line between graphemes. Colours and links are removed first and restored afterwards, so that only visible text is measured and each line
 * closes what it opened.
 */

import { graphemes, widthOf } from "../editor/graphemes.ts";
import { type Colours, coloursAfter, linkedTo, NO_COLOURS, transition } from "./ansi.ts";

/** A wide character needs two columns. */
const NARROWEST = 2;

interface Piece {
  readonly text: string;
  readonly colours: Colours;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Wraps between words. Continuation lines start with `indent`, which counts towards the width. Leading spaces and spaces between words
 * stay; those at a break are dropped. Returns at least one line.
 */
export function wrapText(text: string, width: number, indent = ""): string[] {
  const first = Math.max(NARROWEST, width);
  const hanging = width - widthOf(indent) >= NARROWEST ? indent : "";
  const rest = Math.max(NARROWEST, width - widthOf(hanging));
  return cutLines(text, (line) => ({ ranges: wordRanges(line, first, rest), indent: hanging }));
}

/** Fills each line and keeps every space, for text that must be seen exactly. Returns at least one line. */
export function hardWrap(text: string, width: number): string[] {
  return cutLines(text, (line) => ({ ranges: fullRanges(line, 0, Math.max(NARROWEST, width)), indent: "" }));
}

const CODE_INDENT = 2;

/** Keeps lines that fit as they are. Wraps others between words, and indents the rest a little further than the line. */
export function wrapCode(text: string, width: number): string[] {
  const columns = Math.max(NARROWEST, width);
  return cutLines(text, (line) => {
    if (fits(line, 0, line.length, columns)) return { ranges: [{ start: 0, end: line.length }], indent: "" };
    const own = line.length - line.trimStart().length;
    const indent = " ".repeat(Math.min(own + CODE_INDENT, Math.floor(columns / 2)));
    const rest = Math.max(NARROWEST, columns - indent.length);
    return { ranges: wordRanges(line, columns, rest, codeAtomsOf(line, rest)), indent };
  });
}

interface Cuts {
  readonly ranges: readonly Range[];
  /** Starts each range but the first. */
  readonly indent: string;
}

function cutLines(text: string, cutsOf: (line: string) => Cuts): string[] {
  const pieces = piecesOf(text);
  const lines: string[] = [];
  const cutter = new Cutter(pieces);
  let start = 0;
  for (const line of pieces
    .map((piece) => piece.text)
    .join("")
    .split("\n")) {
    const { ranges, indent } = cutsOf(line);
    for (const [index, range] of ranges.entries())
      lines.push((index === 0 ? "" : indent) + cutter.cut(start + range.start, start + range.end));
    start += line.length + 1;
  }
  return lines;
}

/** Drops escape sequences that are neither colours nor links. */
function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let colours = NO_COLOURS;
  for (const [whole, codes, address] of text.matchAll(
    /\x1b\[([\d;:]*)m|\x1b\]8;;([^\x1b]*)\x1b\\|\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]?)?|[^\x1b]+/g,
  )) {
    if (codes !== undefined) colours = coloursAfter(colours, codes);
    else if (address !== undefined) colours = linkedTo(colours, address);
    else if (!whole.startsWith("\x1b")) pieces.push({ text: whole, colours });
  }
  return pieces;
}

/** Ranges must be requested in order. */
class Cutter {
  readonly #pieces: readonly Piece[];
  #index = 0;
  /** Offset of the current piece. */
  #offset = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  cut(start: number, end: number): string {
    let line = "";
    let colours = NO_COLOURS;
    for (let at = start; at < end; ) {
      const piece = this.#pieces[this.#index];
      if (piece === undefined) break;
      const pieceEnd = this.#offset + piece.text.length;
      if (pieceEnd > at) {
        const part = piece.text.slice(at - this.#offset, Math.min(end, pieceEnd) - this.#offset);
        line += transition(colours, piece.colours) + part;
        colours = piece.colours;
        at += part.length;
      }
      if (pieceEnd > end) break;
      this.#offset = pieceEnd;
      this.#index++;
    }
    return line + transition(colours, NO_COLOURS);
  }
}

/** `first` and `rest`: columns of the first line and of the later ones. */
function wordRanges(line: string, first: number, rest: number, atoms = atomsOf(line)): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let end = 0;
  const width = () => (ranges.length === 0 ? first : rest);
  for (const atom of atoms) {
    if (fits(line, start, atom.end, width())) {
      end = atom.end;
      continue;
    }
    if (end > start) ranges.push({ start, end });
    start = atom.start;
    if (!fits(line, start, atom.end, width())) {
      const full = fullRanges(line.slice(0, atom.end), start, width(), rest);
      start = full.pop()?.start ?? start;
      ranges.push(...full);
    }
    end = atom.end;
  }
  if (end > start || ranges.length === 0) ranges.push({ start, end });
  return ranges;
}

const CJK = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3001-\u303f\u30fb\u30fc\uff01-\uff60`;
const HAS_CJK = new RegExp(`[${CJK}]`, "u");
/** No line starts with a closing character or ends with an opening one. */
const OPENING = "（「『【〈《〔［｛";
const CLOSING =
  "、。，．！？：；）」』】〉》〕］｝・ー々ゝゞぁぃぅぇぉっゃゅょァィゥェォッャュョ…,.!?:;)\\]}\"'”’";
const CJK_ATOM = new RegExp(`[${OPENING}]*(?:[${CJK}]\\p{M}*|[^ ${CJK}]+)[${CLOSING}]*`, "gu");

/** The units that are not broken if they fit on a line. */
function* atomsOf(line: string): Generator<Range> {
  for (const match of line.matchAll(/[^ ]+/g)) {
    const word = match[0];
    if (!HAS_CJK.test(word)) yield { start: match.index, end: match.index + word.length };
    else
      for (const atom of word.matchAll(CJK_ATOM)) {
        const start = match.index + atom.index;
        yield { start, end: start + atom[0].length };
      }
  }
}

/** A name and the punctuation after it. */
const CODE_ATOM = /[\p{L}\p{N}\p{M}_$]*[^\p{L}\p{N}\p{M}_$]*/gu;

/** Breaks an expression without spaces between its names if it is longer than a line. */
function* codeAtomsOf(line: string, width: number): Generator<Range> {
  for (const atom of atomsOf(line)) {
    if (fits(line, atom.start, atom.end, width)) yield atom;
    else
      for (const { 0: part, index } of line.slice(atom.start, atom.end).matchAll(CODE_ATOM))
        if (part !== "") yield { start: atom.start + index, end: atom.start + index + part.length };
  }
}

/** Fills each line, from `start` on. */
function fullRanges(line: string, start: number, first: number, rest = first): Range[] {
  if (fits(line, start, line.length, first)) return [{ start, end: line.length }];
  const ranges: Range[] = [];
  let from = start;
  let end = start;
  const width = () => (ranges.length === 0 ? first : rest);
  const close = () => {
    ranges.push({ start: from, end });
    from = end;
  };
  for (const { at, text } of graphemes(line.slice(start))) {
    for (const part of widthOf(text) > width() ? text : [text]) {
      if (end > from && !fits(line, from, end + part.length, width())) close();
      end += part.length;
    }
    end = start + at + text.length;
  }
  if (end > from || ranges.length === 0) close();
  return ranges;
}

/** Maximum characters per column, so that long runs of zero-width characters are not measured repeatedly. */
const MOST_CHARACTERS = 8;

function fits(line: string, start: number, end: number, width: number): boolean {
  if (end - start > width * MOST_CHARACTERS) return false;
  return widthOf(line.slice(start, end)) <= width;
}
