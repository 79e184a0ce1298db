/** Loads the settings with their sources. Flags override the environment, then project, home and defaults. */

import { parseYaml } from "../core/documents/read-yaml.ts";
import { RetainError } from "../core/errors.ts";
import { hint } from "../core/hint.ts";
import { type ConfigFile, type ConfigOwner, checkName, checkSetting, readConfigFile } from "./file.ts";
import { settingValue } from "./names.ts";
import { SETTING_KEYS, SETTINGS, type SettingKey, type Settings, variablesOf } from "./schema.ts";
import type { Choice } from "./workspace.ts";

export interface Config {
  readonly settings: Settings;
  /** Each value's source: "default", a variable, "flag", or "file:line". */
  readonly sources: Readonly<Record<SettingKey, string>>;
}

/** `home`: the user's config; null without one. Throws `invalid_config` for the first mistake in any layer. */
export function loadConfig(
  choice: Choice,
  env: Layers["env"],
  flags: Partial<Settings>,
  home: ConfigFile | null,
): Config {
  const project = choice.project === null ? null : readConfigFile(choice.project.configFile, "project");
  const layers = { files: [home, project], env, flags: checkedFlags(flags) };
  const settings: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const key of SETTING_KEYS) {
    const { value, source } = settingIn(layers, key);
    settings[key] = value;
    sources[key] = source;
  }
  return { settings: settings as Settings, sources: sources as Config["sources"] };
}

/** Loads a setting that a project can't change, before the project is known. Throws like `loadConfig`. */
export function loadUserSetting<K extends SettingKey>(
  key: K,
  home: ConfigFile | null,
  env: Layers["env"],
  flags: Partial<Settings>,
): Settings[K] {
  const { value } = settingIn({ files: [home], env, flags: checkedFlags(flags) }, key);
  return value as Settings[K];
}

interface Layers {
  /** Later layers override earlier ones. */
  readonly files: readonly (ConfigFile | null)[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlyMap<SettingKey, unknown>;
}

/** Reports a mistake in a layer even if a later layer overrides it. */
function settingIn({ files, env, flags }: Layers, key: SettingKey): { value: unknown; source: string } {
  let taken: ReturnType<typeof settingIn> = { value: SETTINGS[key].default, source: "default" };
  for (const file of files) {
    if (file !== null && Object.hasOwn(file.values, key))
      taken = { value: file.values[key], source: file.locationOf(key) };
  }
  const variable = variablesOf(key).find((name) => env[name]);
  if (variable !== undefined)
    taken = { value: parseSetting(key, env[variable] ?? "", "user", variable), source: variable };
  return flags.has(key) ? { value: flags.get(key), source: "flag" } : taken;
}

function checkedFlags(flags: Partial<Settings>): Map<SettingKey, unknown> {
  const given = Object.entries(flags).filter(([, value]) => value !== undefined);
  return new Map(
    given.map(([name, value]) => {
      const key = checkName(name, null);
      const meant = settingValue(key, value);
      checkSetting(key, meant, "user", null);
      return [key, meant];
    }),
  );
}

/** Parses a setting's value from text: "20", "true" (or "1"), "a,b". Throws `invalid_config`. */
export function parseSetting(
  key: SettingKey,
  text: string,
  owner: ConfigOwner,
  location: string | null,
): unknown {
  const { default: fallback, command } = SETTINGS[key];
  if (command !== null)
    throw new RetainError("usage", `'${key}' cannot be set this way.`, hint`Use: ${command}`);
  const value = Array.isArray(fallback)
    ? text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "")
    : typeof fallback === "string"
      ? text
      : typeof fallback === "boolean" && /^(?:[01]|true|false)$/.test(text)
        ? text === "1" || text === "true"
        : parseScalar(text, location);
  const meant = settingValue(key, value);
  checkSetting(key, meant, owner, location);
  return meant;
}

function parseScalar(text: string, location: string | null): unknown {
  const parsed = parseYaml(text);
  if ("value" in parsed) return parsed.value;
  throw new RetainError(
    "invalid_config",
    `${location === null ? "" : `${location}: `}${JSON.stringify(text)} is not valid: ${parsed.message}.`,
  );
}
