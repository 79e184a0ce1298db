/** One config file: read with the line of every mistake, changed without touching anything else in it. */
import { basename, dirname } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { type Fields, readYaml, writeYaml, writeYamlSection } from "../core/yaml-fields.ts";
import { fsyncDirectory, readIfThere, resolveLinks, writeFileAtomic } from "../util/fs.ts";
import { decodeUtf8, nearest, splitBom } from "../util/text.ts";
import { isSettingKey, SETTING_KEYS, SETTINGS, type SettingKey, type Settings } from "./schema.ts";

export interface ConfigFile {
  readonly path: string;
  readonly values: Partial<Settings>;
  /** Where a key stands: "path:3". */
  placeOf(key: SettingKey): string;
}

/** The config of a workspace, beside spec 002's `.arcaneum`. */
export const CONFIG_FILE = "config.yaml";

/** Whose file it is decides what it may set. */
export type ConfigOwner = "user" | "project";

/**
 * null when there is no such file. Throws `invalid_config` naming file, line and key for an unknown key, a wrong type,
 * or a setting that this owner may not make. Settings may stand at the top or, as in spec 002, under `retain:`.
 */
export function readConfigFile(path: string, owner: ConfigOwner): ConfigFile | null {
  const fields = readFields(path);
  if (fields === null) return null;
  const section = sectionOf(fields.values);
  const outer = section === fields.values ? [] : ["retain"];
  const placeOf = (key: string) => `${path}:${fields.lineOf(...outer, key)}`;
  if (outer.length > 0 && basename(path) === CONFIG_FILE) refuseOutside(fields, path);
  const values = Object.entries(section)
    .filter(([key, value]) => value !== null && !(key === "version" && value === 1))
    .map(([key, value]) => [key, isFlag(key) ? asBoolean(value) : value] as const);
  for (const [key, value] of values) checkSetting(key, value, owner, placeOf(key));
  return { path, values: Object.fromEntries(values), placeOf };
}

/** Beside a `retain:` section nothing else is read, so nothing else may stand there; an `.arcaneum` is others' too. */
function refuseOutside({ values, lineOf }: ConfigFields, path: string): void {
  const stray = Object.keys(values).find((key) => key !== "retain" && key !== "version");
  if (stray === undefined) return;
  const message = `${path}:${lineOf(stray)}: '${stray}' stands outside the 'retain:' section, where it has no effect.`;
  throw new RetainError("invalid_config", message, "Move it into the section, or remove the section's head.");
}

function isFlag(key: string): boolean {
  return isSettingKey(key) && typeof SETTINGS[key].default === "boolean";
}

/** "yes" and "on" are true to those who write YAML 1.1, as spec 002's own files do. */
export function asBoolean(value: unknown): unknown {
  const word = typeof value === "string" ? value.toLowerCase() : "";
  return ["yes", "on"].includes(word) ? true : ["no", "off"].includes(word) ? false : value;
}

export interface ConfigFields {
  readonly values: Fields;
  /** Counted from 1. */
  lineOf(...path: string[]): number;
}

/** The file's fields as they are, unchecked; null when there is no such file. */
export function readFields(path: string): ConfigFields | null {
  const bytes = readConfigBytes(path);
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  if (text === null) throw new RetainError("invalid_config", `${path} is not UTF-8 text.`);
  const reading = readYaml(splitBom(text)[1]);
  if (reading.ok) return { values: reading.fields, lineOf: reading.lineOf };
  const { line, message } = reading.problem;
  throw new RetainError(
    "invalid_config",
    `${path}:${line}: ${message}`,
    "Mend the file: it is YAML (or JSON).",
  );
}

export function sectionOf(fields: Fields): Fields {
  const { retain } = fields;
  return typeof retain === "object" && retain !== null && !Array.isArray(retain)
    ? (retain as Fields)
    : fields;
}

/** Throws `invalid_config` unless `owner` may set `key` to `value`. `place` is where it stands, if in a file. */
export function checkSetting(key: string, value: unknown, owner: ConfigOwner, place: string | null): void {
  const wrong = (message: string, hint: string) =>
    new RetainError("invalid_config", place === null ? message : `${place}: ${message}`, hint);
  if (!isSettingKey(key)) {
    const guess = nearest(key, SETTING_KEYS);
    throw wrong(
      `'${key}' is not a setting.`,
      guess === null ? "'retain config' lists every setting." : `Did you mean '${guess}'?`,
    );
  }
  const { schema, setBy, command } = SETTINGS[key];
  if (setBy !== "anyone" && setBy !== owner)
    throw owner === "project"
      ? wrong(
          `a project cannot set '${key}'; it is yours to decide.`,
          `For all your work: ${command ?? `retain config set --global ${key}`} …`,
        )
      : wrong(`'${key}' belongs into a project's config.`, "Set it there, with --local.");
  const parsed = schema().safeParse(value);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  const reason = lowerFirst(issue?.message.replace(/^Invalid (?:input|option): /, "") ?? "wrong value");
  const part = issue?.path.findLast((step) => typeof step === "string");
  const where = part === undefined ? "" : `${part}: `;
  throw wrong(`'${key}' cannot be ${JSON.stringify(value)}: ${where}${reason}.`, SETTINGS[key].description);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * Sets one key, or removes it where the value is undefined; durable on return. A config that is a link, as people's
 * dotfiles are, stays one. Throws `invalid_config` where the settings stand in JSON: that is for a person to edit.
 */
export function writeSetting(path: string, key: SettingKey, value: unknown): void {
  const source = decodeUtf8(readConfigBytes(path) ?? new Uint8Array()) ?? "";
  const fields = readFields(path)?.values ?? {};
  const text =
    sectionOf(fields) === fields
      ? writeYaml(source, { [key]: value }).source
      : writeYamlSection(source, "retain", { [key]: value });
  if (text === null)
    throw new RetainError(
      "invalid_config",
      `${path} is not written in lines that could be changed one by one.`,
      "Edit it: retain config edit",
    );
  try {
    const target = resolveLinks(path);
    writeFileAtomic(target, text);
    fsyncDirectory(dirname(target));
  } catch (error) {
    throw ioError(error, `Cannot write ${path}`);
  }
}

function readConfigBytes(path: string): Uint8Array | null {
  try {
    return readIfThere(path);
  } catch (error) {
    throw ioError(error, `Cannot read ${path}`);
  }
}
