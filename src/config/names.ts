/**
 * The names that a setting goes by. Its own is flat (`hindsight_bank`); spec 003 writes `hindsight.retainEveryNTurns`, and calls
 * the local backend `mnemopi`. One place says what each of them means, for files, the command line and their errors.
 */
import { nearest } from "../util/text.ts";
import { isSettingKey, SETTING_KEYS, SETTINGS, type SettingKey } from "./schema.ts";

/** Settings that may stand together in a map of this name: `hindsight: {bank: work}`. */
export const GROUPS: ReadonlySet<string> = new Set(["memory", "hindsight", "local", "mnemopi"]);

/** What others call them, once their words are apart. */
const OTHER_NAMES: ReadonlyMap<string, SettingKey> = new Map([
  ["hindsight_api_url", "hindsight_url"],
  ["hindsight_bank_id", "hindsight_bank"],
]);

const NO_KEYS =
  "Keys are never kept in a config file: put it into the variable that 'hindsight_key_env' names.";

/** What others have a setting for, and Retain has not: what to do instead. */
const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  ["local_db_path", "Each bank has its own database, retain.db, in its workspace; 'retain where' shows it."],
  ["local_bank", "A bank's name follows from 'local_scoping' and the project; 'retain where' shows it."],
  ["hindsight_db_path", "The bank is on the server; 'hindsight_url' says where that is."],
  ["hindsight_api_token", NO_KEYS],
  ["hindsight_api_key", NO_KEYS],
]);

export type NamedSetting =
  | { readonly key: SettingKey }
  /** `instead` says what to do where such a setting would make no sense here. */
  | { readonly key: null; readonly flat: string; readonly instead: string | null };

/** The setting that a name stands for: `max_versions`, `memory.backend`, `mnemopi.retainEveryNTurns`. */
export function settingNamed(name: string): NamedSetting {
  if (isSettingKey(name)) return { key: name };
  const flat = flatName(name);
  const key = OTHER_NAMES.get(flat) ?? flat;
  if (isSettingKey(key) && isWritten(name)) return { key };
  return { key: null, flat, instead: MEANINGLESS.get(flat) ?? null };
}

/** Only these have other names: `maxVersions` is a mistake that is told. */
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

/** The setting that was meant by a name that is none; null where nothing is near. */
export function nearestSetting(name: string): string | null {
  return nearest(name, SETTING_KEYS) ?? nearest(flatName(name), SETTING_KEYS);
}

/** What a value says that is written as others write it: "yes" for a flag, `mnemopi` for the local backend. */
export function settingValue(key: SettingKey, value: unknown): unknown {
  if (key === "memory_backend" && value === "mnemopi") return "local";
  return typeof SETTINGS[key].default === "boolean" ? asBoolean(value) : value;
}

/** "yes" and "on" are true to those who write YAML 1.1, as spec 002's own files do. */
export function asBoolean(value: unknown): unknown {
  const word = typeof value === "string" ? value.toLowerCase() : "";
  return ["yes", "on"].includes(word) ? true : ["no", "off"].includes(word) ? false : value;
}
