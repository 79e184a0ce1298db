/** What a chat needs, joined from the memory, the models and the machine. Loaded with the first chat. */
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { ChatPorts, ModelOffer, Models } from "../agent/ports.ts";
import { findSkills } from "../agent/skills.ts";
import { workspaceTools } from "../agent/tools/table.ts";
import type { Config } from "../config/load.ts";
import type { Choice, Surroundings } from "../config/workspace.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { KeyFile } from "../llm/keys.ts";
import { lazyChatModel } from "../llm/lazy.ts";
import { findOllama } from "../llm/ollama.ts";
import { addressOf, allProviders } from "../llm/providers.ts";
import { chooseModel, findKey } from "../llm/spec.ts";
import { errorCode } from "../util/fs.ts";

/** Models that a provider is known for: offered where its key is there. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  anthropic: ["claude-haiku-4-5", "claude-sonnet-4-5", "claude-opus-4-5"],
  openai: ["gpt-5-mini", "gpt-5"],
};

export function openModels(config: Config, choice: Choice, { env }: Surroundings): Models {
  const { settings } = config;
  const keys = new KeyFile(choice.home.root);
  const howTo = () => {
    const chosen = chooseModel({ settings: { ...settings, model: "" }, env: {}, keys: { get: () => null } });
    return "hint" in chosen ? chosen.hint : "";
  };
  return {
    howToGetOne: howTo(),
    async open(name) {
      const chosen = chooseModel({ settings, env, keys, ...(name !== undefined && { wanted: name }) });
      if (!("spec" in chosen)) return null;
      return lazyChatModel(chosen.spec);
    },
    async offers() {
      const offers: ModelOffer[] = [];
      for (const provider of allProviders(settings)) {
        const found = provider.keyEnv === null ? null : findKey(provider, env, keys);
        if (found !== null)
          for (const model of KNOWN[provider.name] ?? [])
            offers.push({ name: `${provider.name}/${model}`, detail: found.variable ?? "its key is stored" });
        if (provider.name === "ollama")
          for (const model of await findOllama(addressOf(provider, env)))
            offers.push({ name: `ollama/${model}`, detail: "Ollama, on this machine" });
      }
      return offers;
    },
  };
}

export interface ChatParts
  extends Pick<
    ChatPorts,
    "sessions" | "memories" | "context" | "recall" | "clock" | "chat" | "store" | "place" | "self" | "isGone"
  > {
  readonly config: Config;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
}

export function chatPorts({ config, choice, surroundings, ...memory }: ChatParts): ChatPorts {
  const { cwd, env, homeDirectory } = surroundings;
  const project = choice.workspace.kind === "project" ? choice.workspace.root : null;
  const skills = () => findSkills(choice.home.root, project);
  const roots = [choice.home.root, ...(project === null ? [] : [project])];
  const { embedding_key_env, model_endpoints } = config.settings;
  const secrets = [embedding_key_env, ...model_endpoints.flatMap(({ key_env }) => key_env ?? [])];
  return {
    ...memory,
    models: openModels(config, choice, surroundings),
    settings: config.settings,
    cwd,
    skills,
    tools: () => workspaceTools({ cwd, env, homeDirectory, skills, roots, secrets }),
    writeNew: (name, text) => writeNew(join(cwd, name), text),
  };
}

function writeNew(path: string, text: string): string {
  try {
    const file = openSync(path, "wx");
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return path;
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      throw new RetainError("exists", `${path} is there already.`, "Move it away first.");
    throw ioError(error, `Cannot write ${path}`);
  }
}
