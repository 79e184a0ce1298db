import { existsSync } from "node:fs";
import { Argument } from "commander";
import { surroundingsOf } from "../../app/surroundings.ts";
import { changeSetting, prepareWorkspace } from "../../backends/workspaces.ts";
import { type ConfigOwner, readConfigFile } from "../../config/file.ts";
import { parseSetting } from "../../config/load.ts";
import { fixedValues, nearestSetting, settingNamed } from "../../config/names.ts";
import { resolveWorkspace } from "../../config/resolve-workspace.ts";
import { SETTING_KEYS, SETTINGS, type SettingKey, variablesOf } from "../../config/schema.ts";
import { type Choice, chooseWorkspace, nearestConfigFile } from "../../config/workspace.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import { oneLine } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import type { Takes } from "../command-parser.ts";
import { openEditor } from "../editor.ts";
import { addExamples } from "../options.ts";
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
    const [action, ...rest] = args;
    if (rest.length > WORDS[action as Action])
      throw new RetainError(
        "usage",
        `Unexpected argument '${rest.at(-1)}' for 'config ${action}'.`,
        "See: retain config --help",
      );
    return RUN[action as Action](context, ...rest);
  },
};

const RUN: Record<Action, (context: Context, key?: string, value?: string) => Output | Promise<Output>> = {
  list(context) {
    const { config: loaded } = resolveWorkspace(surroundingsOf({}), context.scope);
    const data = SETTING_KEYS.map((key) => ({
      key,
      value: loaded.settings[key],
      source: loaded.sources[key],
      default: SETTINGS[key].default,
      description: SETTINGS[key].description,
      variable: variablesOf(key)[0] ?? null,
    }));
    const lines = data.map(({ key, value, source, default: fallback, description }) => {
      const from = source === "default" ? "default" : `from ${source}; default ${show(fallback)}`;
      const headline = `${context.terminal.style("cyan", key)} = ${show(value)}`;
      return `${headline} ${context.terminal.style("dim", `(${from})`)}\n  ${description}`;
    });
    return { data: { settings: data }, text: lines.join("\n") };
  },

  get(context, key) {
    const name = requireKey(key);
    const { config: loaded } = resolveWorkspace(surroundingsOf({}), context.scope);
    const value = loaded.settings[name];
    return { data: { key: name, value, source: loaded.sources[name] }, text: show(value) };
  },

  async set(context, key, value) {
    const name = requireKey(key);
    if (value === undefined)
      throw new RetainError("usage", "The value is missing.", `For example: retain config set ${name} …`);
    const { workspace, owner } = target(context);
    const parsed = parseSetting(name, value, owner, null);
    await changeSetting(workspace, name, parsed, surroundingsOf({}));
    const text = `✓ ${name} = ${show(parsed)} in ${workspace.configFile}`;
    return { data: { key: name, value: parsed, file: workspace.configFile }, text, quiet: "" };
  },

  async unset(context, key) {
    const name = requireKey(key);
    const { workspace } = target(context);
    if (existsSync(workspace.configFile)) await changeSetting(workspace, name, undefined, surroundingsOf({}));
    const text = `✓ ${name} is no longer set in ${workspace.configFile}`;
    return { data: { key: name, file: workspace.configFile }, text, quiet: "" };
  },

  path(context) {
    const { workspace } = target(context);
    return { data: { file: workspace.configFile }, text: workspace.configFile };
  },

  async edit(context) {
    const file = fileToEdit(context);
    const home = readConfigFileOrNull(nearestConfigFile(surroundingsOf({}), "global"));
    await openEditor(file, home?.values.editor ?? "", context.options.json === true);
    readConfigFile(file, target(context).owner);
    return { data: { file }, text: `✓ ${file} is valid`, quiet: "" };
  },
};

/** Opens an invalid config too: the user may be about to fix it. */
function fileToEdit(context: Context): string {
  try {
    const { workspace } = target(context);
    prepareWorkspace(workspace);
    return workspace.configFile;
  } catch (error) {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return nearestConfigFile(surroundingsOf({}), context.scope);
  }
}

/**
 * The config file to change, chosen like the workspace of a document to change. A bank in the home workspace uses the user's
 * config.
 */
function target(context: Context) {
  const { workspace, home, project } = chosen(context);
  const owner: ConfigOwner = project === null ? "user" : "project";
  return { workspace: project === null ? home : workspace, owner };
}

/** Scoping settings choose the workspace too. They are ignored if the config is invalid. */
function chosen(context: Context): Choice {
  const surroundings = surroundingsOf({});
  try {
    return resolveWorkspace(surroundings, context.scope).choice;
  } catch (error) {
    if (!(error instanceof RetainError) || error.code !== "invalid_config") throw error;
    return chooseWorkspace(surroundings, context.scope);
  }
}

/** The editor must open even if the config is invalid. */
function readConfigFileOrNull(path: string) {
  try {
    return readConfigFile(path, "user");
  } catch {
    return null;
  }
}

const LISTED = "'retain config' lists every setting.";

function valuesOf(name: string): Takes {
  const { key } = settingNamed(name);
  if (key === "model" || key === "learning_model") return "model";
  return (key === null ? null : fixedValues(key)) ?? "text";
}

/** Accepts any spelling of a setting's name. */
function requireKey(name: string | undefined): SettingKey {
  if (name === undefined) throw new RetainError("usage", "The setting's name is missing.", LISTED);
  const named = settingNamed(name);
  if (named.key !== null) return named.key;
  if (named.instead !== null)
    throw new RetainError("usage", `'${name}' does not apply to Retain.`, named.instead);
  const guess = nearestSetting(name);
  const hint = guess === null ? LISTED : `Did you mean '${guess}'?`;
  throw new RetainError("usage", `'${name}' is not a setting.`, hint);
}

function show(value: unknown): string {
  return oneLine(typeof value === "string" && value !== "" ? value : JSON.stringify(value));
}
