/**
 * Parses Markdown blocks line by line, as CommonMark does: first the containers that a line is still inside of, then what it opens,
 * then its text. A block is emitted once it can no longer change, regardless of how the text was cut into pieces. So nothing is parsed
 * twice, and nothing depends on later text, such as whether a list is tight or what a reference points to.
 *
 * Differences from CommonMark: an item has an empty line before it only if the text has one; references are shown as written; a
 * bullet indented by two columns is inside the numbered item above it; a line without a bar ends a table; containers deeper than
 * `DEEPEST` are text.
 */
import { closesFence, fenceOf, headingIn, indentOf, isRule, underlineOf } from "../../core/text/markdown.ts";
import type { Block, Leaf } from "./blocks.ts";
import { type Container, insideOf, openedItem, openedQuote, printed, shownAs } from "./containers.ts";
import type { Line } from "./lines.ts";
import { closed, grown, type OpenLeaf } from "./open-leaf.ts";
import { alignmentsOf, cellsOf, htmlOf, itemOf, unquoted } from "./starts.ts";

const DEEPEST = 12;
const CODE_INDENT = 4;

export class BlockReader {
  #containers: readonly Container[] = [];
  #leaf: OpenLeaf | null = null;
  /** The gap before the open leaf; null once a part of it was emitted. */
  #gap: number | null = null;
  /** The containers of the last emitted block. */
  #last: readonly number[] | null = null;
  #afterEmpty = false;
  #ids = 0;
  #blocks: Block[] = [];

  /** A reader at the same position, without the finished blocks. */
  copy(): BlockReader {
    const copy = new BlockReader();
    copy.#containers = this.#containers;
    copy.#leaf = this.#leaf;
    copy.#gap = this.#gap;
    copy.#last = this.#last;
    copy.#afterEmpty = this.#afterEmpty;
    copy.#ids = this.#ids;
    return copy;
  }

  /** The blocks finished since the last call. */
  finished(): Block[] {
    const blocks = this.#blocks;
    this.#blocks = [];
    return blocks;
  }

  end(): void {
    this.#leave(0);
  }

  take({ text, continued }: Line): void {
    if (continued) {
      this.#goOn(text);
      return;
    }
    const { depth, rest } = this.#enter(text);
    const isEmpty = rest.trim() === "";
    const leaf = depth === this.#containers.length ? this.#leaf : null;
    if (leaf?.kind === "fence") {
      if (closesFence(rest, leaf.fence)) this.#close();
      else this.#grow(rest.slice(Math.min(indentOf(rest), leaf.fence.indent)));
    } else if (leaf?.kind === "html" && (leaf.end !== null || !isEmpty)) this.#growHtml(rest, leaf.end);
    else if (isEmpty) this.#takeEmpty(depth);
    else this.#takeText(depth, rest);
  }

  /** Adds the rest of a line that was cut; it never starts a block. */
  #goOn(text: string): void {
    if (this.#leaf === null || this.#leaf.kind === "table")
      this.#open(this.#containers.length, { kind: "paragraph", text });
    else this.#grow(text);
  }

