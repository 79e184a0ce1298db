import { Argument } from "commander";
import { surroundingsOf } from "../../app/surroundings.ts";
import { learningModel, useForLearning } from "../../app/use-for-learning.ts";
import { changeSetting, exclusively } from "../../backends/workspaces.ts";
import { readConfigFile, writeSetting } from "../../config/file.ts";
import { loadConfig } from "../../config/load.ts";
import type { ModelEndpoint } from "../../config/shapes.ts";
import { chooseWorkspace, type Workspace } from "../../config/workspace.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import { withEndpoint, withoutEndpoint } from "../../llm/endpoints.ts";
import { isKey, KEYS_FILE, KeyFile } from "../../llm/keys.ts";
import { findOllama } from "../../llm/ollama.ts";
import {
  addressOf,
  allProviders,
  isLoopback,
  type Provider,
  providerNamed,
  shownAddress,
} from "../../llm/providers.ts";
import { chooseModel, findKey, keyHint, NO_MODEL, readModelName } from "../../llm/spec.ts";
import { nearest, oneLine } from "../../util/text.ts";
import { askSecret } from "../ask-secret.ts";
import type { CliCommand, Context } from "../command.ts";
import { readTextInput, STDIN } from "../input.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Cell, heading, type Output, table } from "../output.ts";
import { isTerminal } from "../tty.ts";

interface ModelOptions extends CommonOptions {
  keyEnv?: string;
  remove?: boolean;
}

type Action = ActionOf<"model">;
/** How many arguments each action accepts. */
const WORDS: Record<Action, number> = { list: 0, use: 1, learning: 1, key: 1, add: 2, remove: 1 };

export const model: CliCommand<ModelOptions> = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("model")).default("list"))
      .argument("[words...]", "depends on the action: a model, a provider, or an endpoint's name and address")
      .option("--key-env <variable>", "with 'add': the environment variable with the endpoint's key")
      .option("--remove", "with 'key': delete the stored key");
    addExamples(command, [
      "retain model                                   # show the model in use, and why",
      "retain model use anthropic/claude-sonnet-4-5",
      "retain model use ollama/llama3.2               # 'none' turns models off",
      "retain model learning ollama/llama3.2          # reads finished conversations; 'off' stops it",
      "retain model key openai                        # prompts for the key, or reads it from stdin",
      "retain model add work https://llm.example.org/v1 --key-env WORK_KEY",
    ]);
  },

  async run(context, [action = "list", ...words], options) {
    const name = action as Action;
    if (name === "key" && words.length > 1)
      throw new RetainError(
        "usage",
        "Don't pass a key as an argument: other programs and the shell's history could see it.",
        "Omit it, and Retain prompts for it. From a file: retain model key <provider> < file",
      );
    const surplus = words[WORDS[name]];
    if (surplus !== undefined)
      throw new RetainError(
        "usage",
        `Unexpected argument '${surplus}' for 'model ${name}'.`,
        "See: retain model --help",
      );
    if (options.keyEnv !== undefined && name !== "add")
      throw new RetainError("usage", "--key-env only works with 'model add'.");
    if (options.remove && name !== "key")
      throw new RetainError(
        "usage",
        "--remove only works with 'model key'.",
        "To remove an endpoint: retain model remove <name>",
      );
    if (context.scope === "local")
      throw new RetainError("usage", "The model is a user setting, not a project's.", "Omit --local.");
    return RUN[name](context, words, options);
  },
};

type Run = (context: Context, words: readonly string[], options: ModelOptions) => Promise<Output>;

