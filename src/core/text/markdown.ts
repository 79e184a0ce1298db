/**
 * The Markdown scanner: says of each line what it is, from the marks in front of its text and the lines above it. Nothing else
 * decides where code begins and ends, or which lines are headings, list items and quotes.
 *
 * It follows CommonMark, except that a fence in a list ends only at its closing line, because models and people outdent code.
 */

export type LineKind =
  | "blank"
  | "heading"
  | "item"
  | "quote"
  | "rule"
  | "text"
  /** Indented code. */
  | "indented"
  /** The opening line of a fence, the lines inside it, and its closing line. */
  | "fence"
  | "code"
  | "fence-end"
  /** A comment, `<pre>` and the like, and the last line of one. */
  | "raw"
  | "raw-end";

/** The marks in front of a line's text: quote marks, list markers, the hashes of a heading. */
export interface LineHead {
  /** Columns of white space in front of everything; tab stops are four columns apart. */
  readonly indent: number;
  /** Characters in front of the text. */
  readonly length: number;
  readonly quoted: boolean;
  /** 1 to 6 if one of the marks is a heading's, else 0. */
  readonly level: number;
  /** The first list marker: its bullet, or "1" for any number; "" if there is none. */
  readonly item: string;
  /** The first mark; "" if there is none. */
  readonly first: string;
}

interface ScannedLine {
  readonly kind: LineKind;
  readonly head: LineHead;
  /** Part of the list item above. */
  readonly attached: boolean;
  /** The info string of a fence's opening line, usually a language; else "". */
  readonly info: string;
}

export interface Line extends ScannedLine {
  /** Without its line ending. */
  readonly text: string;
  /** Offsets: of the line, of its ending, and of the next line. */
  readonly start: number;
  readonly end: number;
  readonly next: number;
  /** 1-based. */
  readonly number: number;
}

export interface Fence {
  readonly mark: "`" | "~";
  readonly length: number;
  readonly indent: number;
  readonly info: string;
}

