/** The language models that the settings, the environment and stored keys allow. */
import type { ModelOffer, Models } from "../agent/ports.ts";
import { changeSetting } from "../backends/workspaces.ts";
import type { Config } from "../config/load.ts";
import type { Choice, Surroundings } from "../config/workspace.ts";
import { RetainError } from "../core/errors.ts";
import { openChatModel } from "../llm/chat-model.ts";
import { KeyFile } from "../llm/keys.ts";
import { findOllama } from "../llm/ollama.ts";
import { addressOf, allProviders, type Environment, type Provider } from "../llm/providers.ts";
import { chooseModel, findKey, type StoredKeys } from "../llm/spec.ts";

interface ModelParts {
  readonly config: Config;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
}

export function openModels({ config: { settings }, choice, surroundings: { env } }: ModelParts): Models {
  const keys = new KeyFile(choice.home.root);
  const howTo = () => {
    const chosen = chooseModel({ settings: { ...settings, model: "" }, env: {}, keys: { get: () => null } });
    return "hint" in chosen ? chosen.hint : "";
  };
  return {
    howToGetOne: howTo(),
    async open(name) {
      const chosen = chooseModel({ settings, env, keys, ...(name !== undefined && { wanted: name }) });
      return "spec" in chosen ? openChatModel(chosen.spec) : null;
    },
    async use(name) {
      await changeSetting(choice.home, "model", name);
    },
    async offers() {
      const offers: ModelOffer[] = [];
      for (const provider of allProviders(settings)) offers.push(...(await offersOf(provider, env, keys)));
      return offers;
    },
  };
}

/** Empty if the provider's URL or key is invalid: choosing it reports the error. */
async function offersOf(provider: Provider, env: Environment, keys: StoredKeys): Promise<ModelOffer[]> {
  try {
    const { name, known } = provider;
    const address = addressOf(provider, env);
    if (name === "ollama")
      return (await findOllama(address)).map((model) => {
        return { name: `${name}/${model}`, detail: "Ollama, on this machine" };
      });
    const found = known.length === 0 ? null : findKey(provider, env, keys);
    if (found === null) return [];
    const detail = found.variable ?? "key stored";
    return known.map((model) => ({ name: `${name}/${model}`, detail }));
  } catch (error) {
    if (error instanceof RetainError) return [];
    throw error;
  }
}
