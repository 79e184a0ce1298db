/**
 * The text without marks, byte for byte except around the holes: a line with nothing but marks is removed with its line break,
 * blanks before a hole at the end of a line are removed, and of the blank lines around a block one stays. White space and
 * characters that may precede a mark are held back until the next text is known.
 */

import { isHeadSoFar } from "../text/markdown.ts";
import { CodeTracker } from "./code.ts";
import { headBefore, isBeginning, isBlank, isEmphasis } from "./line.ts";
import { HOLE, type Tag } from "./tags.ts";

function isText(character: string): boolean {
  return character !== HOLE && !isBlank(character);
}

/** Indentation that may start code. */
const INDENT = /^(?: {4}| {0,3}\t)/;

export class VisibleText {
  #out: string[] = [];
  /** Follows the emitted text. */
  readonly #code = new CodeTracker(true);
  #lastShown = "";
  /** Lines since the last emitted character: the rest of its line, then blank ones. */
  #held: string[] = [];
  /** One of them had nothing but marks. */
  #lineWasRemoved = false;
  /** The held part of the current line. */
  #line: string[] = [];
  /** The start of the current line, up to its first character of text. */
  #start = "";
  #inBody = false;

  show(character: string): void {
    if (character === "\n") {
      this.#endLine();
      return;
    }
    this.#takeHead(character);
    if (!isEmphasis(character)) this.#dropEmphasis();
    if (isBlank(character)) {
      if (!this.#isDoubled(character)) this.#line.push(character);
    } else if (!this.#inBody || isEmphasis(character)) this.#line.push(character);
    else this.#release(character);
  }

  #takeHead(character: string): void {
    if (this.#inBody) return;
    this.#start += character;
    this.#inBody = !isHeadSoFar(this.#start);
  }

  hole(): void {
    if (this.#line.at(-1) !== HOLE) this.#line.push(HOLE);
  }

  /** Removes and returns the asterisks or underscores at the end. */
  takeEmphasis(): string {
    let from = this.#line.length;
    while (isEmphasis(this.#line[from - 1])) from--;
    return this.#line.splice(from).join("");
  }

  /** The text that has become certain since the last call. */
  take(): string {
    const text = this.#out.join("");
    this.#out = [];
    return text;
  }

  end(): void {
    this.#releaseText();
    const line = this.#line.join("");
    const rest = this.#held[0] ?? "";
    if (this.#line.includes(HOLE)) this.#out.push(this.#begun ? rest.replace(/\r$/, "") : "");
    else if (this.#lineWasRemoved) this.#out.push(this.#begun ? `${rest}\n${line}` : "");
    else this.#out.push(this.#heldLines() + line);
  }

  get last(): string {
    const inLine = this.#line.findLast((character) => character !== HOLE);
    return inLine ?? (this.#held.length > 0 ? "\n" : this.#lastShown);
  }

  get escaping(): boolean {
    return this.#code.escaping && this.#line.length === 0 && this.#held.length === 0;
  }

  isOutOfPlace({ square }: Tag): boolean {
    return headBefore(this.#start).quoted || (square && !(this.#isWholeLine && isBeginning(this.#line)));
  }

  /** The code state if text followed now; null if that couldn't be code. */
  code(): CodeTracker | null {
    const indent = this.#isWholeLine ? (INDENT.exec(this.#line.slice(0, 8).join(""))?.[0] ?? "") : "";
    if (this.#code.isPlain && indent === "") return null;
    const copy = this.#code.copy();
    const { quoted, item } = headBefore(this.#start);
    const head = this.#isWholeLine ? indent + (quoted ? "> " : "") + (item === "" ? "" : "- ") : "";
    for (const character of "\n".repeat(Math.min(this.#held.length, 2)) + head) copy.take(character);
    return copy;
  }

  get #begun(): boolean {
    return this.#lastShown !== "";
  }

  /** The held part is the whole line so far, with no text emitted before it. */
  get #isWholeLine(): boolean {
    return !this.#begun || this.#held.length > 0;
  }

  /** White space after a hole that also has some before it. */
  #isDoubled(character: string): boolean {
    if (character === "\r" || this.#line.at(-1) !== HOLE) return false;
    const before = this.#line.at(-2);
    return before === undefined ? this.#isWholeLine : isBlank(before);
  }

  /** Drops emphasis around nothing but a hole. */
  #dropEmphasis(): void {
    let from = this.#line.length;
    while (isEmphasis(this.#line[from - 1])) from--;
    const length = this.#line.length - from;
    if (length === 0 || this.#line[from - 1] !== HOLE) return;
    const before = this.#line.slice(Math.max(0, from - 1 - length), from - 1);
    if (isEmphasis(this.#line[from - 2 - length])) return;
    if (before.join("") !== this.#line.slice(from).join("")) return;
    this.#line.splice(from - 1 - length);
    this.hole();
  }

  #endLine(): void {
    this.#releaseText();
    const hasHole = this.#line.includes(HOLE);
    if (!this.#isWholeLine) this.#held.push(hasHole ? this.#lineBreak() : this.#line.join(""));
    else if (hasHole) this.#removeLine();
    else if (!this.#lineWasRemoved || this.#held.length < this.#mostHeld)
      this.#held.push(this.#line.join(""));
    this.#line = [];
    this.#start = "";
    this.#inBody = false;
  }

  #removeLine(): void {
    this.#lineWasRemoved = true;
    if (this.#held.length > this.#mostHeld) this.#held.length = this.#mostHeld;
  }

  /** Around removed lines, the rest of the line before them and one blank line stay; at the start of the text, nothing. */
  get #mostHeld(): number {
    return this.#begun ? 2 : 0;
  }

  #lineBreak(): string {
    return this.#line.at(-1) === "\r" ? "\r" : "";
  }

  /** Emits the held line if it is text, except for blanks and holes at its end. */
  #releaseText(): void {
    this.#dropEmphasis();
    const last = this.#line.findLastIndex(isText);
    if (last < 0 || this.#isMarksAlone()) return;
    const rest = this.#line.splice(last + 1);
    this.#release(this.#line.pop() ?? "");
    this.#line = rest;
  }

  /** Nothing but marks, perhaps after a list marker. */
  #isMarksAlone(): boolean {
    if (!this.#isWholeLine || !this.#line.includes(HOLE)) return false;
    return isHeadSoFar(this.#line.join(""));
  }

  #release(character: string): void {
    if (this.#line.length > 0 || this.#held.length > 0) this.#releaseHeld(character);
    this.#emit(character);
    this.#lastShown = character;
    this.#lineWasRemoved = false;
  }

  /** Keeps separate backticks separate. */
  #releaseHeld(next: string): void {
    const text = this.#heldLines() + this.#line.join("");
    const joinsBackticks = text === "" && next === "`" && this.#lastShown === "`";
    for (const character of joinsBackticks ? " " : text) this.#emit(character);
    this.#line = [];
    this.#held = [];
  }

  #emit(character: string): void {
    this.#out.push(character);
    this.#code.take(character);
  }

  #heldLines(): string {
    return this.#held.map((line) => `${line}\n`).join("");
  }
}
