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
/** How many words may follow. */
const WORDS: Record<Action, number> = { list: 0, use: 1, learning: 1, key: 1, add: 2, remove: 1 };

export const model: CliCommand<ModelOptions> = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("model")).default("list"))
      .argument("[words...]", "a model to use, a provider whose key to give, an endpoint's name and address")
      .option("--key-env <variable>", "with 'add': the variable that holds the endpoint's key")
      .option("--remove", "with 'key': take the key away");
    addExamples(command, [
      "retain model                                   # which one is used, and why",
      "retain model use anthropic/claude-sonnet-4-5",
      "retain model use ollama/llama3.2               # 'none' switches models off",
      "retain model learning ollama/llama3.2          # it reads finished conversations; 'off' stops it",
      "retain model key openai                        # asks for it, or reads it from a pipe",
      "retain model add work https://llm.example.org/v1 --key-env WORK_KEY",
    ]);
  },

  async run(context, [action = "list", ...words], options) {
    const name = action as Action;
    if (name === "key" && words.length > 1)
      throw new RetainError(
        "usage",
        "A key is not given as an argument: other programs could see it, and the shell would remember it.",
        "Leave it out; you are asked for it. From a file: retain model key <provider> < file",
      );
    const surplus = words[WORDS[name]];
    if (surplus !== undefined)
      throw new RetainError("usage", `'model ${name}' takes no '${surplus}'.`, "See: retain model --help");
    if (options.keyEnv !== undefined && name !== "add")
      throw new RetainError("usage", "--key-env is for 'model add'.");
    if (options.remove && name !== "key")
      throw new RetainError(
        "usage",
        "--remove is for 'model key'.",
        "An endpoint: retain model remove <name>",
      );
    if (context.scope === "local")
      throw new RetainError(
        "usage",
        "Which model is used is yours to say, not a project's.",
        "Leave out --local.",
      );
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
        "A model's name is missing.",
        "For example: retain model use ollama/llama3.2",
      );
    const around = inForce();
    const { home, env } = around;
    const read = wanted === NO_MODEL ? null : readModelName(wanted, around.settings);
    const name = read === null ? null : `${read.provider.name}/${read.model}`;
    await changeSetting(home, "model", name ?? NO_MODEL);
    if (env.RETAIN_MODEL) context.warn(`RETAIN_MODEL is set, and counts more: ${oneLine(env.RETAIN_MODEL)}`);
    if (read !== null) await warnOfAbsence(context, read, around);
    const line = `✓ ${name === null ? "No model" : name} is used from now on`;
    const data = { model: name, file: home.configFile };
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async learning(context, [wanted]) {
    if (wanted === undefined)
      throw new RetainError(
        "usage",
        "A model's name is missing.",
        "For example: retain model learning ollama/llama3.2, or: retain model learning off",
      );
    const around = inForce();
    const { home, settings, env } = around;
    const isOff = wanted === "off" || wanted === NO_MODEL;
    const name = await useForLearning(home, settings, isOff ? null : wanted, new Date().toISOString());
    if (env.RETAIN_LEARNING_MODEL)
      context.warn(`RETAIN_LEARNING_MODEL is set and counts more: ${oneLine(env.RETAIN_LEARNING_MODEL)}`);
    if (name !== null) await warnOfAbsence(context, readModelName(name, settings), around);
    const line =
      name === null
        ? "✓ No model reads conversations"
        : `✓ ${name} reads finished conversations from now on. Review what it finds: retain review`;
    const data = { learning_model: name, file: home.configFile };
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async key(context, [name], options) {
    const { settings, home, keys } = inForce();
    const provider = providerForKey(name, settings);
    const text = options.remove ? null : await readKey(provider);
    await exclusively(home, () => keys.set(provider.name, text));
    const verb = text === null ? "has no key any more" : "has a key";
    const line = `✓ ${provider.name} ${verb} in ${keys.path}`;
    const data = { provider: provider.name, key: text !== null, file: keys.path };
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async add(context, [name, url], { keyEnv }) {
    if (name === undefined || url === undefined)
      throw new RetainError(
        "usage",
        "A name and an address are missing.",
        "For example: retain model add work https://llm.example.org/v1",
      );
    const endpoint = { name, url, ...(keyEnv === undefined ? {} : { key_env: keyEnv }) };
    withEndpoint([], endpoint); // What is refused is refused before anything is made.
    const { action } = await changeEndpoints(inForce().home, (current) => withEndpoint(current, endpoint));
    if (new URL(url).protocol === "http:" && !isLoopback(url))
      context.warn(`What is sent to ${shownAddress(url)} can be read on the way: it is not https.`);
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
        "An endpoint's name is missing.",
        "See which there are: retain model list",
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

/** A setting that names no model is told, not thrown: the list is where one looks then. */
function inUse({ settings, sources, env, keys }: Around) {
  try {
    const choice = chooseModel({ settings, env, keys });
    if ("none" in choice) return { name: null, why: choice.none, hint: choice.hint, spec: null };
    const { spec } = choice;
    const why = sources.model === "default" ? "by default, since its key is there" : `from ${sources.model}`;
    return { name: `${spec.provider}/${spec.model}`, why, hint: null, spec };
  } catch (error) {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return { name: null, why: error.message, hint: error.hint ?? null, spec: null };
  }
}

/** Whether there is a key, and where from; never the key. */
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

/** A key or a model may come yet, so the choice stands. */
async function warnOfAbsence(
  context: Context,
  { provider, model: name }: { provider: Provider; model: string },
  { env, keys }: Around,
): Promise<void> {
  if (provider.keyEnv !== null && findKey(provider, env, keys) === null)
    context.warn(`There is no key for ${provider.name} yet. ${keyHint(provider)}`);
  if (provider.name !== "ollama") return;
  const names = await findOllama(addressOf(provider, env));
  if (names.length > 0 && !names.includes(name) && !names.includes(`${name}:latest`))
    context.warn(`Ollama has no model '${name}' yet. Get it: ollama pull ${name}`);
}

/** What was typed is not repeated: it may be the key itself. */
function providerForKey(name: string | undefined, settings: Around["settings"]): Provider {
  const all = allProviders(settings);
  const found = all.find((provider) => provider.name === name);
  if (found !== undefined) return found;
  const names = all.map((provider) => provider.name);
  const guess = name === undefined ? null : nearest(name, names);
  throw new RetainError(
    "usage",
    name === undefined ? "A provider's name is missing." : "That is not a provider of models.",
    guess === null ? `One of: ${names.join(", ")}` : `Did you mean '${guess}'?`,
  );
}

const LONGEST_KEY = 10_000;

async function readKey(provider: Provider): Promise<string> {
  const typed = isTerminal("stdin")
    ? await askSecret(`Key for ${provider.label} (it is not shown): `)
    : await readTextInput(STDIN, LONGEST_KEY);
  const key = typed.trim();
  if (isKey(key)) return key;
  throw new RetainError(
    "invalid_input",
    key === "" ? "No key was given." : "That is not a key: it should be one word of plain characters.",
    `Nothing was changed. Try again: retain model key ${provider.name}`,
  );
}

/** Changes the list in the home config. */
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
