/** Characters at the start of a line, where a mark may be. */
import { headOf } from "../text/markdown.ts";

/** White space within a line. A carriage return belongs to the following line break. */
export function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\r";
}

export function isEmphasis(character: string | undefined): boolean {
  return character === "*" || character === "_";
}

/** A longer start of a line counts as text. */
const LONGEST_BEGINNING = 80;

/** Whether a line that starts at `from` has no text yet, only indentation, list markers, hashes and emphasis. */
export function isBeginning(text: readonly string[], from = 0): boolean {
  if (text.length - from > LONGEST_BEGINNING) return false;
  const line = text.slice(from).join("");
  const { length, quoted } = headBefore(line);
  return !quoted && /^[*_]*[ \t]*$/.test(line.slice(length));
}

/** The head of a line whose text follows directly: a list marker without a space after it doesn't count. */
export function headBefore(line: string): ReturnType<typeof headOf> {
  return headOf(`${line}x`);
}
