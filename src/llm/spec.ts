/** From a model's name to all that is needed to ask it: pure, so that why a model is used, or none, can be told before any is. */
import { RetainError } from "../core/errors.ts";
import { oneLine } from "../util/text.ts";
import {
  addressOf,
  allProviders,
  type EndpointSettings,
  type Environment,
  isLoopback,
  type Provider,
  providerNamed,
} from "./providers.ts";

export interface ModelSpec {
  readonly provider: string;
  /** The provider as people write it. */
  readonly label: string;
  /** As the provider names it. */
  readonly model: string;
  readonly api: "anthropic" | "openai";
  /** The API's base, such as "http://localhost:11434/v1". */
  readonly url: string;
  /** null where none is needed. Never to be shown. */
  readonly key: string | null;
  /** The variable that would hold the key. */
  readonly keyEnv: string | null;
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /** How long a silence may last. */
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

/** Keys that were stored, by provider. May throw where they cannot be read, and is asked only where the environment has none. */
export interface StoredKeys {
  get(provider: string): string | null | undefined;
}

export interface ModelChoice {
  /** What was asked for, for this once; by default what the settings say. */
  readonly wanted?: string;
  readonly settings: ModelSettings;
  readonly env: Environment;
  readonly keys: StoredKeys;
}

export type ChosenModel = { readonly spec: ModelSpec } | { readonly none: string; readonly hint: string };

const DEFAULT_MODEL = "anthropic/claude-haiku-4-5";
const ANTHROPIC_CONTEXT = 200_000;
/** A setting, or a wish, for no model at all. */
export const NO_MODEL = "none";

const HOW_TO = "Set ANTHROPIC_API_KEY, or choose one: retain model use ollama/llama3.2";

/**
 * The model to use; where there is none, a sentence that says so and how to get one. Throws `usage` for a wish, and
 * `invalid_config` for a setting, that names no model; for a wish also where its key is missing.
 */
export function chooseModel(choice: ModelChoice): ChosenModel {
  const { wanted, settings, env, keys } = choice;
  const name = wanted ?? settings.model;
  if (name === NO_MODEL)
    return {
      none: "No model is used: it is switched off.",
      hint: "Choose one: retain model use anthropic/claude-haiku-4-5",
    };
  if (name === "") {
    const { provider, model } = readModelName(DEFAULT_MODEL, settings);
    const found = findKey(provider, env, keys);
    if (found === null) return { none: "No model is configured.", hint: HOW_TO };
    return { spec: specOf(provider, model, found.key, choice) };
  }
  const { provider, model } =
    wanted === undefined ? fromSetting(name, settings) : readModelName(name, settings);
  const found = findKey(provider, env, keys);
  if (found === null && provider.keyEnv !== null) {
    const none = `There is no key for ${provider.name}, so ${provider.name}/${model} cannot be asked.`;
    const hint = keyHint(provider);
    if (wanted !== undefined) throw new RetainError("invalid_config", none, hint);
    return { none, hint };
  }
  return { spec: specOf(provider, model, found?.key ?? null, choice) };
}

function fromSetting(name: string, settings: ModelSettings) {
  try {
    return readModelName(name, settings);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    throw new RetainError("invalid_config", `The setting \`model\`: ${error.message}`, error.hint);
  }
}

/** "provider/model", where the model may hold slashes too; "claude-…" is Anthropic's. Throws `usage`. */
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
      `'${shown}' is not the name of a model.`,
      "For example: anthropic/claude-haiku-4-5, or ollama/llama3.2",
    );
  if (slash > 0) return { provider: providerNamed(name.slice(0, slash), settings), model };
  if (/^claude-/.test(name)) return { provider: providerNamed("anthropic", settings), model };
  const isProvider = allProviders(settings).some((provider) => provider.name === name);
  throw new RetainError(
    "usage",
    isProvider ? `'${shown}' is a provider, not a model.` : `'${shown}' does not say whose model it is.`,
    isProvider ? `Name one of its models: ${shown}/…` : `Put the provider before it: openai/${shown}`,
  );
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
    contextTokens: provider.api === "anthropic" ? ANTHROPIC_CONTEXT : settings.model_context_tokens,
    maxOutputTokens: settings.model_max_output_tokens,
    timeoutSeconds: settings.model_timeout_seconds,
    local: isLoopback(url),
  };
}

/** A key and where it is from: a variable's name, or null for the file. Not to be shown. */
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

/** How a provider gets its key. */
export function keyHint({ name, keyEnv }: { name: string; keyEnv: string | null }): string {
  const command = `retain model key ${name}`;
  return keyEnv === null ? `Give it one: ${command}` : `Set ${keyEnv}, or: ${command}`;
}
