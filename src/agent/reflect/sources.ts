/** Prints the sources of a reflection. */
import { doubtOf } from "../../context/recalled.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { Citation } from "./passages.ts";

const LONGEST = 100;

/** One line each. `faint` styles the date and the kind in a terminal. */
export function sourceLines(citations: readonly Citation[], faint = (marks: string) => marks): string[] {
  return citations.map(({ id, kind, text, date, unconfirmed, mayBeOutdatedBy }) => {
    const marks = [date ?? "", kind, unconfirmed ? "unconfirmed" : "", ...doubtOf(mayBeOutdatedBy)]
      .filter((mark) => mark !== "")
      .join(", ");
    return `[${oneLine(id)}] ${faint(`(${marks})`)} ${truncate(oneLine(text), LONGEST)}`;
  });
}
