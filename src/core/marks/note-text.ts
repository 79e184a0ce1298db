/** Collects the text inside `<memory>` and similar tags, by character. */
import { CodeTracker } from "./code.ts";
import { isBeginning } from "./line.ts";
import type { Tag } from "./tags.ts";

export class NoteText {
  readonly #code = new CodeTracker();
  readonly #text: string[] = [];
  #lineStart = 0;
  #afterHole = false;
  last = "";

  show(character: string, _after: number, isUnkept: boolean): void {
    this.#code.take(character);
    this.last = character;
    if (isUnkept) return;
    const isDoubled = this.#afterHole && character === " " && (this.#text.at(-1) ?? " ") === " ";
    if (!isDoubled) this.#text.push(character);
    if (character === "\n") this.#lineStart = this.#text.length;
    this.#afterHole = isDoubled;
  }

  /** A tag was removed here: the spaces on both sides become one. */
  hole(): void {
    this.#afterHole = true;
  }

  get escaping(): boolean {
    return this.#code.escaping;
  }

  isOutOfPlace({ square }: Tag): boolean {
    return square && !isBeginning(this.#text, this.#lineStart);
  }

  code(): CodeTracker | null {
    return this.#code.isPlain ? null : this.#code.copy();
  }

  get length(): number {
    return this.#text.length;
  }

  text(length = this.#text.length): string {
    return this.#text.slice(0, length).join("");
  }
}
