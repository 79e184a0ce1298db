/**
 * Where a text that comes by character may be code. The Markdown scanner knows fences at once. Whether backticks open a span is
 * known only later, so this keeps the lengths of the runs that still may, and `Lookahead` says which of them are closed.
 */

import { isHeadSoFar, type LineKind, LineScanner } from "../text/markdown.ts";
import { isBlank } from "./line.ts";

const SHORTEST_FENCE = 3;
/** So much of a line's text shows whether its kind can still change; if not, the rest need not be remembered. */
const TELLING_LENGTH = 10;
const SETTLED: ReadonlySet<LineKind> = new Set(["text", "item", "quote", "heading", "indented"]);

export class CodeTracker {
  #lines = new LineScanner();
  /** The current line so far, or as much of it as decides what it is. */
  #line = "";
  #isSettled = false;
  /** Where the text of the line begins; null while it hasn't. */
  #bodyStart: number | null = null;
  /** The line is inside a fence, or opens one with tildes. */
  #inFence = false;
  /** A run that is a fence if its line has no other backtick. */
  #fenceLike = 0;
  #afterQuote = false;
  /** Runs that may open a span, earliest first. A run that closes one swallows those after it, so no two are alike. */
  #open: number[] = [];
  #run = 0;
  #runIsEscaped = false;
  /** The line is indented code. */
  inIndented = false;
  /** The character before was a backslash that takes the next one's meaning. */
  escaping = false;
  /** Paragraphs that have ended. */
  paragraphs = 0;
  /** Called with the length of each run of backticks that is no fence. */
  onRun: ((length: number) => void) | null = null;

  /** `readsIndented`: whether indentation may make code. The text of a mark may be indented as a whole. */
  constructor(readonly readsIndented = false) {}

  /** Nothing that follows can be in code that began before it. */
  get isPlain(): boolean {
    return this.#open.length === 0 && this.#run === 0 && !this.inFence && !this.inIndented;
  }

  /** Also on the line of what looks like one. */
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

  /** No more characters follow. */
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

  /** A fence in a quote ends where the quote does. */
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

  /** Inside a span a backslash means nothing, so only as an opening run is an escaped one shorter. */
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
