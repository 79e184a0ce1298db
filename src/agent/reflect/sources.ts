/** Prints the sources of a reflection. */
import { oneLine, truncate } from "../../util/text.ts";
import type { Citation } from "./passages.ts";

const LONGEST = 100;

/** One line each. `faint` styles the date and the kind in a terminal. */
export function sourceLines(citations: readonly Citation[], faint = (marks: string) => marks): string[] {
  return citations.map(({ id, kind, text, date, unconfirmed }) => {
    const marks = [date ?? "", kind, unconfirmed ? "unconfirmed" : ""]
      .filter((mark) => mark !== "")
      .join(", ");
    return `[${oneLine(id)}] ${faint(`(${marks})`)} ${truncate(oneLine(text), LONGEST)}`;
  });
}
