import { Argument } from "commander";
import { ModelConfig } from "../../app/agent/model-config.ts";
import { surroundingsOf } from "../../app/surroundings.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import { shownAddress } from "../../llm/providers.ts";
import { NO_MODEL } from "../../llm/spec.ts";
import { askSecret } from "../ask-secret.ts";
import type { CliCommand, Context } from "../command.ts";
import type { Kind } from "../command-parser.ts";
import { readTextInput, STDIN } from "../input.ts";
import { addExamples, type CommonOptions, refuseSurplus } from "../options.ts";
import { type Cell, heading, type Output, table } from "../output.ts";
import { isTerminal } from "../tty.ts";

interface ModelOptions extends CommonOptions {
  keyEnv?: string;
  remove?: boolean;
}

type Action = ActionOf<"model">;
/** How many arguments each action accepts. */
const WORDS: Record<Action, number> = { list: 0, use: 1, learning: 1, key: 1, add: 2, remove: 1 };

const TAKEN: Record<Action, Kind> = {
  list: "text",
  use: "model",
  learning: "model",
  key: "provider",
  add: "text",
  remove: "endpoint",
};

export const model: CliCommand<ModelOptions> = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("model")).default("list"))
      .argument("[words...]", "depends on the action: a model, a provider, or an endpoint's name and address")
      .takes(([action]) => TAKEN[action as Action])
      .option("--key-env <variable>", "with 'add': the environment variable with the endpoint's key")
      .takes("text")
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
    refuseSurplus("model", name, words[WORDS[name]]);
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
    const data = await models().list();
    const { model: name, why, hint, learning_model: learning, providers, ollama } = data;
    const rows = providers.map(({ name: of, key, address }): Cell[] => [
      { text: of, style: "cyan" },
      key.from === null ? (key.needed ? "-" : "not needed") : `from ${key.from}`,
      address,
    ]);
    const lines = [
      name === null ? why : `${context.terminal.style("cyan", name)} (${why})`,
      ...(hint === null ? [] : [context.terminal.style("dim", hint)]),
      context.terminal.style("dim", `learning: ${learning ?? "off"}`),
      "",
      ...table(context.terminal, [heading("PROVIDER", "KEY", "ADDRESS"), ...rows], [2]),
      ...(ollama.length === 0 ? [] : ["", `Ollama has: ${ollama.map((of) => `ollama/${of}`).join(", ")}`]),
    ];
    return { data, text: lines.join("\n"), quiet: name ?? "" };
  },

  async use(context, [wanted]) {
    if (wanted === undefined)
      throw new RetainError(
        "usage",
        "The model's name is missing.",
        "For example: retain model use ollama/llama3.2",
      );
    const data = warned(context, await models().use(wanted));
    const line = data.model === null ? "✓ Models are off" : `✓ Now using ${data.model}`;
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async learning(context, [wanted]) {
    if (wanted === undefined)
      throw new RetainError(
        "usage",
        "The model's name is missing.",
        "For example: retain model learning ollama/llama3.2, or: retain model learning off",
      );
    const data = warned(context, await models().useForLearning(wanted === "off" ? NO_MODEL : wanted));
    const line =
      data.learning_model === null
        ? "✓ Learning is off: no model reads conversations"
        : `✓ ${data.learning_model} now reads finished conversations. Review the facts it finds: retain review`;
    return { data, text: context.terminal.style("green", line), quiet: "" };
  },

  async key(context, [name], options) {
    const provider = await models().providerForKey(name);
    const text = options.remove ? null : await readKey(provider.label);
    const data = await models().setKey(provider.name, text);
    const line = `✓ ${data.key ? "Saved" : "Removed"} the key for ${data.provider} (${data.file})`;
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
    const data = warned(context, await models().addEndpoint(endpoint));
    const headline = `✓ ${data.action === "added" ? "Added" : "Updated"} '${name}': ${shownAddress(url)}`;
    const note = `Use one of its models: retain model use ${name}/<model>`;
    const lines = [context.terminal.style("green", headline), context.terminal.style("dim", note)];
    return { data, text: lines.join("\n"), quiet: name };
  },

  async remove(context, [name]) {
    if (name === undefined)
      throw new RetainError(
        "usage",
        "The endpoint's name is missing.",
        "List the endpoints: retain model list",
      );
    const data = warned(context, await models().removeEndpoint(name));
    return { data, text: context.terminal.style("green", `✓ Removed '${name}'`), quiet: "" };
  },
};

function models() {
  return new ModelConfig({ surroundings: surroundingsOf({}), clock: () => new Date() });
}

/** Shows the warnings; returns the rest. */
function warned<T extends { readonly warnings: readonly string[] }>(context: Context, result: T) {
  const { warnings, ...data } = result;
  for (const warning of warnings) context.warn(warning);
  return data;
}

const LONGEST_KEY = 10_000;

async function readKey(label: string): Promise<string> {
  return isTerminal("stdin")
    ? await askSecret(`Key for ${label} (hidden): `)
    : await readTextInput(STDIN, LONGEST_KEY);
}
