/** What somebody said themselves: without what was put beside it, and without the examples of how to mark, which a model may repeat. */
import instructions from "../../../prompts/hook-session.md" with { type: "text" };
import { readReply, withoutInjected } from "../../core/marks/marks.ts";

let examples: ReadonlySet<string> | null = null;

/** Found when the first text is read: most hooks read none. */
function isExample(line: string): boolean {
  examples ??= new Set(instructions.split("\n").filter((one) => readReply(one).marks.length > 0));
  return examples.has(line.trim());
}

export function ownWords(text: string): string {
  const lines = withoutInjected(text).split("\n");
  return lines
    .filter((line) => !isExample(line))
    .join("\n")
    .trim();
}