  /** How many open containers the line is inside of, and the rest of the line there. */
  #enter(text: string): { depth: number; rest: string } {
    let rest = text;
    let depth = 0;
    for (const container of this.#containers) {
      const entered = insideOf(container, rest);
      if (entered === null) break;
      if (entered.container !== container) this.#containers = this.#containers.with(depth, entered.container);
      rest = entered.rest;
      depth++;
    }
    return { depth, rest };
  }

  #takeEmpty(depth: number): void {
    if (depth < this.#containers.length) this.#leave(depth);
    else if (this.#leaf?.kind === "indented") this.#grow("");
    else this.#close();
    this.#afterEmpty = true;
  }

  #takeText(depth: number, line: string): void {
    if (depth === this.#containers.length && this.#becomesTable(line)) return;
    let text = line;
    let inside = depth;
    for (;;) {
      const inner = this.#openContainer(inside, text);
      if (inner === null) break;
      text = inner;
      inside = this.#containers.length;
    }
    if (text.trim() !== "") this.#takeLeaf(inside, text);
    else if (this.#containers.at(-1)?.kind === "item") this.#give(inside, { kind: "nothing" });
  }

  /** Opens the container that starts here and returns the rest of the line; null if none starts. */
  #openContainer(inside: number, text: string): string | null {
    if (inside >= DEEPEST || indentOf(text) >= CODE_INDENT) return null;
    const quoted = unquoted(text);
    const start = quoted === null && !isRule(text) ? itemOf(text) : null;
    if (start !== null && this.#leaf?.kind === "paragraph" && inside === this.#containers.length) {
      if (start.rest.trim() === "" || (start.number ?? 1) !== 1) return null;
    }
    if (quoted === null && start === null) return null;
    const before = this.#containers[inside];
    this.#leave(inside);
    const opened = start === null ? openedQuote(this.#ids++) : openedItem(start, before, this.#ids++);
    this.#containers = [...this.#containers, opened];
    return start?.rest ?? quoted;
  }

  #takeLeaf(inside: number, text: string): void {
    const isInside = inside === this.#containers.length;
    const isIndented = indentOf(text) >= CODE_INDENT;
    if (!isIndented && this.#startLeaf(inside, text)) return;
    const leaf = this.#leaf;
    // A paragraph continues even without its containers' marks.
    if (leaf?.kind === "paragraph") this.#grow(text.trimStart());
    else if (isInside && leaf?.kind === "table" && text.includes("|")) this.#grow(text);
    else if (isIndented) {
      if (!isInside || leaf?.kind !== "indented") this.#open(inside, { kind: "indented", emptyLines: 0 });
      this.#grow(text.slice(CODE_INDENT));
    } else this.#open(inside, { kind: "paragraph", text: text.trimStart() });
  }

  #startLeaf(inside: number, text: string): boolean {
    const paragraph = this.#leaf?.kind === "paragraph" ? this.#leaf : null;
    const heading = headingIn(text);
    const fence = fenceOf(text);
    const html = htmlOf(text);
    const level = paragraph !== null && inside === this.#containers.length ? underlineOf(text) : null;
    if (heading !== null) {
      const title = text.slice(heading.start, heading.end);
      this.#give(inside, { kind: "heading", level: heading.level, text: title });
    } else if (fence !== null) this.#open(inside, { kind: "fence", fence, lines: [], isFirst: true });
    else if (html !== null && (html.interrupts || paragraph === null)) {
      this.#open(inside, { kind: "html", end: html.end });
      this.#growHtml(text, html.end);
    } else if (level !== null && paragraph !== null) {
      this.#leaf = null;
      this.#emit({ kind: "heading", level, text: paragraph.text });
    } else if (isRule(text)) this.#give(inside, { kind: "rule" });
    else return false;
    return true;
  }

  /** If this is a delimiter row, the paragraph's last line becomes the header; the lines before stay a paragraph. */
  #becomesTable(line: string): boolean {
    if (this.#leaf?.kind !== "paragraph") return false;
    const alignments = alignmentsOf(line);
    if (alignments === null) return false;
    const { text } = this.#leaf;
    const lineStart = text.lastIndexOf("\n") + 1;
    const header = cellsOf(text.slice(lineStart));
    if (header.length !== alignments.length) return false;
    if (lineStart > 0) {
      this.#emit({ kind: "paragraph", text: text.slice(0, lineStart - 1) });
      this.#gap = this.#gapHere();
    }
    this.#leaf = { kind: "table", header, alignments, rows: [], characters: 0, measured: null };
    return true;
  }

  #growHtml(line: string, end: string | null): void {
    this.#grow(line);
    if (end !== null && line.toLowerCase().includes(end)) this.#close();
  }

  #open(inside: number, leaf: OpenLeaf): void {
    this.#leave(inside);
    this.#gap = this.#gapHere();
    this.#afterEmpty = false;
    this.#leaf = leaf;
  }

  #grow(line: string): void {
    if (this.#leaf === null) return;
    const { leaf, finished } = grown(this.#leaf, line);
    this.#leaf = leaf;
    for (const part of finished) this.#emit(part);
  }

  #close(): void {
    const leaf = this.#leaf;
    this.#leaf = null;
    if (leaf !== null) for (const part of closed(leaf)) this.#emit(part);
  }

  /** Closes the leaf and the containers deeper than this. */
  #leave(depth: number): void {
    this.#close();
    this.#containers = this.#containers.slice(0, depth);
  }

  /** Blocks are separated by an empty line; inside a list, only if the text has one. */
  #gapHere(): number | null {
    if (this.#last === null) return null;
    const last = this.#last;
    const other = this.#containers.findIndex((container, index) => container.id !== last[index]);
    const shared = other === -1 ? this.#containers.length : other;
    const isInList = this.#containers.slice(0, shared).some((container) => container.kind === "item");
    return isInList && !this.#afterEmpty ? null : shared;
  }

  /** Emits a block of one line. */
  #give(inside: number, leaf: Leaf): void {
    this.#leave(inside);
    this.#gap = this.#gapHere();
    this.#afterEmpty = false;
    this.#emit(leaf);
  }

  #emit(leaf: Leaf): void {
    this.#blocks.push({ within: this.#containers.map(shownAs), gap: this.#gap, leaf });
    this.#gap = null;
    this.#last = this.#containers.map((container) => container.id);
    this.#containers = this.#containers.map(printed);
  }
}
