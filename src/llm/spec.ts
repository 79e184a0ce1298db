/** Resolves a model's name to everything a request needs. It calls no model, so commands can explain the choice in advance. */
import { RetainError } from "../core/errors.ts";
import { command, type Hint, hint } from "../core/hint.ts";
import { oneLine } from "../util/text.ts";
import {
  addressOf,
  allProviders,
  type EndpointSettings,
  type Environment,
  isLoopback,
  modelsMeant,
  type Provider,
  providerNamed,
} from "./providers.ts";

export interface ModelSpec {
  readonly provider: string;
  /** The provider's name for display. */
  readonly label: string;
  /** The provider's name for it. */
  readonly model: string;
  readonly api: "anthropic" | "openai";
  /** The API's base, such as "http://localhost:11434/v1". */
  readonly url: string;
  /** null if none is needed. Must never be shown. */
  readonly key: string | null;
  /** The variable that would hold the key. */
  readonly keyEnv: string | null;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** Maximum time without data. */
  readonly timeoutSeconds: number;
  /** It runs on this machine. */
  readonly local: boolean;
}

export interface ModelSettings extends EndpointSettings {
  readonly model: string;
  readonly model_context_tokens: number;
  readonly model_max_output_tokens: number;
  readonly model_timeout_seconds: number;
}

/** Stored keys by provider, used only if the environment has none. May throw if they cannot be read. */
export interface StoredKeys {
  get(provider: string): string | null | undefined;
}

/**
 * Who wants an answer. A person opened the chat or typed a command. Anything else is a machine: an MCP client, a hook, a program,
 * background work.
 */
export type Asker = "person" | "machine";

interface ModelChoice {
  readonly asker: Asker;
  /** Overrides the setting, once. */
  readonly wanted?: string;
  readonly settings: ModelSettings;
  readonly env: Environment;
  readonly keys: StoredKeys;
}

export type ChosenModel =
  /** `because`: why it is used although the settings name none; null if they do. */
  | { readonly spec: ModelSpec; readonly because: string | null }
  | { readonly none: string; readonly hint: Hint };

const DEFAULT_MODEL = "anthropic/claude-haiku-4-5";
const ANTHROPIC_CONTEXT = 200_000;
/** The name that means: no model at all. */
export const NO_MODEL = "none";

const NAME_ONE = hint`Name one: ${command("model use", DEFAULT_MODEL)}`;
const HOW_TO = hint`Set ANTHROPIC_API_KEY, or choose one: ${command("model use", "ollama/llama3.2")}`;

/**
 * The only place that decides which model is asked. For a machine, the settings or `wanted` must name it: a key in the environment
 * is no permission to send memories to its provider. Without a model, returns a sentence that says so and how to get one. Throws
 * `usage` if `wanted` is not a model's name, `invalid_config` if the setting isn't or if the key of `wanted` is missing.
 */
export function chooseModel(choice: ModelChoice): ChosenModel {
  const { asker, wanted, settings, env, keys } = choice;
  const name = wanted ?? settings.model;
  if (name === NO_MODEL)
    return {
      none: "No model is used: models are switched off.",
      hint: hint`Choose one: ${command("model use", DEFAULT_MODEL)}`,
    };
  if (name === "" && asker === "machine") return { none: "The settings name no model.", hint: NAME_ONE };
  if (name === "") {
    const { provider, model } = readModelName(DEFAULT_MODEL, settings);
    const found = findKey(provider, env, keys);
    if (found === null) return { none: "No model is configured.", hint: HOW_TO };
    const because = found.variable === null ? "a key for it is stored" : `${found.variable} is set`;
    return { spec: specOf(provider, model, found.key, choice), because };
  }
  const { provider, model } =
    wanted === undefined ? fromSetting(name, settings) : readModelName(name, settings);
  const found = findKey(provider, env, keys);
  if (found === null && provider.keyEnv !== null) {
    const none = `${provider.name}/${model} needs an API key for ${provider.name}.`;
    const advice = keyHint(provider);
    if (wanted !== undefined) throw new RetainError("invalid_config", none, advice);
    return { none, hint: advice };
  }
  return { spec: specOf(provider, model, found?.key ?? null, choice), because: null };
}

function fromSetting(name: string, settings: ModelSettings) {
  try {
    return readModelName(name, settings);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    throw new RetainError("invalid_config", `The setting \`model\`: ${error.message}`, error.advice);
  }
}

/** Parses "provider/model"; the model may contain slashes too. A bare "claude-…" is Anthropic's. Throws `usage`. */
export function readModelName(
  name: string,
  settings: EndpointSettings,
): { provider: Provider; model: string } {
  const shown = oneLine(name);
  const slash = name.indexOf("/");
  const model = slash < 0 ? name : name.slice(slash + 1);
  if (!/^[^\s\p{C}]+$/u.test(model) || slash === 0)
    throw new RetainError(
      "usage",
      `'${shown}' is not a valid model name.`,
      "For example: anthropic/claude-haiku-4-5, or ollama/llama3.2",
    );
  if (slash > 0) return { provider: providerNamed(name.slice(0, slash), settings), model };
  if (/^claude-/.test(name)) return { provider: providerNamed("anthropic", settings), model };
  const meant = modelsMeant(name, settings);
  const isProvider = allProviders(settings).some((provider) => provider.name === name);
  const example = isProvider ? `Name one of its models: ${shown}/…` : `For example: ollama/${shown}`;
  throw new RetainError(
    "usage",
    isProvider ? `'${shown}' is a provider, not a model.` : `The provider is missing before '${shown}'.`,
    meant.length === 0 ? example : `Did you mean ${inWords(meant.map(oneLine))}?`,
  );
}

/** "a, b or c". */
function inWords(names: readonly string[]): string {
  return names.join(", ").replace(/, (?=[^,]*$)/, " or ");
}

function specOf(provider: Provider, model: string, key: string | null, choice: ModelChoice): ModelSpec {
  const { settings, env } = choice;
  const url = addressOf(provider, env);
  return {
    provider: provider.name,
    label: provider.label,
    model,
    api: provider.api,
    url,
    key,
    keyEnv: provider.keyEnv,
    contextTokens: contextTokensOf(provider, settings),
    maxOutputTokens: settings.model_max_output_tokens,
    timeoutSeconds: settings.model_timeout_seconds,
    local: isLoopback(url),
  };
}

export function contextTokensOf(
  { api }: Pick<Provider, "api">,
  settings: Pick<ModelSettings, "model_context_tokens">,
): number {
  return api === "anthropic" ? ANTHROPIC_CONTEXT : settings.model_context_tokens;
}

/** A key and the variable it comes from, null for the keys file. The key must never be shown. */
export function findKey(
  provider: Provider,
  env: Environment,
  keys: StoredKeys,
): { key: string; variable: string | null } | null {
  const variable = provider.keyEnv;
  const fromEnv = variable === null ? undefined : env[variable]?.trim();
  if (fromEnv) return { key: fromEnv, variable };
  const stored = keys.get(provider.name);
  return stored ? { key: stored, variable: null } : null;
}

export function keyHint({ name, keyEnv }: { name: string; keyEnv: string | null }): Hint {
  const store = command("model key", name);
  return keyEnv === null ? hint`Store one: ${store}` : hint`Set ${keyEnv}, or: ${store}`;
}