const RUN: Record<Action, Run> = {
  async list(context) {
    const { settings, env, keys, ...rest } = inForce();
    const { name, why, hint, spec } = inUse({ settings, env, keys, ...rest });
    const providers = allProviders(settings).map((provider) => described(provider, env, keys));
    const ollama = await findOllama(addressOf(providerNamed("ollama", settings), env));
    const rows = providers.map(({ name: of, key, address }): Cell[] => [
      { text: of, style: "cyan" },
      key.from === null ? (key.needed ? "-" : "not needed") : `from ${key.from}`,
      address,
    ]);
    const lines = [
      name === null ? why : `${context.terminal.style("cyan", name)} (${why})`,
      ...(hint === null ? [] : [context.terminal.style("dim", hint)]),
      context.terminal.style("dim", `learning: ${learningModel(settings) ?? "off"}`),
      "",
      ...table(context.terminal, [heading("PROVIDER", "KEY", "ADDRESS"), ...rows], [2]),
      ...(ollama.length === 0 ? [] : ["", `Ollama has: ${ollama.map((of) => `ollama/${of}`).join(", ")}`]),
    ];
    const data = {
      model: name,
      learning_model: learningModel(settings),
      why,
      hint,
      address: spec === null ? null : shownAddress(spec.url),
      context_tokens: spec?.contextTokens ?? null,
      max_output_tokens: spec?.maxOutputTokens ?? null,
      providers,
      ollama,
    };
    return { data, text: lines.join("\n"), quiet: name ?? "" };
  },

  async use(context, [wanted]) {
    if (wanted === undefined)
      throw new RetainError(
        "usage",
        "The model's name is missing.",
        "For example: retain model use ollama/llama3.2",
      );
    const around = inForce();
    const { home, env } = around;
    const read = wanted === NO_MODEL ? null : readModelName(wanted, around.settings);
    const name = read === null ? null : `${read.provider.name}/${read.model}`;
    await changeSetting(home, "model", name ?? NO_MODEL);
    if (env.RETAIN_MODEL)
      context.warn(`RETAIN_MODEL is set and takes precedence: ${oneLine(env.RETAIN_MODEL)}`);
    if (read !== null) await warnOfAbsence(context, read, around);
    const line = name === null ? "✓ Models are off" : `✓ Now using ${name}`;
    const data = { model: name, file: home.configFile };
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async learning(context, [wanted]) {
    if (wanted === undefined)
      throw new RetainError(
        "usage",
        "The model's name is missing.",
        "For example: retain model learning ollama/llama3.2, or: retain model learning off",
      );
    const around = inForce();
    const { home, settings, env } = around;
    const isOff = wanted === "off" || wanted === NO_MODEL;
    const name = await useForLearning(home, settings, isOff ? null : wanted, new Date().toISOString());
    if (env.RETAIN_LEARNING_MODEL)
      context.warn(
        `RETAIN_LEARNING_MODEL is set and takes precedence: ${oneLine(env.RETAIN_LEARNING_MODEL)}`,
      );
    if (name !== null) await warnOfAbsence(context, readModelName(name, settings), around);
    const line =
      name === null
        ? "✓ Learning is off: no model reads conversations"
        : `✓ ${name} now reads finished conversations. Review the facts it finds: retain review`;
    const data = { learning_model: name, file: home.configFile };
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async key(context, [name], options) {
    const { settings, home, keys } = inForce();
    const provider = providerForKey(name, settings);
    const text = options.remove ? null : await readKey(provider);
    await exclusively(home, () => keys.set(provider.name, text));
    const verb = text === null ? "Removed" : "Saved";
    const line = `✓ ${verb} the key for ${provider.name} (${keys.path})`;
    const data = { provider: provider.name, key: text !== null, file: keys.path };
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async add(context, [name, url], { keyEnv }) {
    if (name === undefined || url === undefined)
      throw new RetainError(
        "usage",
        "The endpoint's name or address is missing.",
        "For example: retain model add work https://llm.example.org/v1",
      );
    const endpoint = { name, url, ...(keyEnv === undefined ? {} : { key_env: keyEnv }) };
    withEndpoint([], endpoint); // Validates before anything is created.
    const { action } = await changeEndpoints(inForce().home, (current) => withEndpoint(current, endpoint));
    if (new URL(url).protocol === "http:" && !isLoopback(url))
      context.warn(`${shownAddress(url)} is not https: others on the network can read the traffic.`);
    const headline = `✓ ${action === "added" ? "Added" : "Updated"} '${name}': ${shownAddress(url)}`;
    const note = `Use one of its models: retain model use ${name}/<model>`;
    const lines = [context.terminal.style("green", headline), context.terminal.style("dim", note)];
    const data = { name, url, key_env: keyEnv ?? null, action };
    return { data, text: lines.join("\n"), quiet: name };
  },

  async remove(context, [name]) {
    if (name === undefined)
      throw new RetainError(
        "usage",
        "The endpoint's name is missing.",
        "List the endpoints: retain model list",
      );
    const { home, keys, settings } = inForce();
    withoutEndpoint(settings.model_endpoints, name);
    await changeEndpoints(home, (current) => {
      const endpoints = withoutEndpoint(current, name);
      if (keys.get(name) !== null) keys.set(name, null);
      return { endpoints };
    });
    if (settings.model.startsWith(`${name}/`))
      context.warn(`${settings.model} was the model in use. Choose another: retain model use …`);
    return { data: { name }, text: context.terminal.style("green", `✓ Removed '${name}'`), quiet: "" };
  },
};

type Around = ReturnType<typeof inForce>;

function inForce() {
  const surroundings = surroundingsOf({});
  const choice = chooseWorkspace(surroundings, "global");
  const { settings, sources } = loadConfig(choice, surroundings.env);
  const { home } = choice;
  return { home, settings, sources, env: surroundings.env, keys: new KeyFile(home.root) };
}

/** An invalid `model` setting becomes part of the list, not an error: users come here to fix it. */
function inUse({ settings, sources, env, keys }: Around) {
  try {
    const choice = chooseModel({ settings, env, keys });
    if ("none" in choice) return { name: null, why: choice.none, hint: String(choice.hint), spec: null };
    const { spec } = choice;
    const why = sources.model === "default" ? "default, because its key is set" : `from ${sources.model}`;
    return { name: `${spec.provider}/${spec.model}`, why, hint: null, spec };
  } catch (error) {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return { name: null, why: error.message, hint: error.hint ?? null, spec: null };
  }
}

/** Whether there is a key and where it comes from, but never the key. */
function described(provider: Provider, env: Around["env"], keys: KeyFile) {
  const found = findKey(provider, env, keys);
  const from = found === null ? null : (found.variable ?? KEYS_FILE);
  return {
    name: provider.name,
    address: shownAddress(addressOf(provider, env)),
    key: { needed: provider.keyEnv !== null, from, variable: provider.keyEnv },
    own: provider.own,
  };
}

/** A missing key or model is only a warning: it may be added later. */
async function warnOfAbsence(
  context: Context,
  { provider, model: name }: { provider: Provider; model: string },
  { env, keys }: Around,
): Promise<void> {
  if (provider.keyEnv !== null && findKey(provider, env, keys) === null)
    context.warn(`No key for ${provider.name} yet. ${keyHint(provider)}`);
  if (provider.name !== "ollama") return;
  const names = await findOllama(addressOf(provider, env));
  if (names.length > 0 && !names.includes(name) && !names.includes(`${name}:latest`))
    context.warn(`Ollama has no model '${name}' yet. Get it: ollama pull ${name}`);
}

/** The error must not repeat the argument: it may be the key itself. */
function providerForKey(name: string | undefined, settings: Around["settings"]): Provider {
  const all = allProviders(settings);
  const found = all.find((provider) => provider.name === name);
  if (found !== undefined) return found;
  const names = all.map((provider) => provider.name);
  const guess = name === undefined ? null : nearest(name, names);
  throw new RetainError(
    "usage",
    name === undefined ? "The provider's name is missing." : "Unknown provider.",
    guess === null ? `One of: ${names.join(", ")}` : `Did you mean '${guess}'?`,
  );
}

const LONGEST_KEY = 10_000;

async function readKey(provider: Provider): Promise<string> {
  const typed = isTerminal("stdin")
    ? await askSecret(`Key for ${provider.label} (hidden): `)
    : await readTextInput(STDIN, LONGEST_KEY);
  const key = typed.trim();
  if (isKey(key)) return key;
  throw new RetainError(
    "invalid_input",
    key === "" ? "The key is empty." : "Not a valid key: it must be one word of ASCII characters.",
    `Nothing was changed. Try again: retain model key ${provider.name}`,
  );
}

/** Changes the endpoints in the home config. */
function changeEndpoints<T extends { readonly endpoints: readonly ModelEndpoint[] }>(
  home: Workspace,
  change: (current: readonly ModelEndpoint[]) => T,
): Promise<T> {
  return exclusively(home, () => {
    const current = readConfigFile(home.configFile, "user")?.values.model_endpoints ?? [];
    const result = change(current);
    const list = result.endpoints.length === 0 ? undefined : result.endpoints;
    writeSetting(home.configFile, "model_endpoints", list);
    return result;
  });
}
