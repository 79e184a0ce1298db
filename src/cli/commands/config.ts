import { Argument } from "commander";
import { openSettings } from "../../app/settings.ts";
import { surroundingsOf } from "../../app/surroundings.ts";
import { checkName } from "../../config/file.ts";
import { fixedValues, settingNamed } from "../../config/names.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import { oneLine } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import type { Takes } from "../command-parser.ts";
import { openEditor } from "../editor.ts";
import { addExamples, refuseSurplus } from "../options.ts";
import type { Output } from "../output.ts";

type Action = ActionOf<"config">;
/** How many arguments each action accepts. */
const WORDS: Record<Action, number> = { list: 0, get: 1, set: 2, unset: 1, path: 0, edit: 0 };

export const config: CliCommand = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("config")).default("list"))
      .argument("[key]", "the setting's name")
      .takes(([action]) => (WORDS[action as Action] > 0 ? "setting" : "text"))
      .argument("[value]", "its new value; separate list items with commas")
      .takes(([action, key]) => (action === "set" && key !== undefined ? valuesOf(key) : "text"));
    addExamples(command, [
      "retain config",
      "retain config get max_versions",
      "retain config set --global created_by Ada",
      "retain config edit --local",
    ]);
  },

  async run(context, args) {
    const [action = "list", ...rest] = args;
    refuseSurplus("config", action, rest.slice(WORDS[action as Action]).at(-1));
    return RUN[action as Action](context, ...rest);
  },
};

const RUN: Record<Action, (context: Context, key?: string, value?: string) => Promise<Output>> = {
  async list(context) {
    const settings = await settingsOf(context).list();
    const lines = settings.map(({ key, value, source, default: fallback, description }) => {
      const from = source === "default" ? "default" : `from ${source}; default ${show(fallback)}`;
      const headline = `${context.terminal.style("cyan", key)} = ${show(value)}`;
      return `${headline} ${context.terminal.style("dim", `(${from})`)}\n  ${description}`;
    });
    return { data: { settings }, text: lines.join("\n") };
  },

  async get(context, name) {
    const data = await settingsOf(context).get(requireName(name));
    return { data, text: show(data.value) };
  },

  async set(context, given, value) {
    const name = checkName(requireName(given), null, "usage");
    if (value === undefined)
      throw new RetainError("usage", "The value is missing.", `For example: retain config set ${name} …`);
    const data = await settingsOf(context).set(name, value);
    return { data, text: `✓ ${data.key} = ${show(data.value)} in ${data.file}`, quiet: "" };
  },

  async unset(context, name) {
    const data = await settingsOf(context).unset(requireName(name));
    return { data, text: `✓ ${data.key} is no longer set in ${data.file}`, quiet: "" };
  },

  async path(context) {
    const file = await settingsOf(context).file();
    return { data: { file }, text: file };
  },

  async edit(context) {
    const isJson = context.options.json === true;
    const file = await settingsOf(context).edit((path, editor) => openEditor(path, editor, isJson));
    return { data: { file }, text: `✓ ${file} is valid`, quiet: "" };
  },
};

/** Opens no memory, so it works with an invalid config too. */
function settingsOf({ scope }: Context) {
  return openSettings({ surroundings: surroundingsOf({}), scope });
}

function valuesOf(name: string): Takes {
  const { key } = settingNamed(name);
  if (key === "model" || key === "learning_model") return "model";
  return (key === null ? null : fixedValues(key)) ?? "text";
}

function requireName(name: string | undefined): string {
  if (name !== undefined) return name;
  throw new RetainError("usage", "The setting's name is missing.", "'retain config' lists every setting.");
}

function show(value: unknown): string {
  return oneLine(typeof value === "string" && value !== "" ? value : JSON.stringify(value));
}
