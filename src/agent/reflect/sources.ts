/** The sources of a reflection, for whoever reads the answer. */
import { oneLine, truncate } from "../../util/text.ts";
import type { Citation } from "./passages.ts";

const LONGEST = 100;

/** One line each; a terminal shows the date and the kind faintly. */
export function sourceLines(citations: readonly Citation[], faint = (marks: string) => marks): string[] {
  return citations.map(({ id, kind, text, date, unconfirmed }) => {
    const marks = [date ?? "", kind, unconfirmed ? "unconfirmed" : ""]
      .filter((mark) => mark !== "")
      .join(", ");
    return `[${oneLine(id)}] ${faint(`(${marks})`)} ${truncate(oneLine(text), LONGEST)}`;
  });
}
