/** Environment variables with API keys. Only Retain's own worker inherits them, no other child process. */
import type { Settings } from "./schema.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Recognised by name: "ANTHROPIC_API_KEY", "RETAIN_EMBEDDING_KEY". */
const BY_NAME = /_API_KEY$|^(?:ANTHROPIC|OPENAI|CLAUDE|UPSTASH)\w*_TOKEN$|^RETAIN_\w*(?:KEY|TOKEN)$/i;

/** Variables named in settings. */
export function namedKeyVariables(
  settings: Pick<Settings, "embedding_key_env" | "rerank_key_env" | "hindsight_key_env" | "model_endpoints">,
): string[] {
  const { embedding_key_env, rerank_key_env, hindsight_key_env, model_endpoints } = settings;
  const own = model_endpoints.map(({ key_env = "" }) => key_env);
  return [embedding_key_env, rerank_key_env, hindsight_key_env, ...own].filter((name) => name !== "");
}

/** `named`: variables named in settings. */
export function withoutKeys(env: Environment, named: readonly string[] = []): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isKeyVariable(name, named)));
}

export function keysIn(env: Environment, named: readonly string[] = []): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value !== "" && isKeyVariable(name, named) ? [value] : [],
  );
}

function isKeyVariable(name: string, named: readonly string[]): boolean {
  return BY_NAME.test(name) || named.includes(name);
}
