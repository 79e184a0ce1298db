/**
 * Splits a typed query into plain text, quoted phrases, exclusions and tags. A scanner instead of one regular expression, so that
 * it takes linear time. An operator counts only at the start of a word; elsewhere ("5\"", "x-y", "a - b", "--flag", "-5") it is a
 * plain character.
 */

export interface Piece {
  readonly kind: "plain" | "phrase" | "excluded" | "tag";
  /** Without the operator and the quotes. */
  readonly value: string;
  /** The offset, operator included. */
  readonly start: number;
  readonly end: number;
}

const CLOSERS: Readonly<Record<string, string>> = { '"': '"”', "“": '”"', "„": '“”"', "«": "»" };
const OPENS_WORD = /[\s([{]/;
const SPACE = /\s/;
const LETTER = /^\p{L}/u;
const AROUND_TAG = '"“”„«».,;:!?()[]{}';

export function scanQuery(text: string): Piece[] {
  const closing = closingQuotes(text);
  const pieces: Piece[] = [];
  let plainFrom = 0;
  let at = 0;
  while (at < text.length) {
    const found = at === 0 || OPENS_WORD.test(text[at - 1] ?? "") ? operatorAt(text, at, closing) : null;
    if (found === null) {
      at++;
      continue;
    }
    addPlain(pieces, text, plainFrom, at);
    pieces.push(found);
    at = found.end;
    plainFrom = at;
  }
  addPlain(pieces, text, plainFrom, text.length);
  return pieces;
}

type Closing = (at: number) => number;

function operatorAt(text: string, at: number, closing: Closing): Piece | null {
  const quoted = closing(at);
  if (quoted > 0) return piece("phrase", text, at, at + 1, quoted);
  if (text[at] === "-") {
    const closed = closing(at + 1);
    if (closed > 0) return piece("excluded", text, at, at + 2, closed);
    return LETTER.test(text.slice(at + 1, at + 3)) ? word("excluded", text, at, at + 1) : null;
  }
  if (text.slice(at, at + 4).toLowerCase() !== "tag:") return null;
  const closed = closing(at + 4);
  if (closed > 0) return piece("tag", text, at, at + 5, closed);
  const tag = word("tag", text, at, at + 4);
  const value = trimmed(tag.value, AROUND_TAG);
  return value === "" ? null : { ...tag, value };
}

function trimmed(text: string, characters: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && characters.includes(text[from] ?? "")) from++;
  while (to > from && characters.includes(text[to - 1] ?? "")) to--;
  return text.slice(from, to);
}

/** The text between quotes, up to the closing one at `closed`. */
function piece(kind: Piece["kind"], text: string, start: number, from: number, closed: number): Piece {
  return { kind, value: text.slice(from, closed), start, end: closed + 1 };
}

function word(kind: Piece["kind"], text: string, start: number, from: number): Piece {
  let end = from;
  while (end < text.length && !SPACE.test(text[end] ?? "")) end++;
  return { kind, value: text.slice(from, end), start, end };
}

function addPlain(pieces: Piece[], text: string, start: number, end: number): void {
  if (start < end) pieces.push({ kind: "plain", value: text.slice(start, end), start, end });
}

/** The position of the closing quote for the one at `at`, or -1. Scans no further than the last quote. */
function closingQuotes(text: string): Closing {
  const last = new Map(Object.keys(CLOSERS).map((opener) => [opener, lastOf(text, CLOSERS[opener] ?? "")]));
  return (at) => {
    const opener = text[at] ?? "";
    const closers = CLOSERS[opener];
    const end = last.get(opener) ?? -1;
    if (closers === undefined) return -1;
    for (let position = at + 1; position <= end; position++)
      if (closers.includes(text[position] ?? "")) return position;
    return -1;
  };
}

function lastOf(text: string, characters: string): number {
  return Math.max(...Array.from(characters, (character) => text.lastIndexOf(character)));
}
