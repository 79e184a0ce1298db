/** Finds tags in one text: the visible text, or the text of a mark. Holds back characters that may become a tag. */
import type { CodeTracker } from "./code.ts";
import { Quotations } from "./quotes.ts";
import { HOLE, opensTag, type Tag, type TagNames, type TagProgress, TagStart } from "./tags.ts";

/** Receives characters that aren't part of tags. */
export interface Sink {
  /** `after`: the offset after the character. */
  show(character: string, after: number, isUnkept: boolean): void;
  /** Something was removed here. */
  hole(): void;
  /** The last character shown. */
  readonly last: string;
  /** It is a backslash that escapes the next one. */
  readonly escaping: boolean;
  /** Whether a mark's tag doesn't count here: `[MEMORY]` after other text, or any tag in a block quote. */
  isOutOfPlace(tag: Tag): boolean;
  /** The code state if text followed now; null if that couldn't be code. */
  code(): CodeTracker | null;
}

export class Layer<To extends Sink> {
  readonly sink: To;
  readonly #names: TagNames;
  readonly #quotations = new Quotations();
  #start: TagStart | null = null;
  /** Unfinished tags, each interrupted by the next. They may continue once the interruption is removed. */
  #broken: TagStart[] = [];

  constructor(sink: To, names: TagNames) {
    this.sink = sink;
    this.#names = names;
  }

  /** "again": the character wasn't consumed; pass it again. */
  take(character: string, offset: number, isUnkept: boolean): Exclude<TagProgress, "none"> | "again" {
    const start = this.#start;
    if (start === null) {
      if (this.#mayOpen(character)) this.#start = new TagStart(character, offset, this.#names);
      else this.#show(character, offset + 1, isUnkept);
      return "more";
    }
    const progress = start.next(character);
    if (progress !== "none") return progress;
    if (!opensTag(character) || (character === "[" && start.last === "[")) {
      this.giveUp(offset, isUnkept);
      return "again";
    }
    this.#broken.push(start);
    this.#start = new TagStart(character, offset, this.#names);
    return "more";
  }

  /** Not after a backslash, and not the second bracket of `[[memory]]`. */
  #mayOpen(character: string): boolean {
    if (!opensTag(character) || this.sink.escaping) return false;
    return character === "<" || this.sink.last !== "[";
  }

  /** The text that may become a tag; "" if there is none. */
  get unfinished(): string {
    return this.#start?.pieces.join("") ?? "";
  }

  /** The finished tag. */
  tag(): Tag | null {
    const tag = this.#start?.tag() ?? null;
    this.#start = null;
    return tag;
  }

  /** The tag that counts as finished at the end of the text. */
  tagAtEnd(): Tag | null {
    return this.#start?.isTagAtEnd === true ? this.tag() : null;
  }

  /** The unfinished tag is text after all. */
  giveUp(after: number, isUnkept: boolean): void {
    const start = this.#start;
    const outer = this.#broken.at(-1);
    if (start !== null && outer?.absorb(start) === true) {
      this.#start = outer;
      this.#broken.pop();
    } else this.showText(start?.pieces ?? [], after, isUnkept);
  }

  /** Shows a tag as text, with the tags it interrupted. */
  showText(pieces: readonly string[], after: number, isUnkept: boolean): void {
    const texts = [...this.#broken.map((start) => start.pieces), pieces];
    this.#start = null;
    this.#broken = [];
    for (const text of texts)
      for (const piece of text)
        if (piece === HOLE) this.sink.hole();
        else this.#show(piece, after, isUnkept);
  }

  #show(character: string, after: number, isUnkept: boolean): void {
    this.#quotations.take(character);
    this.sink.show(character, after, isUnkept);
  }

  isOutOfPlace(tag: Tag): boolean {
    return this.sink.isOutOfPlace(tag) || (tag.square && this.#broken.length > 0);
  }

  /** Whether the next text is quoted. With `mayBegin`, a quotation mark right before it starts a quotation. */
  isQuoted(mayBegin: boolean): boolean {
    return this.#quotations.isOpen(mayBegin && this.#broken.length === 0);
  }

  /** A tag was removed with its content. */
  leaveOut(): void {
    this.#start = this.#broken.pop() ?? null;
    if (this.#start === null) this.sink.hole();
    else this.#start.resume();
  }

  /** The code state at the first character of a tag; null if it can't be in code. */
  codeAt(tag: Tag): CodeTracker | null {
    const code = this.sink.code();
    for (const start of code === null ? [] : this.#broken)
      for (const piece of start.pieces) if (piece !== HOLE) code?.take(piece);
    code?.take(tag.pieces[0] ?? "");
    return code;
  }
}
