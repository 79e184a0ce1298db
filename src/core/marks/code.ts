/**
 * Tracks where a text, read by character, may be code. The Markdown scanner recognizes fences at once. Whether backticks open a span
 * shows only later, so this keeps the lengths of the runs that may, and `Lookahead` finds out which are closed.
 */

import { isHeadSoFar, type LineKind, LineScanner } from "../text/markdown.ts";
import { isBlank } from "./line.ts";

const SHORTEST_FENCE = 3;
/** After this much text, a line's kind may be final; then the rest needn't be stored. */
const TELLING_LENGTH = 10;
const SETTLED: ReadonlySet<LineKind> = new Set(["text", "item", "quote", "heading", "indented"]);

export class CodeTracker {
  #lines = new LineScanner();
  /** The current line so far, or enough of it to decide its kind. */
  #line = "";
  #isSettled = false;
  /** Where the line's text starts; null if it hasn't yet. */
  #bodyStart: number | null = null;
  /** The line is inside a fence, or opens one with tildes. */
  #inFence = false;
  /** A run that is a fence if its line has no other backtick. */
  #fenceLike = 0;
  #afterQuote = false;
  /** Lengths of runs that may open a span, earliest first. A run that closes one removes those after it, so all differ. */
  #open: number[] = [];
  #run = 0;
  #runIsEscaped = false;
  /** The line is indented code. */
  inIndented = false;
  /** The previous character was a backslash that escapes the next one. */
  escaping = false;
  /** The number of finished paragraphs. */
  paragraphs = 0;
  /** Called with the length of each run of backticks that isn't a fence. */
  onRun: ((length: number) => void) | null = null;

  /** `readsIndented`: whether indented text is code. A mark's whole text may be indented. */
  constructor(readonly readsIndented = false) {}

  /** No open code can include the text that follows. */
  get isPlain(): boolean {
    return this.#open.length === 0 && this.#run === 0 && !this.inFence && !this.inIndented;
  }

  /** True also on a line that looks like a fence. */
  get inFence(): boolean {
    return this.#inFence || this.#fenceLike > 0;
  }

  get open(): readonly number[] {
    return this.#open;
  }

  take(character: string): void {
    const wasEscaping = this.escaping;
    this.escaping = character === "\\" && !wasEscaping;
    if (character !== "`" && this.#run > 0) this.#endRun();
    if (character === "\n") {
      this.#endLine();
      return;
    }
    if (!this.#isSettled) this.#line += character;
    if (this.#bodyStart === null && !isBlank(character)) this.#takeHead();
    if (this.#inFence) return;
    if (character === "`" && !this.inIndented) {
      if (this.#run === 0) this.#runIsEscaped = wasEscaping;
      this.#run++;
    } else if (character === "~" && this.#bodyLength === SHORTEST_FENCE) this.#inFence = this.#opensFence();
    if (this.#bodyLength === TELLING_LENGTH && !this.#isSettled)
      this.#isSettled = SETTLED.has(this.#lines.peek(this.#line).kind);
  }

  /** Call after the last character. */
  end(): void {
    if (this.#run > 0) this.#endRun();
  }

  get #bodyLength(): number {
    return this.#bodyStart === null ? 0 : this.#line.length - this.#bodyStart;
  }

  #opensFence(): boolean {
    if (this.#lines.peek(this.#line).kind !== "fence") return false;
    this.#endParagraph();
    return true;
  }

  /** A fence in a block quote ends with the quote. */
  #takeHead(): void {
    if (this.#inFence) {
      const { kind } = this.#lines.peek(this.#line);
      this.#inFence = kind === "code" || kind === "fence-end";
      if (this.#inFence) this.#bodyStart = 0;
    }
    if (this.#inFence || isHeadSoFar(this.#line)) return;
    const { kind, head } = this.#lines.peek(this.#line);
    this.#bodyStart = head.length;
    this.inIndented = this.readsIndented && kind === "indented";
    if (this.inIndented || head.item !== "" || head.level > 0 || (head.quoted && !this.#afterQuote))
      this.#endParagraph();
  }

  #endRun(): void {
    const length = this.#run;
    this.#run = 0;
    if (
      length >= SHORTEST_FENCE &&
      length === this.#bodyLength &&
      this.#lines.peek(this.#line).kind === "fence"
    ) {
      this.#fenceLike = length;
      return;
    }
    if (this.#fenceLike > 0) this.#takeRun(this.#fenceLike, false);
    this.#fenceLike = 0;
    this.#takeRun(length, this.#runIsEscaped);
  }

  /** A backslash has no meaning inside a span, so an escaped run is shorter only as an opening run. */
  #takeRun(length: number, isEscaped: boolean): void {
    this.onRun?.(length);
    const closed = this.#open.indexOf(length);
    const opening = isEscaped ? length - 1 : length;
    if (closed >= 0) this.#open.length = closed;
    else if (opening > 0 && !this.#open.includes(opening)) this.#open.push(opening);
  }

  #endLine(): void {
    const line = this.#line.replace(/\r$/, "");
    const { kind, head } = this.#lines.take(line);
    const hasText = head.length < line.length;
    if (!hasText || head.level > 0 || kind === "rule" || kind === "fence") this.#endParagraph();
    this.#line = "";
    this.#isSettled = false;
    this.#bodyStart = null;
    this.#inFence = this.#lines.inFence;
    this.#fenceLike = 0;
    this.#afterQuote = head.quoted;
    this.inIndented = false;
  }

  #endParagraph(): void {
    this.#open.length = 0;
    this.paragraphs++;
  }

  copy(): CodeTracker {
    const copy = new CodeTracker(this.readsIndented);
    copy.#lines = this.#lines.copy();
    copy.#line = this.#line;
    copy.#isSettled = this.#isSettled;
    copy.#bodyStart = this.#bodyStart;
    copy.#inFence = this.#inFence;
    copy.#fenceLike = this.#fenceLike;
    copy.#afterQuote = this.#afterQuote;
    copy.#open = this.#open.slice();
    copy.#run = this.#run;
    copy.#runIsEscaped = this.#runIsEscaped;
    copy.inIndented = this.inIndented;
    copy.escaping = this.escaping;
    copy.paragraphs = this.paragraphs;
    return copy;
  }
}
