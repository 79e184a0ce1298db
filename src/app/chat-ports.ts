/** Builds the ports of a chat from memory, models and machine. Loaded with the first chat. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { attachmentsIn } from "../agent/attachments/attachments.ts";
import { FileList } from "../agent/attachments/file-list.ts";
import { autoRetainOf } from "../agent/auto-retain.ts";
import type { AutoRetain, ChatPorts, ModelOffer, Models } from "../agent/ports.ts";
import type { SetupState } from "../agent/setup-question.ts";
import { findSkills } from "../agent/skills/skills.ts";
import { placesOf } from "../agent/tools/places.ts";
import { workspaceTools } from "../agent/tools/table.ts";
import { changeSetting } from "../backends/workspaces.ts";
import { keysIn, namedKeyVariables } from "../config/key-variables.ts";
import type { Config } from "../config/load.ts";
import type { Choice, Surroundings } from "../config/workspace.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { REMOVED } from "../core/secrets/secret.ts";
import { GitRepository } from "../files/git/git.ts";
import { KeyFile } from "../llm/keys.ts";
import { lazyChatModel } from "../llm/lazy.ts";
import { findOllama } from "../llm/ollama.ts";
import { addressOf, allProviders, type Environment, type Provider } from "../llm/providers.ts";
import { chooseModel, findKey, type StoredKeys } from "../llm/spec.ts";
import { ensureDirectory, entriesIfThere, errorCode, writeFileAtomic, writeNewFile } from "../util/fs.ts";
import type { Wiring } from "./wiring.ts";

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

export interface ChatParts
  extends Pick<
    ChatPorts,
    | "sessions"
    | "facts"
    | "isOff"
    | "context"
    | "recall"
    | "clock"
    | "chat"
    | "store"
    | "origin"
    | "self"
    | "isGone"
    | "memoryTools"
    | "mentalModels"
    | "turnEnded"
    | "learning"
    | "incidents"
  > {
  readonly config: Config;
  readonly choice: Choice;
  readonly surroundings: Surroundings;
  readonly onUnread: Wiring["onUnread"];
  /** Sends turns to a remote backend, or else scans them here. */
  readonly keepEpisode?: AutoRetain["keep"];
}

export function chatPorts(parts: ChatParts): ChatPorts {
  const { config, choice, surroundings, keepEpisode, onUnread, ...memory } = parts;
  const { cwd, env, homeDirectory } = surroundings;
  const project = choice.project?.root ?? null;
  const skills = () => findSkills(choice.home.root, project);
  const roots = rootsOf(choice);
  const secrets = namedKeyVariables(config.settings);
  const withoutKeys = (text: string) =>
    withoutTexts(text, [...keysIn(env, secrets), ...new KeyFile(choice.home.root).all()]);
  return {
    ...memory,
    unreadWarnings: eachOnce(onUnread),
    models: openModels(config, choice, surroundings),
    settings: config.settings,
    autoRetain: autoRetainOf(config.settings, keepEpisode ?? null),
    cwd,
    skills,
    setup: setupState(choice.home.root),
    withoutKeys,
    attachments: (text) => attachmentsIn(text, placesOf(cwd, homeDirectory, roots), withoutKeys),
    tools: () => workspaceTools({ cwd, env, homeDirectory, skills, roots, secrets }),
    writeNew: (name, text) => writeNew(join(cwd, name), text),
  };
}

function setupState(home: string): SetupState {
  const marker = join(home, "setup-asked");
  const isNewHome = isEmptyDirectory(home);
  return {
    isNewHome,
    isAsked: () => existsSync(marker),
    setAsked() {
      try {
        ensureDirectory(home);
        writeFileAtomic(marker, "");
        return true;
      } catch {
        return false;
      }
    },
  };
}

/** True if there is no such directory. */
function isEmptyDirectory(path: string): boolean {
  try {
    return entriesIfThere(path).length === 0;
  } catch {
    return false;
  }
}

/** The files that `@` completes to. */
export function fileListOf(choice: Choice, { cwd, env, homeDirectory }: Surroundings): FileList {
  return new FileList(placesOf(cwd, homeDirectory, rootsOf(choice)), new GitRepository(cwd, env));
}

/** The home workspace comes first. */
function rootsOf({ home, project }: Choice): string[] {
  return [home.root, ...(project === null ? [] : [project.root])];
}

/** A shorter key could be an ordinary word. */
const SHORTEST_KEY = 8;

function withoutTexts(text: string, keys: readonly string[]): string {
  return keys
    .filter((key) => key.length >= SHORTEST_KEY)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, key) => rest.replaceAll(key, () => REMOVED), text);
}

function eachOnce(listen: Wiring["onUnread"]): ChatPorts["unreadWarnings"] {
  const known = new Set<string>();
  const untold: string[] = [];
  const end = listen((message) => {
    if (known.has(message)) return;
    known.add(message);
    untold.push(message);
  });
  return { take: () => untold.splice(0), end };
}

function writeNew(path: string, text: string): string {
  try {
    writeNewFile(path, text);
    return path;
  } catch (error) {
    if (errorCode(error) === "EEXIST")
      throw new RetainError("exists", `${path} already exists.`, "Move it away first.");
    throw ioError(error, `Cannot write ${path}`);
  }
}
