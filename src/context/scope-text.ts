/** Says to a model where its facts are saved. Marks, hooks and MCP share these sentences. */
import alone from "../../prompts/scope-alone.md" with { type: "text" };
import bank from "../../prompts/scope-bank.md" with { type: "text" };
import home from "../../prompts/scope-home.md" with { type: "text" };
import project from "../../prompts/scope-project.md" with { type: "text" };
import type { Audience } from "../core/memory.ts";

const TEXTS: Readonly<Record<Audience, string>> = { home, bank, project, alone };

/** Replaces `{scope}` in a prompt. */
export function withScope(prompt: string, audience: Audience): string {
  return prompt.trim().replace("{scope}", () => TEXTS[audience].trim());
}
