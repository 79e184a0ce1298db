/** Graphemes of a text, and their width in terminal columns. */

let segmenter: Intl.Segmenter | null = null;

const ASCII = /^[\x20-\x7e]*$/;

/** Graphemes with their offsets. */
export function* graphemes(text: string): Generator<{ readonly at: number; readonly text: string }> {
  if (ASCII.test(text)) {
    for (let at = 0; at < text.length; at++) yield { at, text: text.charAt(at) };
    return;
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { index, segment } of segmenter.segment(text)) yield { at: index, text: segment };
}

/** In columns; escape sequences for colours count as zero. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/** Cuts to this many columns, with "…" at the cut, and closes colours. */
export function fit(text: string, width: number): string {
  if (width <= 0) return "";
  if (widthOf(text) <= width) return text;
  const cut = Bun.sliceAnsi(text, 0, width - 1);
  // sliceAnsi keeps a wide character that starts in the last column.
  return `${widthOf(cut) < width ? cut : Bun.sliceAnsi(text, 0, width - 2)}…`;
}
