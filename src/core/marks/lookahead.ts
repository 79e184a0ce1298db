/** Whether a run of backticks is closed is known only further on in its paragraph: this reads ahead to find out. */
import type { CodeTracker } from "./code.ts";

/** What is being read, by the offset of its characters. */
export interface Source {
  /** Null where it has not come yet. */
  at(offset: number): string | null;
  readonly ended: boolean;
}

/** Reads ahead in one paragraph, forward only, and remembers where its runs of backticks are. */
export class Lookahead {
  readonly #code: CodeTracker;
  readonly #from: number;
  readonly #paragraph: number;
  readonly #runs = new Map<number, number>();
  #at: number;
  #foundRun = false;
  #ended = false;

  /** `code` has taken everything before the offset `from`. */
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

  /** Whether a run of one of these lengths follows in the paragraph; null where that is not known yet. */
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
