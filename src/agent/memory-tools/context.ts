/**
 * context: the context to start a conversation with. It doesn't explain marks: an agent with these tools saves facts with them, and
 * nothing reads marks in its replies.
 */
import { fenced } from "../../context/fence.ts";
import { SEPARATOR } from "../../context/filling.ts";
import type { ContextPart } from "../../context/parts.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import { count } from "../tools/input.ts";
import { memoryTool, type ToolAmong } from "./define.ts";
import { mayText } from "./fields.ts";
import type { ConversationPorts } from "./ports.ts";

export function contextTool(ports: ConversationPorts): ToolAmong {
  return memoryTool({
    name: "context",
    commands: { context: {} },
    title: "Assemble the context",
    description:
      "Returns what to know at the start of a conversation or task: instructions, who the user is, preferences, facts, recent notes. " +
      "Call it once. For a single question, use recall.",
    example: { query: "Fix the login page", budget: 4_000 },
    effect: "read",
    destructive: false,
    idempotent: true,
    openWorld: ports.usesNetwork(),
    fields: {
      query: mayText("The user's message, or the task."),
      budget: count("Maximum tokens.", 1, 100_000),
    },
    async run({ query, budget }) {
      const { text, tokens, ...assembled } = await ports.context({ query, budget, marks: false });
      const parts = assembled.parts.map(
        ({ name, title, tokens: size, included, shortened, why, memories = [] }) => {
          return { name, title, tokens: size, included, shortened, why, memories: [...memories] };
        },
      );
      const data = { tokens, budget: assembled.budget, parts };
      return { ok: true, text: `${text}${leftOut(parts)}`, data, brief: plural(tokens, "token") };
    },
  });
}

/**
 * Lists shortened and omitted parts, and why: otherwise a model assumes that the context is complete. Fenced, because a title may
 * be the name of a project's file.
 */
function leftOut(parts: readonly Pick<ContextPart, "title" | "included" | "why">[]): string {
  const lines = parts
    .filter(({ why }) => why !== null)
    .map(({ title, included, why }) => oneLine(`- ${title}${included ? ", in part" : ""}: ${why}`));
  return lines.length === 0 ? "" : `${SEPARATOR}${fenced("Omitted from this context", lines.join("\n"))}`;
}
