/** A fence of code that is open, read by character until its closing line. */
import { isBlank } from "./line.ts";

/** A closing fence may stand so much further to the right than the opening one. */
const MOST_SHIFT = 3;

export interface FenceStart {
  readonly character: "`" | "~";
  length: number;
  /** Characters in front of it, list markers included. */
  readonly indent: number;
  /** In a quote, with which it ends. */
  readonly quoted: boolean;
}

export class OpenFence {
  readonly #start: FenceStart;
  #onOpeningLine: boolean;
  #growing: boolean;
  #quoteSeen = false;
  #indent = 0;
  #marks = 0;
  #mayClose = true;

  /** `onOpeningLine`: what comes next still belongs to the line that opened it. */
  constructor(start: FenceStart, onOpeningLine: boolean) {
    this.#start = { ...start };
    this.#onOpeningLine = onOpeningLine;
    this.#growing = onOpeningLine;
  }

  /** "closed": it ended with this character. "left": it ended before it, and the character is ordinary text. */
  take(character: string): "inside" | "closed" | "left" {
    if (character === "\n") return this.#endLine();
    if (this.#onOpeningLine) {
      this.#growing &&= character === this.#start.character;
      if (this.#growing) this.#start.length++;
    } else if (this.#start.quoted && !this.#quoteSeen) {
      if (character === ">") this.#quoteSeen = true;
      else if (!isBlank(character)) return "left";
    } else if (this.#mayClose) this.#takeClosing(character);
    return "inside";
  }

  #takeClosing(character: string): void {
    const isTrailing = this.#marks > 0 && !this.#growing;
    if (character === this.#start.character && !isTrailing) {
      this.#growing = true;
      this.#marks++;
    } else if (isBlank(character)) {
      this.#growing = false;
      if (this.#marks === 0) this.#indent++;
    } else this.#mayClose = false;
    if (this.#indent > this.#start.indent + MOST_SHIFT) this.#mayClose = false;
  }

  #endLine(): "inside" | "closed" {
    const isClosing = this.#mayClose && this.#marks >= this.#start.length;
    const leftQuote = this.#start.quoted && !this.#quoteSeen;
    const ends = !this.#onOpeningLine && (isClosing || leftQuote);
    this.#onOpeningLine = false;
    this.#growing = false;
    this.#quoteSeen = false;
    this.#indent = 0;
    this.#marks = 0;
    this.#mayClose = true;
    return ends ? "closed" : "inside";
  }

  copy(): OpenFence {
    const copy = new OpenFence(this.#start, this.#onOpeningLine);
    copy.#growing = this.#growing;
    copy.#quoteSeen = this.#quoteSeen;
    copy.#indent = this.#indent;
    copy.#marks = this.#marks;
    copy.#mayClose = this.#mayClose;
    return copy;
  }
}
