/**
 * Maps alternative names to settings. A setting's own name is flat (`hindsight_bank`); files and the command line may also use
 * dotted names in camel case (`hindsight.retainEveryNTurns`), and `mnemopi` for the local backend.
 */
import { command, type Hint, hint } from "../core/hint.ts";
import { nearest } from "../util/text.ts";
import { isSettingKey, SETTING_KEYS, SETTINGS, type SettingKey } from "./schema.ts";

/** Maps that may group settings: `hindsight: {bank: work}`. */
export const GROUPS: ReadonlySet<string> = new Set(["memory", "hindsight", "local", "mnemopi", "ui"]);

/** Names in other systems, in snake case. */
const OTHER_NAMES: ReadonlyMap<string, SettingKey> = new Map([
  ["hindsight_api_url", "hindsight_url"],
  ["hindsight_bank_id", "hindsight_bank"],
]);

const NO_KEYS =
  "Config files must not contain keys. Put the key into the environment variable that 'hindsight_key_env' names.";

/** Settings of other systems that Retain doesn't have, each with what to do instead. */
const MEANINGLESS: ReadonlyMap<string, Hint> = new Map<string, Hint>([
  [
    "local_db_path",
    hint`Each bank has its own database, retain.db, in its workspace. To see its path: ${command("where")}`,
  ],
  [
    "local_bank",
    hint`'local_scoping' and the project determine the bank's name. To see it: ${command("where")}`,
  ],
  ["hindsight_db_path", "The bank is on the server that 'hindsight_url' names."],
  ["hindsight_api_token", NO_KEYS],
  ["hindsight_api_key", NO_KEYS],
]);

type NamedSetting =
  | { readonly key: SettingKey }
  /** `instead`: what to do if Retain has no such setting. */
  | { readonly key: null; readonly flat: string; readonly instead: Hint | null };

/** Resolves a name such as `max_versions`, `memory.backend` or `mnemopi.retainEveryNTurns` to a setting. */
export function settingNamed(name: string): NamedSetting {
  if (isSettingKey(name)) return { key: name };
  const flat = flatName(name);
  const key = OTHER_NAMES.get(flat) ?? flat;
  if (isSettingKey(key) && isWritten(name)) return { key };
  return { key: null, flat, instead: MEANINGLESS.get(flat) ?? null };
}

/** Only grouped settings have other names: `maxVersions` is an error. */
function isWritten(name: string): boolean {
  const [group = "", ...rest] = name.split(".");
  return rest.length === 1 && GROUPS.has(group);
}

function flatName(name: string): string {
  const words = name
    .replace(/^mnemopi\./, "local.")
    .replaceAll(".", "_")
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_")
    .toLowerCase();
  return words.replace(/^hindsight_(?=mental_models?_)/, "");
}

/** The setting closest to an unknown name; null if none is close. */
export function nearestSetting(name: string): string | null {
  return nearest(name, SETTING_KEYS) ?? nearest(flatName(name), SETTING_KEYS);
}

/** The values of a setting that has a fixed set of them, else null. */
export function fixedValues(key: SettingKey): readonly string[] | null {
  const { def } = SETTINGS[key].schema();
  if (def.type === "boolean") return ["true", "false"];
  return def.type === "enum" && "entries" in def
    ? Object.values(def.entries as Record<string, string>)
    : null;
}

/** Translates values of other systems and earlier versions: "yes" for a boolean, `mnemopi` for the local backend. */
export function settingValue(key: SettingKey, value: unknown): unknown {
  if (key === "memory_backend" && value === "mnemopi") return "local";
  if (key === "local_scoping" && value === "auto") return SETTINGS.local_scoping.default;
  return typeof SETTINGS[key].default === "boolean" ? asBoolean(value) : value;
}

/** "yes" and "on" are true in YAML 1.1, which `.arcaneum` files use. */
export function asBoolean(value: unknown): unknown {
  const word = typeof value === "string" ? value.toLowerCase() : "";
  return ["yes", "on"].includes(word) ? true : ["no", "off"].includes(word) ? false : value;
}
