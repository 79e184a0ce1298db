/**
 * A reply as it is written, in lines for the terminal. What is finished is given once, to be printed above and never touched
 * again; the rest is small, and drawn anew with each piece. Wherever the pieces are cut, the finished lines and the last rest
 * are the lines of the whole text: `renderMarkdown` is a stream of one piece.
 *
 * The price is that nothing may depend on later text. Whether a list is loose is never asked (an empty line between items
 * stays), references are not resolved, and a table's columns are as wide as its first rows ask for.
 */
import { ControlFilter } from "../ansi/clean.ts";
import type { Block } from "./blocks.ts";
import { LineSplitter } from "./lines.ts";
import { BlockReader } from "./reader.ts";
import { blockLines } from "./render.ts";
import { type Theme, themeOf } from "./theme.ts";
import { completed, isOnlyMarks } from "./unfinished.ts";

export interface MarkdownOptions {
  /** Without: no escape sequence at all. */
  readonly colours: boolean;
}

/** Lines of at most `width` columns; less than two count as two. Never throws, whatever the text. */
export function renderMarkdown(
  text: string,
  options: MarkdownOptions & { readonly width: number },
): string[] {
  const stream = new MarkdownStream(options);
  stream.push(text);
  stream.end();
  return stream.take(options.width);
}

export class MarkdownStream {
  readonly #theme: Theme;
  #filter = new ControlFilter();
  readonly #lines = new LineSplitter();
  readonly #reader = new BlockReader();
  #drawn: { readonly width: number; readonly lines: readonly string[] } | null = null;

  constructor({ colours }: MarkdownOptions) {
    this.#theme = themeOf(colours);
  }

  /** The next piece, as it came: control characters and escape sequences are removed here. */
  push(piece: string): void {
    this.#drawn = null;
    for (const line of this.#lines.push(this.#filter.push(piece))) this.#reader.take(line);
  }

  /** Nothing is left but what `take` gives. What is pushed after this begins a new block. */
  end(): void {
    this.#drawn = null;
    const last = this.#lines.end();
    if (last !== null) this.#reader.take(last);
    this.#reader.end();
    this.#filter = new ControlFilter();
  }

  /** The lines that have been finished since the last call. They follow those that were taken before. */
  take(width: number): string[] {
    return this.#draw(this.#reader.finished(), width);
  }

  /** What is not finished, as it looks so far: these lines follow the finished ones, and will be replaced. */
  live(width: number): readonly string[] {
    if (this.#drawn?.width === width) return this.#drawn.lines;
    const reader = this.#reader.copy();
    const unfinished = this.#lines.unfinished;
    if (unfinished !== null && !(isOnlyMarks(unfinished.text) && !unfinished.continued))
      reader.take(unfinished);
    reader.end();
    const blocks = reader.finished();
    const lines = this.#draw([...blocks.slice(0, -1), ...blocks.slice(-1).map(asCompleted)], width);
    this.#drawn = { width, lines };
    return lines;
  }

  #draw(blocks: readonly Block[], width: number): string[] {
    const columns = Math.max(2, Math.floor(width));
    return blocks.flatMap((block) => blockLines(block, columns, this.#theme));
  }
}

function asCompleted(block: Block): Block {
  const { leaf } = block;
  if (leaf.kind !== "paragraph" && leaf.kind !== "heading") return block;
  return { ...block, leaf: { ...leaf, text: completed(leaf.text) } };
}
