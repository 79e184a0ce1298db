/**
 * Splits Markdown into blocks by offset: headings, paragraphs, list items, fenced code, tables, comments. One lenient pass over
 * the lines, since notes are not always valid Markdown; it only has to find what a chunk must not split. Every non-blank line is
 * in exactly one block.
 */
import { headingIn, headOf, type Line, linesOf, underlineOf } from "./markdown.ts";

export type BlockKind = "heading" | "text" | "item" | "code" | "table" | "raw";

export interface Block {
  kind: BlockKind;
  /** Offsets into the content, without the last line ending. */
  start: number;
  end: number;
  /** Offsets of its text: a heading without marks, code without fences; otherwise the whole block. */
  bodyStart: number;
  bodyEnd: number;
  /** 1-based. */
  line: number;
  /** 1 to 6 for a heading, else 0. */
  level: number;
  /** The fence's info string, usually a language; else "". */
  info: string;
  /** Part of the list item above. */
  attached: boolean;
}

const TABLE_RULE = /^[ \t|:-]+$/;
/** Longer text above dashes is a paragraph and a rule, unlike in CommonMark. */
const LONGEST_SETEXT = 200;

export function blocksOf(content: string): Block[] {
  const builder = new BlockBuilder();
  for (const line of linesOf(content)) builder.take(line);
  return builder.blocks;
}

/** A block's text, see `bodyStart`. */
export function bodyOf(content: string, { bodyStart, bodyEnd }: Block): string {
  return content.slice(bodyStart, bodyEnd);
}

/** The lines inside a fence, without surrounding quote marks. */
export function codeLinesOf(content: string, block: Block): string[] {
  const lines = bodyOf(content, block).split("\n");
  const isQuoted = headOf(content.slice(block.start, block.bodyStart)).quoted;
  return isQuoted ? lines.map((line) => line.replace(/^[ \t]*>[ \t]?/, "")) : lines;
}

/** Whether a line separates a table's header from its rows. */
export function isTableRule(text: string): boolean {
  return TABLE_RULE.test(text);
}

class BlockBuilder {
  readonly blocks: Block[] = [];
  /** The block that the next line may continue. */
  #open: Block | null = null;
  #lastLine: Line | null = null;

  take(line: Line): void {
    switch (line.kind) {
      case "blank":
        this.#open = null;
        break;
      case "heading":
        this.#takeHeading(line);
        break;
      case "fence":
        this.#beginCode(line);
        break;
      case "code":
        this.#grow(line);
        break;
      case "fence-end":
        this.#endCode(line);
        break;
      case "raw":
      case "raw-end":
        this.#takeRaw(line);
        break;
      default:
        this.#takeText(line);
    }
    this.#lastLine = line;
  }

  #takeHeading(line: Line): void {
    const { level, start, end } = headingIn(line.text) ?? { level: line.head.level, start: 0, end: 0 };
    const block = this.#begin("heading", line);
    block.level = level;
    block.bodyStart = line.start + start;
    block.bodyEnd = line.start + end;
    this.#open = null;
  }

  #beginCode(line: Line): void {
    const block = this.#begin("code", line);
    block.info = line.info;
    block.bodyStart = line.next;
    block.bodyEnd = line.next;
  }

  #endCode(line: Line): void {
    if (this.#open !== null) this.#open.end = line.end;
    this.#open = null;
  }

  #takeRaw(line: Line): void {
    if (this.#open?.kind === "raw") this.#grow(line);
    else this.#begin("raw", line);
    if (line.kind === "raw-end") this.#open = null;
  }

  #takeText(line: Line): void {
    const level = this.#underlined(line);
    if (level !== null) this.#makeHeading(line, level);
    else if (this.#isTable(line)) this.#makeTable(line);
    else if (line.kind === "rule") {
      this.#begin("text", line);
      this.#open = null;
    } else if (line.kind === "item") this.#begin("item", line);
    else if (this.#open === null || this.#startsQuote(line)) this.#begin("text", line);
    else this.#grow(line);
  }

  #begin(kind: BlockKind, { start, end, number, attached }: Line): Block {
    const places = { start, end, bodyStart: start, bodyEnd: end };
    const block: Block = { kind, ...places, line: number, level: 0, info: "", attached };
    this.blocks.push(block);
    this.#open = block;
    return block;
  }

  #grow({ end }: Line): void {
    if (this.#open === null) return;
    this.#open.end = end;
    this.#open.bodyEnd = end;
  }

  #startsQuote({ kind }: Line): boolean {
    return kind === "quote" && this.#lastLine?.kind !== "quote";
  }

  /** The heading level if this line underlines the open paragraph, else null. */
  #underlined(line: Line): number | null {
    const open = this.#open;
    if (open?.kind !== "text" || open.attached || this.#lastLine?.kind === "quote") return null;
    return line.start - open.start <= LONGEST_SETEXT ? underlineOf(line.text) : null;
  }

  #makeHeading(line: Line, level: number): void {
    if (this.#open === null) return;
    this.#open.kind = "heading";
    this.#open.level = level;
    this.#open.end = line.end;
    this.#open = null;
  }

  #isTable({ text }: Line): boolean {
    if (this.#open?.kind !== "text" || !isTableRule(text) || !text.includes("-")) return false;
    return text.includes("|") && this.#lastLine?.text.includes("|") === true;
  }

  /** The line above the rule is the header; earlier lines stay a paragraph. */
  #makeTable(line: Line): void {
    const header = this.#lastLine;
    if (this.#open === null || header === null) return;
    if (this.#open.start < header.start) {
      this.#open.end = Math.max(this.#open.start, header.start - 1);
      this.#open.bodyEnd = this.#open.end;
      this.#begin("table", header);
    }
    this.#open.kind = "table";
    this.#grow(line);
  }
}