/** More indentation makes code, except in a list or a paragraph. */
const MOST_INDENT = 3;
const TAB_STOP = 4;
/** En and em dashes and round bullets aren't Markdown list markers, but people and models use them. */
const MARK = /[ \t\r]+|>|[•‣◦]|(?:[-*+–—]|\d{1,9}[.)]|#{1,6})(?=[ \t\r]|$)/y;
const MARK_START = /[>•‣◦*+–—\d#-]/;
const ITEM = /^[-*+\d]/;
const TYPED_BULLET = /^[•‣◦–—]/;
const RAW = /^ {0,3}<(!--|pre\b|script\b|style\b|textarea\b)/i;
const QUOTE = /^[ \t]*>/;

/** The list marker in front of an item's text, and the check box after it. */
export const LIST_MARKER = /^[ \t]*(?:[-*+•‣◦–—]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
/** Bullets in front of a text. A number may belong to the text. */
export const BULLETS = /^(?:[ \t]*[-*+•‣◦–—][ \t]+)+/;
export const CHECK_BOX = /^\[[ xX]\][ \t]+/;

/** All lines of the text, without a byte order mark. */
export function* linesOf(content: string): Generator<Line> {
  const scanner = new LineScanner();
  let start = content.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let number = 1; start < content.length; number++) {
    const newline = content.indexOf("\n", start);
    const next = newline === -1 ? content.length : newline + 1;
    const last = newline === -1 ? next : newline;
    const end = content[last - 1] === "\r" && last > start ? last - 1 : last;
    const text = content.slice(start, end);
    const { kind, head, attached, info } = scanner.take(text);
    yield { kind, head, attached, info, text, start, end, next, number };
    start = next;
  }
}

/** Fenced code with its fences, or indented code. */
export function isCode(kind: LineKind): boolean {
  return kind === "fence" || kind === "code" || kind === "fence-end" || kind === "indented";
}

interface OpenFence {
  readonly fence: Fence;
  /** Characters in front of it, list markers included. */
  readonly column: number;
  /** It is in a quote and ends with it. */
  readonly quoted: boolean;
}

export class LineScanner {
  #fence: OpenFence | null = null;
  #rawEnd: string | null = null;
  #inList = false;
  #afterBlank = true;
  #afterParagraph = false;

  /** Reads the next line, given without its ending. */
  take(text: string): ScannedLine {
    const line = this.peek(text);
    const { kind, head } = line;
    this.#rawEnd = kind === "raw" ? (this.#rawEnd ?? rawEndOf(text)) : null;
    if (kind === "fence") this.#open(text, head);
    else if (kind !== "code") this.#fence = null;
    if (kind === "heading" || this.#leavesList(head.indent, kind)) this.#inList = false;
    if (kind === "item" || (kind === "fence" && head.item !== "")) this.#inList = true;
    const closes = kind === "fence-end" || kind === "raw-end";
    this.#afterBlank = kind === "blank" || closes;
    this.#afterParagraph =
      kind === "text" || kind === "quote" || (kind === "item" && head.length < text.length);
    return line;
  }

  /** Classifies the line, or a prefix of it, without consuming it. */
  peek(text: string): ScannedLine {
    const inside = this.#inside(text);
    if (inside !== null) return { kind: inside, head: NO_HEAD, attached: false, info: "" };
    const head = headOf(text);
    const fence = this.#fenceOf(text, head);
    const kind = fence === null ? this.#kindOf(text, head) : "fence";
    const inList = this.#inList && !this.#leavesList(head.indent, kind);
    return { kind, head, attached: inList && head.indent >= 2, info: fence?.info ?? "" };
  }

  /** The next line is in a fence, unless that is in a quote and the line isn't. */
  get inFence(): boolean {
    return this.#fence !== null;
  }

  copy(): LineScanner {
    const copy = new LineScanner();
    copy.#fence = this.#fence;
    copy.#rawEnd = this.#rawEnd;
    copy.#inList = this.#inList;
    copy.#afterBlank = this.#afterBlank;
    copy.#afterParagraph = this.#afterParagraph;
    return copy;
  }

  /** The kind of a line inside a fence or a comment; null outside. */
  #inside(text: string): LineKind | null {
    if (this.#rawEnd !== null) return text.toLowerCase().includes(this.#rawEnd) ? "raw-end" : "raw";
    if (this.#fence === null) return null;
    const { fence, column, quoted } = this.#fence;
    if (quoted && !QUOTE.test(text)) return null;
    const inner = quoted ? text.replace(QUOTE, "") : text;
    return closesFence(inner, fence, column + MOST_INDENT) ? "fence-end" : "code";
  }

  #fenceOf(text: string, { indent, length, level, first }: LineHead): Fence | null {
    const isCode = indent > MOST_INDENT && !this.#inList;
    return isCode || level > 0 || TYPED_BULLET.test(first) ? null : fenceOf(text.slice(length));
  }

  #open(text: string, { length, quoted }: LineHead): void {
    const fence = fenceOf(text.slice(length));
    this.#fence = fence === null ? null : { fence, column: length, quoted };
  }

  #kindOf(text: string, { indent, length, first }: LineHead): LineKind {
    if (length === text.length && first === "") return "blank";
    const isFree = indent <= MOST_INDENT;
    if (!isFree && !this.#inList) return this.#afterParagraph ? "text" : "indented";
    if (isFree && first.startsWith("#")) return "heading";
    if (isRule(text)) return "rule";
    if (RAW.test(text)) return rawEndOf(text) === null ? "raw-end" : "raw";
    if (isFree && first === ">") return "quote";
    // An empty item cannot interrupt a paragraph.
    const isItem = ITEM.test(first) && (length < text.length || this.#inList || !this.#afterParagraph);
    return isItem ? "item" : "text";
  }

  #leavesList(indent: number, kind: LineKind): boolean {
    return this.#afterBlank && indent < 2 && kind !== "item" && kind !== "blank";
  }
}

const NO_HEAD: LineHead = { indent: 0, length: 0, quoted: false, level: 0, item: "", first: "" };

export function headOf(line: string): LineHead {
  const indent = indentOf(line);
  const text = line.trimStart();
  const blanks = line.length - text.length;
  if (!MARK_START.test(text.charAt(0))) return { ...NO_HEAD, indent, length: blanks };
  const marks: string[] = [];
  let length = 0;
  MARK.lastIndex = 0;
  for (let match = MARK.exec(line); match !== null; match = MARK.exec(line)) {
    length = MARK.lastIndex;
    if (match[0].trim() !== "") marks.push(match[0]);
  }
  const item = marks.find((mark) => mark !== ">" && !mark.startsWith("#")) ?? "";
  return {
    indent,
    length,
    quoted: marks.includes(">"),
    level: marks.find((mark) => mark.startsWith("#"))?.length ?? 0,
    item: /\d/.test(item) ? "1" : item,
    first: marks[0] ?? "",
  };
}

/** Longer beginnings of a line count as text. */
const LONGEST_HEAD = 80;

/** Whether a line that is still being written has no text yet: nothing but marks, or what may become one. */
export function isHeadSoFar(line: string): boolean {
  return line.length <= LONGEST_HEAD && /^\d{0,9}$/.test(line.slice(headOf(line).length));
}

export function indentOf(text: string): number {
  let columns = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === " ") columns++;
    else if (text[at] === "\t") columns += TAB_STOP - (columns % TAB_STOP);
    else break;
  }
  return columns;
}

