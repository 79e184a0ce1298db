/** Reads ahead in a paragraph to find out whether a run of backticks is closed. */
import type { CodeTracker } from "./code.ts";

/** The text being read, by offset. */
export interface Source {
  /** null if it hasn't arrived yet. */
  at(offset: number): string | null;
  readonly ended: boolean;
}

/** Reads ahead in one paragraph, forward only, and records its runs of backticks. */
export class Lookahead {
  readonly #code: CodeTracker;
  readonly #from: number;
  readonly #paragraph: number;
  readonly #runs = new Map<number, number>();
  #at: number;
  #foundRun = false;
  #ended = false;

  /** `code` has consumed everything before the offset `from`. */
  constructor(code: CodeTracker, from: number) {
    this.#code = code;
    this.#from = from;
    this.#at = from;
    this.#paragraph = code.paragraphs;
    code.onRun = (length) => {
      this.#runs.set(length, this.#at);
      this.#foundRun = true;
    };
  }

  covers(offset: number): boolean {
    return offset >= this.#from && (this.#ended ? offset < this.#at : offset <= this.#at);
  }

  /** Whether a run of one of these lengths follows in the paragraph; null if not known yet. */
  closes(lengths: readonly number[], after: number, source: Source): boolean | null {
    if (this.#follows(lengths, after)) return true;
    while (!this.#ended) {
      const character = source.at(this.#at);
      if (character === null && !source.ended) return null;
      this.#at++;
      this.#foundRun = false;
      if (character === null) this.#code.end();
      else this.#code.take(character);
      if (this.#foundRun && this.#follows(lengths, after)) return true;
      this.#ended = character === null || this.#code.paragraphs !== this.#paragraph;
    }
    return false;
  }

  #follows(lengths: readonly number[], after: number): boolean {
    return lengths.some((length) => (this.#runs.get(length) ?? -1) > after);
  }
}
