/** A message's own text: without text that hooks added, and without the examples of marks, which a model may repeat. */
import instructions from "../../../prompts/hook-session.md" with { type: "text" };
import { readReply, withoutInjected } from "../../core/marks/marks.ts";

const lines = new Set(instructions.split("\n"));

function isExample(line: string): boolean {
  const text = line.trim();
  return lines.has(text) && readReply(text).marks.length > 0;
}

export function ownWords(text: string): string {
  return withoutInjected(text)
    .split("\n")
    .filter((line) => !isExample(line))
    .join("\n")
    .trim();
}
