/** The settings in force: flags over environment over project over home over defaults, each with its source. */
import { parse as parseYaml } from "yaml";
import { RetainError } from "../core/errors.ts";
import { type ConfigOwner, checkSetting, readConfigFile } from "./file.ts";
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings, variablesOf } from "./schema.ts";
import type { Choice } from "./workspace.ts";

export interface Config {
  readonly settings: Settings;
  /** Where each value comes from: "default", a variable, "flag", or "file:line". */
  readonly sources: Readonly<Record<SettingKey, string>>;
}

/** Throws `invalid_config` for the first mistake, wherever it is. */
export function loadConfig(
  choice: Choice,
  env: Readonly<Record<string, string | undefined>>,
  flags: Partial<Settings> = {},
): Config {
  const home = readConfigFile(choice.home.configFile, "user");
  const project = choice.project === null ? null : readConfigFile(choice.project.configFile, "project");
  const settings: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  const take = (key: SettingKey, value: unknown, source: string) => {
    settings[key] = value;
    sources[key] = source;
  };
  for (const [key, value] of Object.entries(flags))
    if (value !== undefined) checkSetting(key, value, "user", null);
  for (const key of SETTING_KEYS) {
    take(key, SETTINGS[key].default, "default");
    for (const file of [home, project]) {
      if (file !== null && Object.hasOwn(file.values, key)) take(key, file.values[key], file.placeOf(key));
    }
    const variable = variablesOf(key).find((name) => env[name]);
    if (variable !== undefined) take(key, parseSetting(key, env[variable] ?? "", "user", variable), variable);
    if (flags[key] !== undefined) take(key, flags[key], "flag");
  }
  return { settings: settings as Settings, sources: sources as Config["sources"] };
}

/** A setting's value from a person's typed text: "20", "true", "a,b". Throws `invalid_config`. */
export function parseSetting(
  key: SettingKey,
  text: string,
  owner: ConfigOwner,
  place: string | null,
): unknown {
  const { default: fallback, command } = SETTINGS[key];
  if (command !== null)
    throw new RetainError("usage", `'${key}' cannot be said in one word.`, `Use: ${command}`);
  const value = Array.isArray(fallback)
    ? text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
    : typeof fallback === "string"
      ? text
      : parseScalar(text, place);
  checkSetting(key, value, owner, place);
  return value;
}

function parseScalar(text: string, place: string | null): unknown {
  try {
    return parseYaml(text);
  } catch {
    throw new RetainError(
      "invalid_config",
      `${place === null ? "" : `${place}: `}${JSON.stringify(text)} cannot be read.`,
    );
  }
}
