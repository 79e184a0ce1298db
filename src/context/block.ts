/** A block of Markdown between two marker lines, in a file that belongs to people. Everything outside the markers stays. */
import { RetainError } from "../core/errors.ts";
import { eolOf } from "../util/text.ts";

const BEGIN = "<!-- retain:begin -->";
const END = "<!-- retain:end -->";

/** The range from the first marker's line to the end of the second's; null without markers. Throws `invalid_input`. */
function rangeIn(text: string): { start: number; end: number } | null {
  const markers = [...text.matchAll(/^[ \t]*<!-- retain:(begin|end) -->[ \t]*(?=\r?$)/gm)];
  const [begin, end] = markers;
  if (begin === undefined) return null;
  if (end !== undefined && markers.length === 2 && begin[1] === "begin" && end[1] === "end")
    return { start: begin.index, end: end.index + end[0].length };
  const line = text.slice(0, (markers[2] ?? begin).index).split("\n").length;
  throw new RetainError(
    "invalid_input",
    `Line ${line}: expected one '${BEGIN}' line, then one '${END}' line. Nothing was changed.`,
    "Remove both lines and everything that Retain wrote between them, then try again.",
  );
}

export function hasBlock(text: string): boolean {
  return rangeIn(text) !== null;
}

/** The text with this block: in its old position, or at the end. `before` is what separates a new block from the text. */
export function withBlock(text: string | null, content: string): { text: string; before: string } {
  const eol = eolOf(text ?? "");
  // A marker inside the content would end the block.
  const inner = content.trim().replaceAll("<!-- retain:", "<!-- retain :").replaceAll("\n", eol);
  const block = `${BEGIN}${eol}${inner}${eol}${END}`;
  const known = text === null ? null : rangeIn(text);
  if (text !== null && known !== null) {
    const after = text.slice(known.end);
    return { text: text.slice(0, known.start) + block + after, before: "" };
  }
  const before = text === null || text === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return { text: `${text ?? ""}${before}${block}${eol}`, before };
}

/** The text without its block and what `withBlock` put before and after it. */
export function withoutBlock(text: string, before: string): string {
  const known = rangeIn(text);
  if (known === null) return text;
  const head = text.slice(0, known.start);
  return (
    (head.endsWith(before) ? head.slice(0, head.length - before.length) : head) +
    text.slice(known.end).replace(/^\r?\n/, "")
  );
}
