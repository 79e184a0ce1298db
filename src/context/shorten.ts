/** Shortens text by whole bullets, paragraphs, notes or recalled items. */
import { blocksOf } from "../core/text/markdown-blocks.ts";
import { tokensOf } from "./tokens.ts";

const REST = "(The rest is omitted.)";

/** The beginning of a Markdown text in whole blocks, as far as it fits; null if nothing fits. `print` adds the title. */
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

/** Blocks; the content of a list item belongs to its piece. */
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
 * Picks whole items in order of preference, skipping those that don't fit; null if none fits. `render` prints the chosen ones.
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
  // The separators that render adds may push the last items over the limit.
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
