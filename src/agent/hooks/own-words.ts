/** A message's own text: without text that hooks added, and without the examples of marks, which a model may repeat. */
import instructions from "../../../prompts/hook-session.md" with { type: "text" };
import { readReply, withoutInjected } from "../../core/marks/marks.ts";

let examples: ReadonlySet<string> | null = null;

/** Computed on first use: most hooks read no messages. */
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
