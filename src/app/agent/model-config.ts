/** The user's language model: its choice, the providers, their keys and the user's own endpoints. Each call reads the files again. */
import { changeList, changeSetting, exclusively } from "../../backends/workspaces.ts";
import type { Config } from "../../config/load.ts";
import { resolveWorkspace } from "../../config/resolve-workspace.ts";
import type { ModelEndpoint } from "../../config/shapes.ts";
import type { Surroundings, Workspace } from "../../config/workspace.ts";
import { RetainError, requireText } from "../../core/errors.ts";
import { ANY, command, hint } from "../../core/hint.ts";
import type { Clock } from "../../core/ports/documents.ts";
import { checkInput } from "../../documents/input.ts";
import { withEndpoint, withoutEndpoint } from "../../llm/endpoints.ts";
import { isKey, KEYS_FILE, KeyFile } from "../../llm/keys.ts";
import { findOllama } from "../../llm/ollama.ts";
import {
  addressOf,
  allProviders,
  isLoopback,
  type Provider,
  providerForKey,
  providerNamed,
  shownAddress,
} from "../../llm/providers.ts";
import { findKey, keyHint, NO_MODEL, readModelName } from "../../llm/spec.ts";
import { oneLine } from "../../util/text.ts";
import type { SettingsPorts } from "../settings.ts";
import { modelFor } from "./models.ts";
import { learningModel, useForLearning } from "./use-for-learning.ts";

interface ModelConfigPorts extends Omit<SettingsPorts, "scope"> {
  readonly clock: Clock;
}

interface Loaded extends Config {
  readonly home: Workspace;
  readonly keys: KeyFile;
}

const PERSONS_ONLY = "only for the chat and for commands that you type";

/** Methods throw `invalid_config` if the home config is invalid. `warnings` are for the user; the change is made. */
export class ModelConfig {
  readonly #env: Surroundings["env"];

  constructor(private readonly ports: ModelConfigPorts) {
    this.#env = ports.surroundings.env;
  }

