/** Reads and changes one config file. Errors name the line; a change leaves the rest of the file as it is. */
import { basename, dirname } from "node:path";
import { type Fields, readYaml } from "../core/documents/read-yaml.ts";
import { writeYaml, writeYamlSection } from "../core/documents/yaml-fields.ts";
import { type ErrorCode, ioError, RetainError, writeError } from "../core/errors.ts";
import { ANY, command, type Hint, hint, option } from "../core/hint.ts";
import { fsyncDirectory, isSameBytes, readIfThere, resolveLinks, writeFileAtomic } from "../util/fs.ts";
import { problemWith } from "../util/invalid-input.ts";
import { isRecord } from "../util/json.ts";
import { decodeUtf8, lowerFirst, splitBom } from "../util/text.ts";
import { GROUPS, nearestSetting, settingNamed, settingValue } from "./names.ts";
import { SETTINGS, type SettingKey, type Settings } from "./schema.ts";

export interface ConfigFile {
  readonly path: string;
  readonly values: Partial<Settings>;
  /** The file and line of a key: "path:3". */
  locationOf(key: SettingKey): string;
}

/** A workspace's config file. A project may have an `.arcaneum` file instead. */
export const CONFIG_FILE = "config.yaml";

/** The file's owner decides which settings it may contain. */
export type ConfigOwner = "user" | "project";

/**
 * null if the file doesn't exist. Throws `invalid_config` with file, line and key for an unknown or duplicate key, a wrong type,
 * or a setting not allowed for this owner. Settings are at the top level or, as in `.arcaneum`, under `retain:`.
 */
export function readConfigFile(path: string, owner: ConfigOwner): ConfigFile | null {
  const fields = readFields(path);
  if (fields === null) return null;
  if (sectionPath(fields.values).length > 0 && basename(path) === CONFIG_FILE) refuseOutside(fields, path);
  const values: Partial<Record<SettingKey, unknown>> = {};
  const locations: Partial<Record<SettingKey, string>> = {};
  for (const { name, steps, value } of written(fields.values)) {
    if (value === null || (name === "version" && value === 1)) continue;
    const location = `${path}:${fields.lineOf(...steps)}`;
    const key = checkName(name, location);
    const meant = settingValue(key, value);
    if (locations[key] !== undefined) throw setTwice(key, location, locations[key]);
    checkSetting(key, meant, owner, location);
    values[key] = meant;
    locations[key] = location;
  }
  return { path, values: values as Partial<Settings>, locationOf: (key) => locations[key] ?? path };
}

function setTwice(key: SettingKey, location: string, before: string): RetainError {
  return new RetainError(
    "invalid_config",
    `${location}: '${key}' is already set at ${before}.`,
    "Remove one of them.",
  );
}

interface Written {
  /** The flat name: "hindsight.bank" for `bank` in a map `hindsight`. */
  readonly name: string;
  /** Its path of keys from the top of the file. */
  readonly steps: readonly string[];
  readonly value: unknown;
}

/** The settings in a file, unchecked. */
function written(fields: Fields): Written[] {
  const outer = sectionPath(fields);
  return Object.entries(sectionOf(fields)).flatMap(([name, value]) => {
    const steps = [...outer, name];
    if (!GROUPS.has(name) || !isRecord(value)) return { name, steps, value };
    return Object.entries(value).map(([inner, innermost]) => {
      return { name: `${name}.${inner}`, steps: [...steps, inner], value: innermost };
    });
  });
}

/** Rejects keys outside the `retain:` section, since they would be ignored. Not for `.arcaneum`, which other tools share. */
function refuseOutside({ values, lineOf }: ConfigFields, path: string): void {
  const stray = Object.keys(values).find((key) => key !== "retain" && key !== "version");
  if (stray === undefined) return;
  const message = `${path}:${lineOf(stray)}: '${stray}' is outside the 'retain:' section, where it has no effect.`;
  throw new RetainError("invalid_config", message, "Move it into the section, or remove the line 'retain:'.");
}

export interface ConfigFields {
  readonly values: Fields;
  /** 1-based. */
  lineOf(...path: string[]): number;
}

/** The file's fields, unchecked; null if it doesn't exist. */
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
    "Fix the file. It must be YAML or JSON.",
  );
}

export function sectionOf(fields: Fields): Fields {
  return isRecord(fields.retain) ? fields.retain : fields;
}

/** The path of keys to the settings' section. */
function sectionPath(fields: Fields): string[] {
  return isRecord(fields.retain) ? ["retain"] : [];
}

