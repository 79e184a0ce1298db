/**
 * Markdown cut into its blocks, as places in the text: headings, paragraphs, list items, fenced code, tables, comments.
 * By line and forgiving, in one pass: what a chunk must not be cut inside is all that has to be known, and notes are not
 * always good Markdown. Everything that is not blank is in exactly one block.
 */

export type BlockKind = "heading" | "text" | "item" | "code" | "table" | "raw";

export interface Block {
  kind: BlockKind;
  /** Offsets into the content, without the last line's ending. */
  start: number;
  end: number;
  /** 1-based. */
  line: number;
  /** 1 to 6 for a heading, else 0. */
  level: number;
  /** Belongs to the list item above it. */
  attached: boolean;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly number: number;
  /** Columns of white space in front. */
  readonly indent: number;
}

const FENCE = /^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+){0,8}(`{3,}|~{3,})/;
const FENCE_END = /^[ \t]*(`{3,}|~{3,})[ \t]*$/;
const ATX = /^ {0,3}(#{1,6})(?:[ \t]|$)/;
const SETEXT = /^ {0,3}(?:=+|-+)[ \t]*$/;
const BREAK = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const TABLE_RULE = /^[ \t|:-]+$/;
const RAW = /^ {0,3}<(!--|pre\b|script\b|style\b|textarea\b)/i;
const LONGEST_BREAK = 200;
/** Longer text over a line of dashes is a paragraph and a rule, whatever CommonMark says. */
const LONGEST_SETEXT = 200;

export function blocksOf(content: string): Block[] {
  const scanner = new Scanner();
  for (const line of linesOf(content)) scanner.take(line);
  return scanner.blocks;
}

function* linesOf(content: string): Generator<Line> {
  let start = content.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let number = 1; start < content.length; number++) {
    const newline = content.indexOf("\n", start);
    const next = newline === -1 ? content.length : newline;
    const end = content[next - 1] === "\r" && next > start ? next - 1 : next;
    const text = content.slice(start, end);
    yield { text, start, end, number, indent: indentOf(text) };
    start = next + 1;
  }
}

class Scanner {
  readonly blocks: Block[] = [];
  /** The block that the next line may go on with. */
  #open: Block | null = null;
  #fence: { marks: string; indent: number } | null = null;
  #rawEnd: string | null = null;
  #inList = false;
  #afterBlank = true;
  #lastLine: Line | null = null;

  take(line: Line): void {
    if (this.#fence !== null || this.#rawEnd !== null) this.#goOn(line);
    else if (line.text.trim() === "") this.#close();
    else this.#takeText(line);
    this.#lastLine = line;
  }

  /** Inside a fence or a comment, whatever the line looks like. */
  #goOn(line: Line): void {
    if (this.#open !== null) this.#open.end = line.end;
    if (this.#fence !== null) {
      const marks = FENCE_END.exec(line.text)?.[1];
      const { marks: opening, indent } = this.#fence;
      const closes = marks?.[0] === opening[0] && (marks?.length ?? 0) >= opening.length;
      if (!closes || line.indent > indent + 3) return;
    } else if (!line.text.toLowerCase().includes(this.#rawEnd ?? "")) return;
    this.#fence = null;
    this.#rawEnd = null;
    this.#close();
  }

  #takeText(line: Line): void {
    const { text, indent } = line;
    const isItem = ITEM.test(text) && (indent < 4 || this.#inList) && !isBreak(text);
    if (this.#afterBlank && indent < 2 && !isItem) this.#inList = false;
    const marks = indent < 4 || this.#inList ? openingFence(text) : null;
    const level = ATX.exec(text)?.[1]?.length;
    if (marks !== null) {
      this.#begin("code", line);
      this.#inList ||= isItem;
      this.#fence = { marks, indent: text.indexOf(marks) };
    } else if (level !== undefined) {
      this.#begin("heading", line).level = level;
      this.#inList = false;
      this.#close();
    } else if (this.#isSetext(line)) this.#makeHeading(line);
    else if (this.#isTableRule(line)) this.#makeTable(line);
    else if (isBreak(text)) {
      this.#begin("text", line);
      this.#close();
    } else if (RAW.test(text)) this.#beginRaw(line);
    else if (isItem) {
      this.#begin("item", line);
      this.#inList = true;
    } else if (this.#open === null || (isQuote(text) && !isQuote(this.#lastLine?.text ?? ""))) {
      this.#begin("text", line);
    } else this.#open.end = line.end;
    this.#afterBlank = false;
  }

  #begin(kind: BlockKind, line: Line): Block {
    const attached = this.#inList && line.indent >= 2;
    const block = { kind, start: line.start, end: line.end, line: line.number, level: 0, attached };
    this.blocks.push(block);
    this.#open = block;
    return block;
  }

  #beginRaw(line: Line): void {
    const [opening = "", name = ""] = RAW.exec(line.text) ?? [];
    const end = name === "!--" ? "-->" : `</${name.toLowerCase()}`;
    this.#begin("raw", line);
    if (line.text.toLowerCase().includes(end, opening.length)) this.#close();
    else this.#rawEnd = end;
  }

  #isSetext(line: Line): boolean {
    const open = this.#open;
    if (open?.kind !== "text" || open.attached || !SETEXT.test(line.text)) return false;
    return line.start - open.start <= LONGEST_SETEXT && !isQuote(this.#lastLine?.text ?? "");
  }

  #makeHeading(line: Line): void {
    if (this.#open === null) return;
    this.#open.kind = "heading";
    this.#open.level = line.text.includes("=") ? 1 : 2;
    this.#open.end = line.end;
    this.#close();
  }

  #isTableRule({ text }: Line): boolean {
    if (this.#open?.kind !== "text" || !TABLE_RULE.test(text) || !text.includes("-")) return false;
    return text.includes("|") && this.#lastLine?.text.includes("|") === true;
  }

  /** The line above the rule is the header; what stands over that was a paragraph. */
  #makeTable(line: Line): void {
    const header = this.#lastLine;
    if (this.#open === null || header === null) return;
    if (this.#open.start < header.start) {
      this.#open.end = this.#endBefore(header);
      this.#begin("table", header);
    }
    this.#open.kind = "table";
    this.#open.end = line.end;
  }

  #endBefore(header: Line): number {
    return Math.max(this.#open?.start ?? 0, header.start - 1);
  }

  #close(): void {
    this.#open = null;
    this.#afterBlank = true;
  }
}

function openingFence(text: string): string | null {
  const match = FENCE.exec(text);
  const marks = match?.[1];
  if (match === null || marks === undefined) return null;
  return marks[0] === "`" && text.includes("`", match[0].length) ? null : marks;
}

function isBreak(text: string): boolean {
  return text.length <= LONGEST_BREAK && BREAK.test(text);
}

function isQuote(text: string): boolean {
  return /^ {0,3}>/.test(text);
}

function indentOf(text: string): number {
  let columns = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === " ") columns++;
    else if (text[at] === "\t") columns += 4 - (columns % 4);
    else break;
  }
  return columns;
}
