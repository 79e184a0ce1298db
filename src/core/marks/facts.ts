/**
 * Reads what follows `[MEMORY]`: a fact on the same line, a list of facts, or a paragraph. Reads by character, only as far as the mark
 * certainly extends; if `[/MEMORY]` may still come, the text after that is read on trial.
 */

import { CHECK_BOX, fenceOf, headOf, isHeadSoFar, isRule, type LineHead } from "../text/markdown.ts";
import { CodeTracker } from "./code.ts";
import { headBefore, isBeginning, isBlank } from "./line.ts";
import type { Tag } from "./tags.ts";

/** Characters to read on trial. Text after a fact must not wait forever for a closing tag. */
const LONGEST_TRIAL = 1000;
const LABEL_END = /[:：][*_]*$/;
const EMPHASIS_ALONE = /^[*_]+$/;
const SHORTEST_FENCE = 3;

export interface Facts {
  readonly texts: readonly string[];
  /** False if the text ended before the announced list. */
  readonly closed: boolean;
}

export class FactBlock {
  readonly #code = new CodeTracker();
  readonly #emphasis: string;
  #last = "";
  /** On the tag's line; below it, before any text; in a list; in a paragraph. */
  #form: "line" | "start" | "list" | "text" = "line";
  #label = "";
  #facts: string[][] = [];
  #marker = "";
  #line: string[] = [];
  /** The end of the current line, without trailing white space. */
  #lineEnd: number;
  #hasUnkept = false;
  /** The start of the line, up to its first character of text. */
  #start = "";
  #inBody = false;
  #blankLines = 0;
  /** The number of facts when the trial started; null outside a trial. */
  #sure: number | null = null;
  /** The offset after the text that certainly belongs to the mark. */
  end: number;
  /** The last text no longer belongs to the mark. */
  isOver = false;

  /** `emphasis`: asterisks or underscores before the tag. */
  constructor(start: number, emphasis: string) {
    this.end = start;
    this.#lineEnd = start;
    this.#emphasis = emphasis;
  }

