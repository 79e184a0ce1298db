/**
 * Text that arrives in pieces, as lines. A line that is very long is cut, at a place that does not depend on the pieces, so
 * that no more than that ever waits to be read.
 */

export interface Line {
  readonly text: string;
  /** Goes on with what the line before began. */
  readonly continued: boolean;
}

export const LONGEST_LINE = 2500;
const TAB_STOP = 4;

export class LineSplitter {
  #rest = "";
  #continued = false;

  /** The lines that are whole now. */
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

  /** The line that has no end yet; null where there is none. */
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

/** After a sentence of the second half, else after a word, and never inside a character. */
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
