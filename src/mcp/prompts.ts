/** The prompts that a person can pick in a client: save something, and answer from memory. Their texts are in prompts/. */
import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/server";
import recallText from "../../prompts/mcp-recall.md" with { type: "text" };
import rememberText from "../../prompts/mcp-remember.md" with { type: "text" };
import type { MemoryTool } from "../agent/memory-tool.ts";

export const PROMPTS: readonly Prompt[] = [
  {
    name: "remember",
    title: "Save to memory",
    description: "Save what is worth keeping from a text or from this conversation.",
    arguments: [
      { name: "what", description: "What to save; by default the conversation so far.", required: false },
    ],
  },
  {
    name: "recall",
    title: "Answer from memory",
    description: "Answer a question from memory.",
    arguments: [{ name: "question", description: "What you want to know.", required: true }],
  },
];

export async function getPrompt(
  tools: readonly MemoryTool[],
  name: string,
  given: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<GetPromptResult> {
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined)
    throw invalid(`Unknown prompt '${name}'. Available: ${PROMPTS.map((one) => one.name).join(", ")}.`);
  for (const { name: argument, required } of prompt.arguments ?? [])
    if (required && !given[argument]?.trim()) throw invalid(`The prompt '${name}' needs '${argument}'.`);
  if (name === "remember")
    return asked(prompt, filled(rememberText, { what: given.what?.trim() || "This conversation so far." }));
  const question = given.question ?? "";
  const recall = tools.find((tool) => tool.name === "recall");
  const found = await recall?.run({ query: question }, signal);
  return asked(prompt, filled(recallText, { question, memories: found?.text ?? "Nothing." }));
}

function asked({ description }: Prompt, text: string): GetPromptResult {
  return {
    ...(description !== undefined && { description }),
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}

/** In one pass, so that placeholders in the values are not replaced. */
export function filled(template: string, values: Readonly<Record<string, string>>): string {
  return template.trim().replace(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap);
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
