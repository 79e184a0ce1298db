/** Text as a terminal shows it: what a reader sees as one character, and how many columns it takes. */

let segmenter: Intl.Segmenter | null = null;

const ASCII = /^[\x20-\x7e]*$/;

/** Characters as a reader counts them, with where each one starts. */
export function* graphemes(text: string): Generator<{ readonly at: number; readonly text: string }> {
  if (ASCII.test(text)) {
    for (let at = 0; at < text.length; at++) yield { at, text: text.charAt(at) };
    return;
  }
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const { index, segment } of segmenter.segment(text)) yield { at: index, text: segment };
}

/** In columns. Colours take none. */
export function widthOf(text: string): number {
  return Bun.stringWidth(text);
}

/** At most so many columns wide; what is cut off ends with "…". Colours are closed. */
export function fit(text: string, width: number): string {
  if (width <= 0) return "";
  if (widthOf(text) <= width) return text;
  const cut = Bun.sliceAnsi(text, 0, width - 1);
  // A wide character that begins in the last column is not cut off.
  return `${widthOf(cut) < width ? cut : Bun.sliceAnsi(text, 0, width - 2)}…`;
}
