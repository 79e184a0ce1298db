/**
 * Keys that a person gave by `retain model key`: a file of their own in the home workspace, for its owner's eyes alone. What
 * it holds is in no message, whatever is wrong with it.
 */
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fields, readYaml } from "../core/documents/read-yaml.ts";
import { writeYaml } from "../core/documents/yaml-fields.ts";
import { ioError, RetainError } from "../core/errors.ts";
import { fsyncDirectory, isAbsence, readIfThere, resolveLinks, writeFileAtomic } from "../util/fs.ts";
import { decodeUtf8, shellWord } from "../util/text.ts";
import type { StoredKeys } from "./spec.ts";

export const KEYS_FILE = "keys.yaml";
const FOR_OTHERS = 0o077;
const HEAD =
  "# Keys of model providers, for your eyes alone. Change them with: retain model key <provider>\n";

export class KeyFile implements StoredKeys {
  readonly path: string;
  #read: Fields | undefined;

  /** Of the home workspace in this directory. Nothing is read yet. */
  constructor(root: string) {
    this.path = join(root, KEYS_FILE);
  }

  /** null where there is none. Throws `unsafe` where others may read the file, `invalid_config` where it makes no sense. */
  get(provider: string): string | null {
    this.#read ??= this.#fields();
    const key = Object.hasOwn(this.#read, provider) ? this.#read[provider] : null;
    if (key === null || key === undefined) return null;
    if (typeof key === "string" && isKey(key)) return key;
    throw new RetainError(
      "invalid_config",
      `${this.path}: what stands for '${provider}' is not a key.`,
      `Give it again: retain model key ${provider}`,
    );
  }

  /** All there are. None where the file can't be used: then no key of it is. */
  all(): string[] {
    try {
      return Object.values(this.#fields()).filter((key) => typeof key === "string");
    } catch {
      return [];
    }
  }

  /** Stores a key, or takes it away where it is null; durable on return. Call it under the workspace's lock. Throws as `get`. */
  set(provider: string, key: string | null): void {
    const source = this.#source() ?? HEAD;
    this.#read = undefined;
    const text = writeYaml(source, { [provider]: key ?? undefined }).source;
    try {
      const target = resolveLinks(this.path);
      this.#keepFromGit();
      writeFileAtomic(target, text);
      fsyncDirectory(dirname(target));
    } catch (error) {
      throw ioError(error, `Cannot write ${this.path}`);
    }
  }

  /** People keep their home workspace in git; workspaces from before there were keys do not know of them. */
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

  /** Readable YAML, or null where there is no file. */
  #source(): string | null {
    const bytes = this.#bytes();
    if (bytes === null) return null;
    const text = decodeUtf8(bytes);
    const reading = text === null ? null : readYaml(text);
    if (text !== null && reading?.ok) return text;
    const line = reading?.ok === false ? `:${reading.problem.line}` : "";
    throw new RetainError(
      "invalid_config",
      `${this.path}${line} cannot be read: it should be lines of 'provider: key'.`,
      "Mend the file, or remove it and give the keys again: retain model key <provider>",
    );
  }

  #bytes(): Uint8Array | null {
    try {
      if ((statSync(this.path).mode & FOR_OTHERS) !== 0)
        throw new RetainError(
          "unsafe",
          `${this.path} holds keys, and others may read it.`,
          `Make it your own: chmod 600 ${shellWord(this.path)}`,
        );
      return readIfThere(this.path);
    } catch (error) {
      if (isAbsence(error)) return null;
      throw ioError(error, `Cannot read ${this.path}`);
    }
  }
}

/** Whether a text could be a key: it goes into a header, so it is one word of plain characters. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,4000}$/.test(text);
}
