/**
 * The API keys stored with `retain model key`: a file in the home workspace that only its owner may read. No error message contains
 * any of its contents.
 */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fields, readYaml } from "../core/documents/read-yaml.ts";
import { writeYaml } from "../core/documents/yaml-fields.ts";
import { ioError, RetainError, writeError } from "../core/errors.ts";
import { command, hint, slot } from "../core/hint.ts";
import { fsyncDirectory, isAbsence, readIfThere, resolveLinks, writeFileAtomic } from "../util/fs.ts";
import { shellWord } from "../util/shell-word.ts";
import { decodeUtf8 } from "../util/text.ts";
import type { StoredKeys } from "./spec.ts";

export const KEYS_FILE = "keys.yaml";
const FOR_OTHERS = 0o077;
const STORE = command("model key", slot("provider"));
const HEAD = `# Keys of model providers, for your eyes alone. Change them with: ${STORE}\n`;

export class KeyFile implements StoredKeys {
  readonly path: string;
  #read: Fields | undefined;

  /** `root` is the home workspace. Reads nothing yet. */
  constructor(root: string) {
    this.path = join(root, KEYS_FILE);
  }

  /** null if there is none. Throws `unsafe` if others may read the file, `invalid_config` if it is invalid. */
  get(provider: string): string | null {
    this.#read ??= this.#fields();
    const key = Object.hasOwn(this.#read, provider) ? this.#read[provider] : null;
    if (key === null || key === undefined) return null;
    if (typeof key === "string" && isKey(key)) return key;
    throw new RetainError(
      "invalid_config",
      `${this.path}: the value for '${provider}' is not a valid key.`,
      hint`Store it again: ${command("model key", provider)}`,
    );
  }

  /** All keys. Empty if the file is unusable, since no key is read from it then. */
  all(): string[] {
    try {
      return Object.values(this.#fields()).filter((key) => typeof key === "string");
    } catch {
      return [];
    }
  }

  /** Stores a key; null removes it. Durable on return. Call it while holding the workspace's lock. Throws like `get`. */
  set(provider: string, key: string | null): void {
    const source = this.#source();
    this.#read = undefined;
    const text = writeYaml(source ?? HEAD, { [provider]: key ?? undefined }).source;
    try {
      const target = resolveLinks(this.path);
      this.#keepFromGit();
      writeFileAtomic(target, text, () => this.#source() === source);
      fsyncDirectory(dirname(target));
    } catch (error) {
      throw writeError(error, this.path);
    }
  }

  /** People keep their home workspace in git, and an older workspace's .gitignore lacks the keys file. */
  #keepFromGit(): void {
    const path = join(dirname(this.path), ".gitignore");
    const text = decodeUtf8(readIfThere(path) ?? new Uint8Array());
    if (text === null || text.split(/\r?\n/).includes(KEYS_FILE)) return;
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    writeFileAtomic(resolveLinks(path), `${start}${KEYS_FILE}\n`);
  }

  #fields(): Fields {
    const source = this.#source();
    if (source === null) return {};
    const reading = readYaml(source);
    return reading.ok ? reading.fields : {};
  }

  /** Valid YAML, or null if there is no file. */
  #source(): string | null {
    const bytes = this.#bytes();
    if (bytes === null) return null;
    const text = decodeUtf8(bytes);
    const reading = text === null ? null : readYaml(text);
    if (text !== null && reading?.ok) return text;
    const line = reading?.ok === false ? `:${reading.problem.line}` : "";
    throw new RetainError(
      "invalid_config",
      `${this.path}${line} is invalid: expected lines of 'provider: key'.`,
      hint`Fix the file, or remove it and store the keys again: ${STORE}`,
    );
  }

  #bytes(): Uint8Array | null {
    try {
      if ((statSync(this.path).mode & FOR_OTHERS) !== 0)
        throw new RetainError(
          "unsafe",
          `Other users can read ${this.path}, which contains keys.`,
          `Restrict it: chmod 600 ${shellWord(this.path)}`,
        );
      return readIfThere(this.path);
    } catch (error) {
      if (isAbsence(error)) return null;
      throw ioError(error, `Cannot read ${this.path}`);
    }
  }
}

/** Whether a text could be a key. It goes into a header, so it must be one word of printable ASCII. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4000}$/.test(text);
}