  /** `after`: the offset after the character. Skips text that must not be kept. */
  show(character: string, after: number, isUnkept: boolean): void {
    this.#code.take(character);
    this.#last = character;
    if (character === "\n") this.#endLine();
    else {
      this.#line.push(isUnkept ? "" : character);
      this.#hasUnkept ||= isUnkept;
      if (!isBlank(character)) this.#lineEnd = after;
      if (this.#form !== "line") this.#takeInBlock(character);
    }
    if (this.#sure !== null && after - this.end > LONGEST_TRIAL) this.isOver = true;
  }

  /** A tag was removed. */
  skip(after: number): void {
    this.#lineEnd = after;
  }

  /** Nothing to do. */
  hole(): void {}

  get last(): string {
    return this.#last;
  }

  get escaping(): boolean {
    return this.#code.escaping;
  }

  code(): CodeTracker | null {
    return this.#code.isPlain ? null : this.#code.copy();
  }

  isOutOfPlace({ square, closing }: Tag): boolean {
    return square && !closing && !isBeginning(this.#line);
  }

  /** Below the tag's line, at the start of a line. */
  get opensLine(): boolean {
    return this.#form !== "line" && !this.#inBody && headBefore(this.#start).item === "";
  }

  /** Ends the mark at its closing tag. */
  close(): Facts {
    this.#sure = null;
    return this.finish();
  }

  /** Ends the mark with the text that certainly belongs to it, up to `end`. */
  finish(textEnded = false): Facts {
    if (this.#form === "line") {
      this.end = this.#lineEnd;
      return { texts: said([this.#onTagLine()]), closed: true };
    }
    if (!this.isOver && this.#sure === null) this.#keepLastLine();
    if (this.#sure !== null) this.#facts.length = this.#sure;
    const texts = said(this.#facts.map((lines) => lines.join(" ")));
    if (texts.length > 0) return { texts, closed: true };
    return { texts: said([this.#label]), closed: !textEnded || this.#form !== "start" };
  }

  #keepLastLine(): void {
    if (!this.#inBody && this.#head.first !== "") this.#begin();
    if (!this.isOver && this.#sure === null && !EMPHASIS_ALONE.test(this.#text())) this.#keepLine();
  }

  #endLine(): void {
    if (this.#form === "line") this.#endTagLine();
    else if (this.#inBody || this.#head.item !== "") {
      if (!this.#inBody) this.#begin();
      if (isRule(this.#text())) this.isOver = true;
      if (!this.isOver) this.#keepLine();
    } else {
      this.#blankLines++;
      if (this.#sure !== null && this.#label !== "") this.isOver = true;
    }
    this.#line = [];
    this.#start = "";
    this.#inBody = false;
  }

  #endTagLine(): void {
    const text = this.#onTagLine();
    this.end = this.#lineEnd;
    this.#form = "start";
    if (text === "" ? this.#hasUnkept : !LABEL_END.test(text)) {
      this.isOver = true;
      this.#facts = [[text]];
    } else this.#label = text;
  }

  /** "**[MEMORY]** fact", "**[MEMORY] fact**", "[MEMORY]: fact", "[MEMORY] - fact". */
  #onTagLine(): string {
    let text = this.#line.join("").trim();
    const mark = this.#emphasis;
    if (mark !== "") {
      if (text.startsWith(mark)) text = text.slice(mark.length);
      else if (text.startsWith(`:${mark}`)) text = text.slice(mark.length + 1);
      else if (text.endsWith(mark)) text = text.slice(0, -mark.length);
    }
    text = text.trim().replace(/^[:：]\s*/, "");
    const { item, length } = headOf(text);
    return item === "" ? text : text.slice(length).replace(CHECK_BOX, "");
  }

  #takeInBlock(character: string): void {
    if (!this.#inBody) {
      this.#start += character;
      this.#inBody = !isBlank(character) && !isHeadSoFar(this.#start);
      if (this.#inBody) this.#begin();
    }
    const length = this.#line.length - this.#head.length;
    if (this.#inBody && length === SHORTEST_FENCE && fenceOf(this.#text()) !== null) this.isOver = true;
  }

  /** A line's text starts. */
  #begin(): void {
    const { item, level, quoted, indent } = this.#head;
    const blankLines = this.#blankLines;
    this.#blankLines = 0;
    if (level > 0 || quoted) this.isOver = true;
    else if (item !== "") this.#beginItem(item, blankLines);
    else this.#beginText(blankLines, indent);
  }

  #beginItem(item: string, blankLines: number): void {
    const isAnnounced = this.#form === "text" && LABEL_END.test(this.#facts.at(-1)?.join(" ") ?? "");
    if (blankLines > 1 && this.#sure === null) this.isOver = true;
    else if (this.#form === "list" && this.#sure === null && blankLines > 0 && item !== this.#marker)
      this.isOver = true;
    else if (isAnnounced) this.#facts.pop();
    else if (this.#form === "text") this.#try();
    else this.#label = "";
    this.#form = "list";
    this.#marker = item;
    this.#facts.push([]);
  }

  #beginText(blankLines: number, indent: number): void {
    if (this.#form === "start") {
      if (blankLines > 0 || this.#label !== "") this.#try(blankLines);
      this.#form = "text";
      this.#facts.push([]);
    } else if (blankLines > 0) {
      const belongsToItem = this.#form === "list" && blankLines === 1 && indent >= 2;
      if (belongsToItem) return;
      if (this.#form === "list" && this.#sure === null) this.isOver = true;
      this.#try(blankLines);
      this.#form = "text";
      this.#facts.push([]);
    }
  }

  /** From here on, text belongs to the mark only if `[/MEMORY]` follows; after a label, in the same paragraph. */
  #try(blankLines = 0): void {
    if (this.#label !== "" && blankLines > 0) this.isOver = true;
    this.#sure ??= this.#facts.length;
  }

  #keepLine(): void {
    const text = this.#text().replace(CHECK_BOX, "");
    if (text !== "") this.#facts.at(-1)?.push(text);
    if (this.#sure === null) this.end = this.#lineEnd;
  }

  get #head(): LineHead {
    return headOf(this.#start);
  }

  #text(): string {
    return this.#line.slice(this.#head.length).join("").trim();
  }
}

function said(texts: readonly string[]): string[] {
  return texts.map((text) => text.replace(/\s+/g, " ").trim()).filter((text) => text !== "");
}
