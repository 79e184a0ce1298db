/** What somebody said themselves: without what was put beside it, and without the examples of how to mark, which a model may repeat. */
import instructions from "../../../prompts/hook-session.md" with { type: "text" };
import { readReply, withoutInjected } from "../../core/marks.ts";

const EXAMPLES: ReadonlySet<string> = new Set(
  instructions.split("\n").filter((line) => readReply(line).marks.length > 0),
);

export function ownWords(text: string): string {
  const lines = withoutInjected(text).split("\n");
  return lines
    .filter((line) => !EXAMPLES.has(line.trim()))
    .join("\n")
    .trim();
}
