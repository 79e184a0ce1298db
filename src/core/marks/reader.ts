/**
 * Reads a text by character and removes certain tags with their content. Looks for tags in the text without the removed parts, so
 * the rest can't contain one. A tag counts only outside code, so the reader may have to read ahead in the paragraph to see whether a
 * backtick before it is closed. Text that a mark swallowed by mistake is read again. Everything else is decided immediately, however
 * the text is split into pieces.
 */
import { FactBlock, type Facts } from "./facts.ts";
import { Layer, type Sink } from "./layer.ts";
import { Lookahead, type Source } from "./lookahead.ts";
import { NoteText } from "./note-text.ts";
import type { OpenFacts, OpenMark, OpenNote } from "./open.ts";
import type { Tag, TagNames } from "./tags.ts";
import { UnkeptTags } from "./unkept.ts";
import { VisibleText } from "./visible.ts";

interface TagRules extends TagNames {
  /** Names of angle-bracket tags that stay visible, but whose content isn't saved. */
  readonly unkept: readonly string[];
  /** Whether the tags are a model's marks: quoted ones are text, and an unclosed one ends at the first tag that may close it. */
  readonly areMarks: boolean;
  /** `text` is null for a tag that closes itself. */
  onNote(tag: Tag, text: string | null, closed: boolean): void;
  onFacts(tag: Tag, facts: Facts): void;
}

interface Undecided {
  readonly tag: Tag;
  readonly runs: readonly number[];
  readonly ahead: Lookahead;
}

export class TagReader {
  readonly #rules: TagRules;
  readonly #names: TagNames;
  /** Characters that may be read again, starting at the offset `#base`. */
  #characters: string[] = [];
  #base = 0;
  #next = 0;
  readonly #source: Source & { ended: boolean };
  readonly #visible: Layer<VisibleText>;
  #mark: OpenMark | null = null;
  /** A tag, unless one of the runs of backticks before it is closed. */
  #undecided: Undecided | null = null;
  #ahead: Lookahead | null = null;
  readonly #unkept: UnkeptTags;
  /** A mark stayed open. From then on, the first tag that may close a mark closes it. */
  #closesEarly = false;

  constructor(rules: TagRules) {
    this.#rules = rules;
    this.#names = { angle: [...rules.angle, ...rules.unkept], square: rules.square };
    this.#unkept = new UnkeptTags(rules.unkept);
    this.#visible = new Layer(new VisibleText(), this.#names);
    this.#source = { ended: false, at: (offset) => this.#characters[offset - this.#base] ?? null };
  }

