/** One text that tags are looked for in: what is visible, or what is in a mark. What may become a tag is held here. */
import type { CodeTracker } from "./code.ts";
import { Quotations } from "./quotes.ts";
import { HOLE, opensTag, type Tag, type TagNames, type TagProgress, TagStart } from "./tags.ts";

/** Where the characters go that are no tags. */
export interface Sink {
  /** `after`: the offset behind it. */
  show(character: string, after: number, isUnkept: boolean): void;
  /** Something was taken out here. */
  hole(): void;
  /** The last character shown. */
  readonly last: string;
  /** It is a backslash that takes the next one's meaning. */
  readonly escaping: boolean;
  /** Whether a mark's tag cannot count here: `[MEMORY]` behind other text, or anything in a block quote. */
  isOutOfPlace(tag: Tag): boolean;
  /** What is known of code if text followed now; null where that could not be code. */
  code(): CodeTracker | null;
}

export class Layer<To extends Sink> {
  readonly sink: To;
  readonly #names: TagNames;
  readonly #quotations = new Quotations();
  #start: TagStart | null = null;
  /** What may become tags once what broke them off has been taken out, each broken off by the next. */
  #broken: TagStart[] = [];

  constructor(sink: To, names: TagNames) {
    this.sink = sink;
    this.#names = names;
  }

  /** "again": the character was not taken, and has to be passed once more. */
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

  /** Not behind a backslash, and not the second bracket of `[[memory]]`. */
  #mayOpen(character: string): boolean {
    if (!opensTag(character) || this.sink.escaping) return false;
    return character === "<" || this.sink.last !== "[";
  }

  /** What may become a tag; "" where nothing does. */
  get unfinished(): string {
    return this.#start?.pieces.join("") ?? "";
  }

  /** The tag that is finished now. */
  tag(): Tag | null {
    const tag = this.#start?.tag() ?? null;
    this.#start = null;
    return tag;
  }

  /** The tag that counts as finished where the text ends. */
  tagAtEnd(): Tag | null {
    return this.#start?.isTagAtEnd === true ? this.tag() : null;
  }

  /** What looked like a tag is none. */
  giveUp(after: number, isUnkept: boolean): void {
    const start = this.#start;
    const outer = this.#broken.at(-1);
    if (start !== null && outer?.absorb(start) === true) {
      this.#start = outer;
      this.#broken.pop();
    } else this.showText(start?.pieces ?? [], after, isUnkept);
  }

  /** Shows a tag as text, and with it what it broke off. */
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

  /** Whether what comes next is quoted. With `mayBegin`, a quotation mark right before it begins a quotation. */
  isQuoted(mayBegin: boolean): boolean {
    return this.#quotations.isOpen(mayBegin && this.#broken.length === 0);
  }

  /** A tag was taken out, with what stood in it. */
  leaveOut(): void {
    this.#start = this.#broken.pop() ?? null;
    if (this.#start === null) this.sink.hole();
    else this.#start.resume();
  }

  /** What is known of code at the first character of a tag; null where it cannot be in code. */
  codeAt(tag: Tag): CodeTracker | null {
    const code = this.sink.code();
    for (const start of code === null ? [] : this.#broken)
      for (const piece of start.pieces) if (piece !== HOLE) code?.take(piece);
    code?.take(tag.pieces[0] ?? "");
    return code;
  }
}
