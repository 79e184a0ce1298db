/** Shorter, but never in the middle of something: bullets, paragraphs, notes and recalled items stay whole or go. */
import { blocksOf } from "../core/text/markdown-blocks.ts";
import { tokensOf } from "./tokens.ts";

const REST = "(The rest is omitted.)";

/**
 * Markdown from the top, as much as fits: whole bullets, paragraphs, tables. null where that is nothing. `print` gives it
 * its title.
 */
export function shortenMarkdown(
  print: (content: string) => string,
  content: string,
  tokens: number,
): string | null {
  const render = (end: number) => print(`${content.slice(0, end).trim()}\n\n${REST}`);
  const pieces = piecesOf(content);
  let left = tokens - tokensOf(render(0));
  let count = 0;
  for (const { start, end } of pieces) {
    left -= tokensOf(content.slice(start, end));
    if (left < 0) break;
    count++;
  }
  for (; count > 0; count--) {
    const piece = pieces[count - 1];
    if (piece === undefined || piece.isHeading) continue;
    const text = render(piece.end);
    if (tokensOf(text) <= tokens) return text;
  }
  return null;
}

interface Piece {
  readonly start: number;
  end: number;
  readonly isHeading: boolean;
}

/** Blocks, each with what belongs to the list item that it is. */
function piecesOf(content: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { kind, start, end, attached } of blocksOf(content)) {
    const last = pieces.at(-1);
    if (attached && kind !== "item" && last !== undefined) last.end = end;
    else pieces.push({ start, end, isHeading: kind === "heading" });
  }
  return pieces;
}

/**
 * As many of the items as fit, each whole, in the order of preference; what does not fit makes room for the next. null
 * where none fits. `render` shows those that were chosen.
 */
export function choose<T>(
  items: readonly T[],
  printed: (item: T) => string,
  render: (chosen: readonly T[]) => string,
  tokens: number,
): { text: string; chosen: readonly T[] } | null {
  const chosen: T[] = [];
  let left = tokens - tokensOf(render([]));
  for (const item of items) {
    const cost = tokensOf(printed(item));
    if (cost > left) continue;
    left -= cost;
    chosen.push(item);
  }
  // What render adds between items may be too much for the last ones.
  let best: { text: string; chosen: readonly T[] } | null = null;
  for (let [fits, most] = [0, chosen.length]; fits < most; ) {
    const count = Math.ceil((fits + most) / 2);
    const some = chosen.slice(0, count);
    const text = render(some);
    if (tokensOf(text) > tokens) most = count - 1;
    else {
      fits = count;
      best = { text, chosen: some };
    }
  }
  return best;
}