/** The fence that a line opens, given without quote marks and list markers. */
export function fenceOf(text: string): Fence | null {
  const match = /^( {0,3})(`{3,}|~{3,})([\s\S]*)$/.exec(text);
  if (match === null) return null;
  const [, indent = "", marks = "", info = ""] = match;
  const mark = marks.startsWith("`") ? "`" : "~";
  if (mark === "`" && info.includes("`")) return null;
  return { mark, length: marks.length, indent: indent.length, info: info.trim() };
}

export function closesFence(text: string, { mark, length }: Fence, mostIndent = MOST_INDENT): boolean {
  const marks = /^[ \t]*(`{3,}|~{3,})[ \t\r]*$/.exec(text)?.[1] ?? "";
  return marks.startsWith(mark) && marks.length >= length && indentOf(text) <= mostIndent;
}

/** The level of a heading that begins with hashes, and where in the line its text is; null for other lines. */
export function headingIn(text: string): { level: number; start: number; end: number } | null {
  const match = /^ {0,3}(#{1,6})(?:[ \t]+|$)/.exec(text);
  if (match === null) return null;
  const start = match[0].length;
  const whole = text.trimEnd().length;
  let end = whole;
  while (end > start && text[end - 1] === "#") end--;
  const isClosed = end === start || text[end - 1] === " " || text[end - 1] === "\t";
  return { level: match[1]?.length ?? 1, start, end: text.slice(0, isClosed ? end : whole).trimEnd().length };
}

/** The level of the heading that a paragraph becomes if this line is under it; null for other lines. */
export function underlineOf(text: string): number | null {
  const match = /^ {0,3}(?:(=+)|-+)[ \t]*$/.exec(text);
  return match === null ? null : match[1] === undefined ? 2 : 1;
}

export function isRule(text: string): boolean {
  if (!/^ {0,3}[-*_][-*_ \t]+$/.test(text)) return false;
  const marks = text.replace(/[ \t]/g, "");
  return marks.length >= 3 && marks === marks.charAt(0).repeat(marks.length);
}

/** What ends the comment or element that a line opens; null if the line also ends it, or opens none. */
function rawEndOf(text: string): string | null {
  const match = RAW.exec(text);
  if (match === null) return null;
  const [opening, name = ""] = match;
  const end = name === "!--" ? "-->" : `</${name.toLowerCase()}`;
  return text.toLowerCase().includes(end, opening.length) ? null : end;
}
