/** A model at a stand-in's address. */
import type { ModelSpec } from "../../src/llm/spec.ts";

export const KEY = "sk-ant-secret-0123456789";
export const APIS = ["anthropic", "openai"] as const;
export type Api = (typeof APIS)[number];

export function specFor(api: Api, origin: string, changes: Partial<ModelSpec> = {}): ModelSpec {
  return {
    provider: api,
    label: api === "anthropic" ? "Anthropic" : "OpenAI",
    model: api === "anthropic" ? "claude-haiku-4-5" : "gpt-5-mini",
    api,
    url: `${origin}/v1`,
    key: KEY,
    keyEnv: api === "anthropic" ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY",
    contextTokens: 200_000,
    maxOutputTokens: 1_000,
    timeoutSeconds: 600,
    local: false,
    ...changes,
  };
}