  /**
   * The model in use and why, or how to get one; every provider, with its key's source but never the key;
   * the models of an Ollama on this machine. An invalid `model` setting is a reason, not an error: users come here to fix it.
   */
  async list() {
    const state = this.#loaded();
    const { settings, keys } = state;
    const { model, why, hint, spec } = this.#inUse(state);
    const providers = allProviders(settings).map((provider) => {
      const { name, keyEnv: variable, own } = provider;
      const found = findKey(provider, this.#env, keys);
      const from = found === null ? null : (found.variable ?? KEYS_FILE);
      const address = shownAddress(addressOf(provider, this.#env));
      return { name, address, key: { needed: variable !== null, from, variable }, own };
    });
    return {
      model,
      learning_model: learningModel(settings),
      why,
      hint,
      address: spec === null ? null : shownAddress(spec.url),
      context_tokens: spec?.contextTokens ?? null,
      max_output_tokens: spec?.maxOutputTokens ?? null,
      providers,
      ollama: await findOllama(addressOf(providerNamed("ollama", settings), this.#env)),
    };
  }

  /** Sets the model, "provider/model"; "none" turns models off. Throws `usage`. */
  async use(name: string) {
    requireText(name, "A model's name");
    const state = this.#loaded();
    const read = name === NO_MODEL ? null : readModelName(name, state.settings);
    const model = read === null ? null : `${read.provider.name}/${read.model}`;
    await changeSetting(state.home, "model", model ?? NO_MODEL);
    const warnings = [...overridden("RETAIN_MODEL", this.#env), ...(await this.#absences(read, state))];
    return { model, file: state.home.configFile, warnings };
  }

  /** Sets the model that reads finished conversations from now on; "none" turns learning off. Throws `usage`. */
  async useForLearning(name: string) {
    requireText(name, "A model's name");
    const state = this.#loaded();
    const { home, settings } = state;
    const wanted = name === NO_MODEL ? null : name;
    const model = await useForLearning(home, settings, wanted, this.ports.clock().toISOString());
    const read = model === null ? null : readModelName(model, settings);
    const warnings = [
      ...overridden("RETAIN_LEARNING_MODEL", this.#env),
      ...(await this.#absences(read, state)),
    ];
    return { learning_model: model, file: home.configFile, warnings };
  }

  /** The provider that a key is for. Throws `usage`; the error doesn't repeat the name, which may be the key itself. */
  async providerForKey(name: string | undefined): Promise<Provider> {
    if (name !== undefined) requireText(name, "A provider's name");
    return providerForKey(name, this.#loaded().settings);
  }

  /** Stores a provider's key; null removes it. Durable on return. Throws `usage`, `invalid_input`, `unsafe`. */
  async setKey(name: string, text: string | null) {
    requireText(name, "A provider's name");
    const { settings, home, keys } = this.#loaded();
    const provider = providerForKey(name, settings).name;
    const key = text === null ? null : checkedKey(text, provider);
    await exclusively(home, () => keys.set(provider, key));
    return { provider, key: key !== null, file: keys.path };
  }

  /** Adds an endpoint, or replaces the one with the same name. Throws `exists`, `invalid_name`, `invalid_input`. */
  async addEndpoint(endpoint: ModelEndpoint) {
    checkInput("endpoint", endpoint);
    withEndpoint([], endpoint); // Validates before anything is created.
    const { action } = await changeList(this.#loaded().home, "model_endpoints", (current) =>
      withEndpoint(current, endpoint),
    );
    const { name, url, key_env = null } = endpoint;
    const isOpen = new URL(url).protocol === "http:" && !isLoopback(url);
    const warning = `${shownAddress(url)} is not https: others on the network can read the traffic.`;
    return { name, url, key_env, action, warnings: isOpen ? [warning] : [] };
  }

  /** Removes an endpoint and its key. Throws `not_found`. */
  async removeEndpoint(name: string) {
    requireText(name, "An endpoint's name");
    const { home, keys, settings } = this.#loaded();
    withoutEndpoint(settings.model_endpoints, name);
    await changeList(home, "model_endpoints", (current) => {
      const change = withoutEndpoint(current, name);
      if (keys.get(name) !== null) keys.set(name, null);
      return change;
    });
    const warning = `${settings.model} was the model in use. Choose another: ${command("model use", ANY)}`;
    return { name, warnings: settings.model.startsWith(`${name}/`) ? [warning] : [] };
  }

  #loaded(): Loaded {
    const { surroundings, flags } = this.ports;
    const { choice, config } = resolveWorkspace(surroundings, "global", flags);
    return { ...config, home: choice.home, keys: new KeyFile(choice.home.root) };
  }

  #inUse({ settings, sources, keys }: Loaded) {
    const chosen = modelFor("person", { settings, env: this.#env, keys });
    if ("none" in chosen)
      return { model: null, why: chosen.none, hint: String(chosen.hint) || null, spec: null };
    const { spec, because } = chosen;
    const why = because === null ? `from ${sources.model}` : `default, because ${because}; ${PERSONS_ONLY}`;
    return { model: `${spec.provider}/${spec.model}`, why, hint: null, spec };
  }

  /** A missing key or model is only a warning: it may be added later. */
  async #absences(read: ReturnType<typeof readModelName> | null, { keys }: Loaded): Promise<string[]> {
    if (read === null) return [];
    const { provider, model } = read;
    if (provider.keyEnv !== null && findKey(provider, this.#env, keys) === null)
      return [`No key for ${provider.name} yet. ${keyHint(provider)}`];
    if (provider.name !== "ollama") return [];
    const names = await findOllama(addressOf(provider, this.#env));
    const isThere = names.length === 0 || names.includes(model) || names.includes(`${model}:latest`);
    return isThere ? [] : [`Ollama has no model '${model}' yet. Get it: ollama pull ${model}`];
  }
}

function overridden(variable: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const value = env[variable];
  return value ? [`${variable} is set and takes precedence: ${oneLine(value)}`] : [];
}

function checkedKey(text: string, provider: string): string {
  requireText(text, "A key");
  const key = text.trim();
  if (isKey(key)) return key;
  throw new RetainError(
    "invalid_input",
    key === "" ? "The key is empty." : "Not a valid key: it must be one word of ASCII characters.",
    hint`Nothing was changed. Try again: ${command("model key", provider)}`,
  );
}