  /** The text that is certain to be visible so far. */
  push(piece: string): string {
    for (let at = 0; at < piece.length; at++) this.#characters.push(piece[at] ?? "");
    this.#run();
    if (this.#mark === null && this.#undecided === null) this.#forget();
    return this.#visible.sink.take();
  }

  /** The remaining visible text; "" if called again. */
  end(): string {
    if (this.#source.ended) return "";
    this.#source.ended = true;
    do this.#run();
    while (this.#finish());
    this.#visible.sink.end();
    return this.#visible.sink.take();
  }

  #forget(): void {
    this.#base += this.#characters.length;
    this.#characters = [];
    this.#next = 0;
    this.#ahead = null;
    this.#unkept.forget();
  }

  #run(): void {
    for (;;) {
      if (this.#undecided !== null) {
        if (!this.#decide(this.#undecided)) return;
      } else if (this.#next < this.#characters.length) this.#take(this.#characters[this.#next++] ?? "");
      else return;
      if (this.#mark?.kind === "facts" && this.#mark.layer.sink.isOver) this.#endFacts(this.#mark);
    }
  }

  #take(character: string): void {
    const progress = this.#layer.take(character, this.#offset - 1, this.#isUnkept);
    if (progress === "again" || progress === "before") this.#next--;
    const tag = progress === "tag" || progress === "before" ? this.#layer.tag() : null;
    if (tag !== null) this.#meet(tag);
  }

  /** One more step at the end of the text; false if nothing is left to do. */
  #finish(): boolean {
    const layer = this.#layer;
    const mark = this.#mark;
    if (layer.unfinished !== "") {
      const tag = layer.tagAtEnd();
      if (tag !== null) this.#meet(tag);
      else if (mark !== null && layer.unfinished.length > 1) this.#dropUnfinished(mark);
      else layer.giveUp(this.#offset, this.#isUnkept);
    } else if (mark === null) return false;
    else if (mark.kind === "facts") this.#endFacts(mark, true);
    else if (mark.end === null) this.#endNote(mark, false);
    else {
      this.#closesEarly = true;
      this.#endNote(mark, true, mark.end.length);
      this.#readAgain(mark.end.offset);
    }
    return true;
  }

  /** An unfinished tag at the end of a mark isn't part of its text. */
  #dropUnfinished(mark: OpenMark): void {
    mark.layer.showText([], this.#offset, true);
    if (mark.kind === "facts") mark.layer.sink.skip(this.#offset);
  }

  /** The offset after the last character read. */
  get #offset(): number {
    return this.#base + this.#next;
  }

  get #layer(): Layer<Sink> {
    return this.#mark?.layer ?? this.#visible;
  }

  /** If the whole mark isn't saved, no part needs to be left out. */
  get #isUnkept(): boolean {
    return this.#unkept.isOpen && this.#mark?.isKept !== false;
  }

  #meet(tag: Tag): void {
    const code = this.#layer.codeAt(tag);
    const isText = code?.inIndented === true || this.#layer.isOutOfPlace(tag);
    if (isText && this.#isMark(tag)) this.#showTag(tag);
    else if (code === null || this.#closesNow(tag)) this.#apply(tag);
    else if (code.inFence) this.#showTag(tag);
    else if (code.open.length === 0) this.#apply(tag);
    else {
      const runs = [...code.open];
      for (const piece of tag.pieces.slice(1)) code.take(piece);
      if (this.#ahead?.covers(this.#offset) !== true) this.#ahead = new Lookahead(code, this.#offset);
      this.#undecided = { tag, runs, ahead: this.#ahead };
    }
  }

  #isMark({ name }: Tag): boolean {
    return this.#rules.areMarks && !this.#rules.unkept.includes(name);
  }

  #closesNow(tag: Tag): boolean {
    return this.#closesEarly && this.#mark?.kind === "note" && tag.closing;
  }

  #decide({ tag, runs, ahead }: Undecided): boolean {
    const isCode = ahead.closes(runs, this.#offset, this.#source);
    if (isCode === null) return false;
    this.#undecided = null;
    if (isCode) this.#showTag(tag);
    else this.#apply(tag);
    return true;
  }

  /** Shows a tag as text: it is in code or quoted, or stays visible. */
  #showTag(tag: Tag): void {
    if (this.#mark?.kind === "note" && tag.closing && tag.name === this.#mark.tag.name)
      this.#mayEnd(this.#mark);
    this.#layer.showText(tag.pieces, this.#offset, this.#isUnkept);
  }

  #apply(tag: Tag): void {
    const isUnkeptTag = this.#unkept.take(tag, this.#offset);
    // In a mark, a quotation mark before a closing tag may belong to the mark's text.
    const mayBegin = this.#mark === null || !tag.closing;
    const isQuoted = this.#isMark(tag) && !this.#closesNow(tag) && this.#layer.isQuoted(mayBegin);
    if (isQuoted || (this.#mark === null && isUnkeptTag)) this.#showTag(tag);
    else if (this.#mark === null) this.#open(tag);
    else if (isUnkeptTag) this.#leaveOut(this.#mark);
    else if (this.#mark.kind === "note") this.#applyInNote(tag, this.#mark);
    else this.#applyInFacts(tag, this.#mark);
  }

  #open(tag: Tag): void {
    const isKept = !this.#isUnkept;
    if (tag.closing || tag.selfClosing) {
      if (!tag.closing && !tag.square && isKept) this.#rules.onNote(tag, null, true);
      this.#visible.leaveOut();
    } else if (tag.square) {
      const block = new FactBlock(this.#offset, this.#visible.sink.takeEmphasis());
      this.#mark = { kind: "facts", tag, isKept, layer: new Layer(block, this.#names) };
    } else {
      const layer = new Layer(new NoteText(), this.#names);
      this.#mark = { kind: "note", tag, isKept, layer, depth: 1, others: 0, end: null };
    }
  }

  /** Leaves a tag inside a mark out of its text. */
  #leaveOut(mark: OpenMark): void {
    if (mark.kind === "facts") mark.layer.sink.skip(this.#offset);
    mark.layer.leaveOut();
  }

  #applyInNote(tag: Tag, mark: OpenNote): void {
    if (tag.square || tag.selfClosing) this.#leaveOut(mark);
    else if (tag.closing) this.#closeInNote(tag, mark);
    else {
      if (tag.name === mark.tag.name) mark.depth++;
      else mark.others++;
      this.#leaveOut(mark);
    }
  }

  #closeInNote(tag: Tag, mark: OpenNote): void {
    const isOwn = tag.name === mark.tag.name;
    const isOfOther = !isOwn && mark.others > 0;
    if (!isOfOther && (this.#closesEarly || (isOwn && mark.depth === 1))) this.#endNote(mark, true);
    else {
      if (isOfOther) mark.others--;
      else this.#mayEnd(mark);
      if (isOwn) mark.depth--;
      this.#leaveOut(mark);
    }
  }

  #mayEnd(mark: OpenNote): void {
    if (this.#rules.areMarks) mark.end ??= { offset: this.#offset, length: mark.layer.sink.length };
  }

  #endNote(mark: OpenNote, closed: boolean, length?: number): void {
    this.#mark = null;
    if (mark.isKept) this.#rules.onNote(mark.tag, mark.layer.sink.text(length), closed);
    this.#visible.leaveOut();
  }

  #applyInFacts(tag: Tag, mark: OpenFacts): void {
    const { sink } = mark.layer;
    if (tag.square && tag.closing) {
      this.#mark = null;
      this.#keepFacts(mark, sink.close());
      this.#visible.leaveOut();
    } else if (tag.square || (!tag.closing && !tag.selfClosing && sink.opensLine)) this.#endFacts(mark);
    else this.#leaveOut(mark);
  }

  /** Ends the mark where it certainly ends, and reads the rest again as visible text. */
  #endFacts(mark: OpenFacts, textEnded = false): void {
    this.#mark = null;
    this.#keepFacts(mark, mark.layer.sink.finish(textEnded));
    this.#visible.leaveOut();
    this.#readAgain(mark.layer.sink.end);
  }

  #keepFacts(mark: OpenFacts, facts: Facts): void {
    if (mark.isKept) this.#rules.onFacts(mark.tag, facts);
  }

  #readAgain(offset: number): void {
    this.#next = offset - this.#base;
    this.#unkept.returnTo(offset);
  }
}
