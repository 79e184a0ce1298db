/** The text inside `<memory>` and its like, as it comes by character. */
import { CodeTracker } from "./mark-code.ts";

export class NoteText {
  readonly #code = new CodeTracker();
  readonly #text: string[] = [];
  #afterHole = false;
  last = "";

  show(character: string, _after: number, isUnkept: boolean): void {
    this.#code.take(character);
    this.last = character;
    if (isUnkept) return;
    const isDoubled = this.#afterHole && character === " " && (this.#text.at(-1) ?? " ") === " ";
    if (!isDoubled) this.#text.push(character);
    this.#afterHole = isDoubled;
  }

  /** A tag was left out here: the spaces on both sides of it become one. */
  hole(): void {
    this.#afterHole = true;
  }

  get escaping(): boolean {
    return this.#code.escaping;
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
