/**
 * Renders a streaming reply as terminal lines. Finished lines are returned once, to be printed and never changed; the rest is small
 * and redrawn with each piece. Regardless of how the text is cut into pieces, the finished lines plus the final rest equal the lines
 * of the whole text: `renderMarkdown` is a stream of one piece.
 *
 * Therefore nothing may depend on later text: empty lines between list items stay as written, references are not resolved, and a
 * table's first rows determine its column widths.
 */
import { ControlFilter } from "../ansi/clean.ts";
import type { Block } from "./blocks.ts";
import { LineSplitter } from "./lines.ts";
import { BlockReader } from "./reader.ts";
import { blockLines } from "./render.ts";
import { type Theme, themeOf } from "./theme.ts";
import { completed, isOnlyMarks } from "./unfinished.ts";

export interface MarkdownOptions {
  /** If false, the output has no escape sequences. */
  readonly colours: boolean;
  /** Write links as OSC 8, for terminals that support it. Needs colours. */
  readonly links?: boolean;
}

/** Lines of at most `width` columns, which is at least two. Never throws. */
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

  constructor(options: MarkdownOptions) {
    this.#theme = themeOf(options);
  }

  /** Adds the next raw piece; control characters and escape sequences are removed here. */
  push(piece: string): void {
    this.#drawn = null;
    for (const line of this.#lines.push(this.#filter.push(piece))) this.#reader.take(line);
  }

  /** Finishes all lines, for `take` to return. Text pushed afterwards starts a new block. */
  end(): void {
    this.#drawn = null;
    const last = this.#lines.end();
    if (last !== null) this.#reader.take(last);
    this.#reader.end();
    this.#filter = new ControlFilter();
  }

  /** The lines finished since the last call. */
  take(width: number): string[] {
    return this.#draw(this.#reader.finished(), width);
  }

  /** The unfinished lines as they look so far. They follow the finished ones and will be replaced. */
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
