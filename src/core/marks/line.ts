/** Characters at the beginning of a line, where a mark may stand. */
import { headOf } from "../text/markdown.ts";

/** White space inside a line; a carriage return belongs to the line break after it. */
export function isBlank(character: string): boolean {
  return character === " " || character === "\t" || character === "\r";
}

export function isEmphasis(character: string | undefined): boolean {
  return character === "*" || character === "_";
}

/** Longer beginnings of a line count as text. */
const LONGEST_BEGINNING = 80;

/** Whether a line that starts at `from` holds no text yet: at most indentation, list markers, hashes and emphasis. */
export function isBeginning(text: readonly string[], from = 0): boolean {
  if (text.length - from > LONGEST_BEGINNING) return false;
  const line = text.slice(from).join("");
  const { length, quoted } = headBefore(line);
  return !quoted && /^[*_]*[ \t]*$/.test(line.slice(length));
}

/** The marks in front of text that follows directly: a list marker without a space behind it is none. */
export function headBefore(line: string): ReturnType<typeof headOf> {
  return headOf(`${line}x`);
}
