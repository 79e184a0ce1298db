/** The language models that the settings, the environment and stored keys allow. */
import type { MissingModel, ModelOffer, Models } from "../../agent/ports.ts";
import { changeSetting } from "../../backends/workspaces.ts";
import type { Choice, Surroundings } from "../../config/workspace.ts";
import { RetainError } from "../../core/errors.ts";
import { ANY, command } from "../../core/hint.ts";
import type { ChatModel } from "../../core/model.ts";
import { openChatModel } from "../../llm/chat-model.ts";
import { KeyFile } from "../../llm/keys.ts";
import { findOllama, findServed } from "../../llm/ollama.ts";
import { priceOf } from "../../llm/prices.ts";
import { addressOf, allProviders, type Environment, isLoopback, type Provider } from "../../llm/providers.ts";
import {
  type Asker,
  type ChosenModel,
  chooseModel,
  contextTokensOf,
  findKey,
  type ModelSettings,
  type StoredKeys,
} from "../../llm/spec.ts";

interface ModelParts {
  /** A person may choose a model, or add an endpoint, at any time. */
  readonly settingsNow: () => ModelSettings;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
}

/** `announce` is called before the first request to a model that the settings don't name. */
export function openModels(
  { settingsNow, choice, surroundings: { env } }: ModelParts,
  asker: Asker,
  announce: (message: string) => void = () => {},
): Models {
  const keys = new KeyFile(choice.home.root);
  const now = () => ({ settings: settingsNow(), env, keys });
  const howTo = () => {
    const unset = { settings: { ...settingsNow(), model: "" }, env: {}, keys: { get: () => null } };
    const chosen = chooseModel({ asker, ...unset });
    return "hint" in chosen ? chosen.hint : "";
  };
  return {
    howToGetOne: howTo(),
    async open(name) {
      const chosen = chooseModel({ asker, ...now(), ...(name !== undefined && { wanted: name }) });
      if (!("spec" in chosen)) return null;
      const model = openChatModel(chosen.spec);
      return chosen.because === null ? model : announced(model, chosen.because, announce);
    },
    async use(name) {
      await changeSetting(choice.home, "model", name);
    },
    async offers() {
      const at = now();
      const found = await Promise.all(allProviders(at.settings).map((provider) => offersOf(provider, at)));
      return found.flat();
    },
    async catalog() {
      const at = now();
      const all = allProviders(at.settings);
      const found = await Promise.all(
        all.map(async (provider) => {
          const offers = await offersOf(provider, at);
          return offers.length > 0 || !isServer(provider) ? offers : servedBy(provider, at);
        }),
      );
      const missing = all.filter((_, index) => found[index]?.length === 0);
      return { ready: found.flat(), missing: missing.map((provider) => missingOf(provider, at)) };
    },
  };
}

function announced(model: ChatModel, because: string, announce: (message: string) => void): ChatModel {
  let isAnnounced = false;
  return {
    ...model,
    stream(request, signal) {
      if (!isAnnounced)
        announce(`Asking ${model.name}, because ${because}. To choose a model: ${command("model use", ANY)}`);
      isAnnounced = true;
      return model.stream(request, signal);
    },
  };
}

/** The model that would be asked, or why none would. An invalid setting is a reason, not an error. */
export function modelFor(asker: Asker, { settings, env, keys }: Access): ChosenModel {
  try {
    return chooseModel({ asker, settings, env, keys });
  } catch (error) {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return { none: error.message, hint: error.advice ?? "" };
  }
}

interface Access {
  readonly settings: ModelSettings;
  readonly env: Environment;
  readonly keys: StoredKeys;
}

/** Empty if the provider's URL or key is invalid: choosing it reports the error. */
async function offersOf(provider: Provider, at: Access): Promise<ModelOffer[]> {
  try {
    const { name, known } = provider;
    const address = addressOf(provider, at.env);
    if (name === "ollama")
      return (await findOllama(address)).map((model) =>
        offerOf(provider, model, "Ollama, on this machine", at),
      );
    const found = known.length === 0 ? null : findKey(provider, at.env, at.keys);
    if (found === null) return [];
    return known.map((model) => offerOf(provider, model, found.variable ?? "key stored", at));
  } catch (error) {
    if (error instanceof RetainError) return [];
    throw error;
  }
}

/** Whether it may run on this machine and list its models: LM Studio, or the user's own endpoint. */
function isServer({ name, own, keyEnv }: Provider): boolean {
  return keyEnv === null && (own || name === "lmstudio");
}

async function servedBy(provider: Provider, at: Access): Promise<ModelOffer[]> {
  const models = await findServed(addressOf(provider, at.env));
  return models.map((model) => offerOf(provider, model, `${provider.label}, on this machine`, at));
}

function offerOf(
  provider: Provider,
  model: string,
  detail: string,
  { settings, env }: Pick<Access, "settings" | "env">,
): ModelOffer {
  const local = isLoopback(addressOf(provider, env));
  return {
    name: `${provider.name}/${model}`,
    detail,
    price: priceOf({ provider: provider.name, model, local }),
    contextTokens: contextTokensOf(provider, settings),
  };
}

/** Selecting a model without a key explains how to set one. */
function missingOf(provider: Provider, { env, keys }: Access): MissingModel {
  const { name, label, keyEnv, known, own } = provider;
  if (keyEnv === null) return { name, needs: own ? "a model's name" : `a running ${label}` };
  if (hasKey(provider, env, keys)) return { name, needs: "a model's name" };
  return { name: `${name}/${known[0] ?? "…"}`, needs: keyEnv };
}

/** false if the stored keys cannot be read. */
function hasKey(provider: Provider, env: Environment, keys: StoredKeys): boolean {
  try {
    return findKey(provider, env, keys) !== null;
  } catch (error) {
    if (error instanceof RetainError) return false;
    throw error;
  }
}
