/** The excerpt to show first: the window around most of the query's words. */
import { linesOf } from "../core/text/markdown.ts";
import { oneLine } from "../util/text.ts";

export function snippetOf(text: string, words: readonly string[], length: number): string {
  const said = linesOf(text).filter(({ kind }) => kind !== "heading");
  const flat = oneLine([...said].map((line) => line.text).join("\n")).trim() || oneLine(text).trim();
  if (flat.length <= length) return flat;
  const start = bestStart(flat, words, length);
  const cut = wholeCharacters(flat.slice(start, start + length)).trim();
  return `${start > 0 ? "…" : ""}${cut}${start + length < flat.length ? "…" : ""}`;
}

/** Drops half a surrogate pair at either end. */
function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
}

/** The start of the window with the most distinct query words. */
function bestStart(text: string, words: readonly string[], length: number): number {
  const lower = text.toLowerCase();
  const found = words
    .flatMap((word) => positionsOf(lower, word).map((at) => ({ at, word })))
    .sort((a, b) => a.at - b.at);
  let best = { start: 0, count: 0 };
  for (const { at } of found) {
    const inside = new Set(
      found.filter((other) => other.at >= at && other.at < at + length * 0.8).map(({ word }) => word),
    );
    if (inside.size > best.count) best = { start: at, count: inside.size };
  }
  return best.start < length / 2 ? 0 : text.lastIndexOf(" ", best.start - length / 6) + 1;
}

const MOST_POSITIONS = 20;

function positionsOf(text: string, word: string): number[] {
  const positions: number[] = [];
  for (
    let at = text.indexOf(word);
    at !== -1 && positions.length < MOST_POSITIONS;
    at = text.indexOf(word, at + 1)
  )
    positions.push(at);
  return positions;
}
