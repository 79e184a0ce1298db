/**
 * The context for a model that has the tools. It keeps memories by these: a mark would stand in a reply that nobody reads for
 * marks.
 */
import MARKS from "../../../prompts/marks.md" with { type: "text" };
import { SEPARATOR } from "../../context/filling.ts";

const HOW_TO_MARK = `${SEPARATOR}${MARKS.trim()}`;

export function withoutMarks(context: string): string {
  return context.replace(HOW_TO_MARK, "");
}