/** The setting with this name. `location` is its file and line, if any. Throws `code`. */
export function checkName(
  name: string,
  location: string | null,
  code: "invalid_config" | "usage" = "invalid_config",
): SettingKey {
  const named = settingNamed(name);
  if (named.key !== null) return named.key;
  const problem = named.instead === null ? "is not a setting." : "does not apply to Retain.";
  const guess = named.instead === null ? nearestSetting(name) : null;
  // With an invalid file, `retain config` fails too, so the hint can't point to it.
  const unknown =
    location === null ? hint`To list every setting: ${command("config")}` : "Fix or remove that line.";
  const advice = guess === null ? unknown : `Did you mean '${guess}'?`;
  throw wrong(location, `'${name}' ${problem}`, named.instead ?? advice, code);
}

function wrong(
  location: string | null,
  message: string,
  advice: Hint,
  code: ErrorCode = "invalid_config",
): RetainError {
  return new RetainError(code, location === null ? message : `${location}: ${message}`, advice);
}

/** Throws `invalid_config` unless `owner` may set `key` to `value`. `location` is its file and line, if any. */
export function checkSetting(
  key: SettingKey,
  value: unknown,
  owner: ConfigOwner,
  location: string | null,
): void {
  const { schema, setBy, command: change, description } = SETTINGS[key];
  if (setBy !== "anyone" && setBy !== owner)
    throw owner === "project"
      ? wrong(
          location,
          `a project cannot set '${key}': it is a user setting.`,
          hint`Set it for yourself: ${change ?? command("config set", option("global"), key, ANY)}`,
        )
      : wrong(
          location,
          `'${key}' can only be set in a project's config.`,
          hint`Set it there with ${option("local")}.`,
        );
  const parsed = schema().safeParse(value);
  if (parsed.success) return;
  const [issue] = parsed.error.issues;
  if (issue?.code === "invalid_type")
    throw wrong(
      location,
      `${problemWith({ [key]: value }, [{ ...issue, path: [key, ...issue.path] }])}.`,
      description,
    );
  const reason = lowerFirst(issue?.message.replace(/^Invalid (?:input|option): /, "") ?? "wrong value");
  const part = issue?.path.findLast((step) => typeof step === "string");
  const where = part === undefined ? "" : `${part}: `;
  throw wrong(location, `'${key}' cannot be ${JSON.stringify(value)}: ${where}${reason}.`, description);
}

/**
 * Sets one key in place, whatever its spelling, or adds a line; undefined removes it. Durable on return. A config that is a
 * symlink, as dotfiles often are, stays one. Throws `invalid_config` for settings written as JSON, which only a person can
 * edit, and `conflict` if somebody saves the file at the same moment.
 */
export function writeSetting(path: string, key: SettingKey, value: unknown): void {
  const bytes = readConfigBytes(path);
  const source = decodeUtf8(bytes ?? new Uint8Array()) ?? "";
  const fields = readFields(path)?.values ?? {};
  const present = written(fields).filter(({ name }) => settingNamed(name).key === key);
  const [first = [...sectionPath(fields), key], ...others] = present.map(({ steps }) => steps);
  const text = others.reduce<string | null>(
    (edited, steps) => edited && withSetting(edited, steps, undefined),
    withSetting(source, first, value),
  );
  if (text === null)
    throw new RetainError(
      "invalid_config",
      `Cannot change a single setting in ${path}: it is not written as YAML lines.`,
      hint`Edit it by hand: ${command("config edit")}`,
    );
  try {
    const target = resolveLinks(path);
    writeFileAtomic(target, text, () => isSameBytes(readIfThere(target), bytes));
    fsyncDirectory(dirname(target));
  } catch (error) {
    throw writeError(error, path);
  }
}

/** null if the settings aren't written as lines. A map on a single line is reprinted. */
function withSetting(source: string, steps: readonly string[], value: unknown): string | null {
  const key = steps.at(-1) ?? "";
  const sections = steps.slice(0, -1);
  if (sections.length === 0) return writeYaml(source, { [key]: value }).source;
  const inBlock = writeYamlSection(source, sections, { [key]: value });
  if (inBlock !== null || !GROUPS.has(sections.at(-1) ?? "")) return inBlock;
  const changed = { ...mapAt(source, sections), [key]: value };
  const rest = Object.fromEntries(Object.entries(changed).filter(([, set]) => set !== undefined));
  return withSetting(source, sections, Object.keys(rest).length === 0 ? undefined : rest);
}

function mapAt(source: string, steps: readonly string[]): Fields {
  const reading = readYaml(source);
  return steps.reduce<Fields>(
    (map, step) => (isRecord(map[step]) ? map[step] : {}),
    reading.ok ? reading.fields : {},
  );
}

function readConfigBytes(path: string): Uint8Array | null {
  try {
    return readIfThere(path);
  } catch (error) {
    throw ioError(error, `Cannot read ${path}`);
  }
}
