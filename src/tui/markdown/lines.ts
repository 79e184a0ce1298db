/**
 * Splits streamed text into lines. A very long line is cut, at a position that does not depend on the pieces, so that the buffer stays
 * small.
 */

export interface Line {
  readonly text: string;
  /** Continues the previous line, which was cut. */
  readonly continued: boolean;
}

export const LONGEST_LINE = 2500;
const TAB_STOP = 4;

export class LineSplitter {
  #rest = "";
  #continued = false;

  /** Returns the lines that are now complete. */
  push(piece: string): Line[] {
    this.#rest += piece;
    const lines: Line[] = [];
    let start = 0;
    for (;;) {
      const newline = this.#rest.indexOf("\n", start);
      const end = newline === -1 ? this.#rest.length : newline;
      if (end - start > LONGEST_LINE) {
        const cut = start + cutOf(this.#rest.slice(start, start + LONGEST_LINE));
        lines.push(this.#line(this.#rest.slice(start, cut)));
        this.#continued = true;
        start = cut;
      } else if (newline !== -1) {
        lines.push(this.#line(this.#rest.slice(start, end)));
        this.#continued = false;
        start = end + 1;
      } else break;
    }
    this.#rest = this.#rest.slice(start);
    return lines;
  }

  /** The incomplete last line; null if there is none. */
  get unfinished(): Line | null {
    return this.#rest === "" ? null : this.#line(this.#rest);
  }

  end(): Line | null {
    const last = this.unfinished;
    this.#rest = "";
    this.#continued = false;
    return last;
  }

  #line(text: string): Line {
    return { text: withoutTabs(text.toWellFormed()), continued: this.#continued };
  }
}

/** Cuts after a sentence in the second half, otherwise after a word, and never inside a character. */
function cutOf(text: string): number {
  const half = Math.floor(text.length / 2);
  const sentence = [...text.slice(half).matchAll(/[.!?] |[。！？]/g)].at(-1);
  if (sentence !== undefined) return half + sentence.index + sentence[0].length;
  const space = text.lastIndexOf(" ");
  if (space > half) return space + 1;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}

function withoutTabs(text: string): string {
  if (!text.includes("\t")) return text;
  let spaced = "";
  for (const part of text.split(/(\t)/))
    spaced += part === "\t" ? " ".repeat(TAB_STOP - (spaced.length % TAB_STOP)) : part;
  return spaced;
}
