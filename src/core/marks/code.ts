/**
 * Where a text that comes by character may be code. Fences are known at once. Of backticks it is known only later whether
 * they open a span, so the lengths of those runs that still may are kept, and `Lookahead` says which of them are closed.
 */
import { type FenceStart, OpenFence } from "./fence.ts";
import { isBlank, LineHead } from "./line.ts";

const SHORTEST_FENCE = 3;
/** More indentation is no fence outside a list, but code unless it continues a paragraph. */
const MOST_INDENT = 3;

export class CodeTracker {
  /** Runs that may open a span, earliest first. A run that closes one swallows those after it, so no two are alike. */
  #open: number[] = [];
  #run = 0;
  #runIsEscaped = false;
  #runOpensLine = false;
  /** A run that is a fence if its line has no other backtick. */
  #fenceLike = 0;
  #tildes = 0;
  #fence: OpenFence | null = null;
  #head = new LineHead();
  #afterQuote = false;
  #afterBlank = true;
  #inList = false;
  #afterParagraph = false;
  /** The line is indented code. */
  inIndented = false;
  /** The character before was a backslash that takes the next one's meaning. */
  escaping = false;
  /** Paragraphs that have ended. */
  paragraphs = 0;
  /** Called with the length of each run of backticks that is no fence. */
  onRun: ((length: number) => void) | null = null;

  /** `readsIndented`: whether indentation may make code. The text of a mark may be indented as a whole. */
  constructor(readonly readsIndented = false) {}

  /** Nothing that follows can be in code that began before it. */
  get isPlain(): boolean {
    return this.#open.length === 0 && this.#run === 0 && !this.inFence && !this.inIndented;
  }

  /** Also on the line of what looks like one. */
  get inFence(): boolean {
    return this.#fence !== null || this.#fenceLike > 0;
  }

  get open(): readonly number[] {
    return this.#open;
  }

  take(character: string): void {
    const wasEscaping = this.escaping;
    this.escaping = character === "\\" && !wasEscaping;
    if (this.#fence !== null && !this.#leavesFence(character, this.#fence)) return;
    if (character === "`") this.#takeBacktick(wasEscaping);
    else {
      if (this.#run > 0) this.#endRun();
      if (character === "\n") this.#endLine();
      else this.#takeOther(character);
    }
  }

  /** No more characters follow. */
  end(): void {
    if (this.#run > 0) this.#endRun();
  }

  #leavesFence(character: string, fence: OpenFence): boolean {
    const place = fence.take(character);
    if (place === "inside") return false;
    this.#fence = null;
    this.#afterParagraph = false;
    this.#head = new LineHead();
    return place === "left";
  }

  #takeBacktick(isEscaped: boolean): void {
    if (this.#run === 0) {
      this.#runIsEscaped = isEscaped;
      this.#runOpensLine = !this.#head.inBody;
      this.#takeText("`");
    }
    if (!this.inIndented) this.#run++;
  }

  #takeOther(character: string): void {
    const opensLine = !this.#head.inBody;
    this.#takeText(character);
    if (character !== "~" || !(opensLine || this.#tildes > 0)) this.#tildes = 0;
    else if (++this.#tildes === SHORTEST_FENCE && this.#mayBeFence())
      this.#openFence("~", SHORTEST_FENCE, true);
  }

  #takeText(character: string): void {
    if (this.#head.inBody || this.#head.take(character) || isBlank(character)) return;
    const { item, heading, quoted, indent } = this.#head;
    this.inIndented = this.readsIndented && indent > MOST_INDENT && !this.#inList && !this.#afterParagraph;
    if (this.inIndented || item !== "" || heading || (quoted && !this.#afterQuote)) this.#endParagraph();
    if (this.inIndented) return;
    if (item !== "") this.#inList = true;
    else if (this.#afterBlank && indent < 2) this.#inList = false;
  }

  #endRun(): void {
    const length = this.#run;
    this.#run = 0;
    if (this.#runOpensLine && !this.#runIsEscaped && length >= SHORTEST_FENCE && this.#mayBeFence()) {
      this.#fenceLike = length;
      return;
    }
    if (this.#fenceLike > 0) this.#takeRun(this.#fenceLike, false);
    this.#fenceLike = 0;
    this.#takeRun(length, this.#runIsEscaped);
  }

  /** Inside a span a backslash means nothing, so only as an opening run is an escaped one shorter. */
  #takeRun(length: number, isEscaped: boolean): void {
    this.onRun?.(length);
    const closed = this.#open.indexOf(length);
    const opening = isEscaped ? length - 1 : length;
    if (closed >= 0) this.#open.length = closed;
    else if (opening > 0 && !this.#open.includes(opening)) this.#open.push(opening);
  }

  #endLine(): void {
    const isText = this.#head.inBody;
    this.#afterParagraph = isText && !this.#head.heading && this.#fenceLike === 0 && !this.inIndented;
    this.inIndented = false;
    if (this.#fenceLike > 0) this.#openFence("`", this.#fenceLike, false);
    else if (!isText || this.#head.heading) this.#endParagraph();
    this.#fenceLike = 0;
    this.#tildes = 0;
    this.#afterBlank = !isText;
    this.#afterQuote = this.#head.quoted;
    this.#head = new LineHead();
  }

  #mayBeFence(): boolean {
    return !this.#head.heading && (this.#head.indent <= MOST_INDENT || this.#inList);
  }

  #openFence(character: FenceStart["character"], length: number, onOpeningLine: boolean): void {
    this.#endParagraph();
    const { length: indent, quoted } = this.#head;
    this.#fence = new OpenFence({ character, length, indent, quoted }, onOpeningLine);
    this.#tildes = 0;
    this.#afterBlank = true;
    this.#afterQuote = quoted;
  }

  #endParagraph(): void {
    this.#open.length = 0;
    this.paragraphs++;
  }

  copy(): CodeTracker {
    const copy = new CodeTracker(this.readsIndented);
    copy.#open = this.#open.slice();
    copy.#run = this.#run;
    copy.#runIsEscaped = this.#runIsEscaped;
    copy.#runOpensLine = this.#runOpensLine;
    copy.#fenceLike = this.#fenceLike;
    copy.#tildes = this.#tildes;
    copy.#fence = this.#fence?.copy() ?? null;
    copy.#head = this.#head.copy();
    copy.#afterQuote = this.#afterQuote;
    copy.#afterBlank = this.#afterBlank;
    copy.#inList = this.#inList;
    copy.#afterParagraph = this.#afterParagraph;
    copy.inIndented = this.inIndented;
    copy.escaping = this.escaping;
    copy.paragraphs = this.paragraphs;
    return copy;
  }
}
