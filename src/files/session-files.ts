/**
 * The conversation files, `sessions/<id>.jsonl`: lists and appends. Writes are durable on return. Writers hold the directory's
 * lock.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import type { FileStamp } from "../core/ports/documents.ts";
import type { GivenNumbers } from "../core/sessions/session-file.ts";
import {
  appendToFile,
  cutFile,
  ensureDirectory,
  entriesIfThere,
  fsyncDirectory,
  isTemporaryName,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../util/fs.ts";
import { sha256 } from "../util/hash.ts";
import { isRecord, parseJson } from "../util/json.ts";
import { stampOf } from "./documents.ts";
import { DirectoryWatch } from "./watch/directory-watch.ts";

const SUFFIX = ".jsonl";
const NUMBERS_FILE = "numbers.json";
const HASH_DIGITS = 12;
/** A conversation is saved message by message, so a failure affects only one. */
const HINT = "Earlier messages are saved. Check the free space and the file's permissions, then try again.";

/** The file name of a session. An imported id that isn't a valid name becomes one, with a hash to keep it unique. */
export function sessionFileName(id: string): string {
  if (/^[a-z0-9][a-z0-9_-]{0,99}$/.test(id)) return `${id}${SUFFIX}`;
  const words = id.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return `${[...words.slice(0, 4).map((word) => word.slice(0, 20)), sha256(id).slice(0, HASH_DIGITS)].join("-")}${SUFFIX}`;
}

/** The id of a session whose file no longer says it. */
export function idOfFile(name: string): string {
  return name.slice(0, -SUFFIX.length);
}

export class SessionFiles {
  #found: Map<string, FileStamp> | null = null;
  /** undefined before the second listing, null if nothing can be watched. */
  #watch: DirectoryWatch | null | undefined;

  constructor(readonly directory: string) {}

  /** Every file with its stamp. Later calls check only changed files. */
  list(): ReadonlyMap<string, FileStamp> {
    if (this.#found !== null && this.#watch === undefined) this.#watch = DirectoryWatch.open();
    const changed = this.#watch?.changedIn(this.directory) ?? null;
    if (this.#found === null || changed === null) this.#found = this.#scan();
    else for (const name of changed) this.#look(this.#found, name);
    return this.#found;
  }

  /** null if missing. Throws `io`. */
  read(name: string): Uint8Array | null {
    return this.#try("read", name, readIfThere);
  }

  /** Writes a whole file, which may be new. */
  write(name: string, text: string): FileStamp {
    return this.#try("write", name, (path) => {
      ensureDirectory(this.directory);
      writeFileAtomic(path, text);
      fsyncDirectory(this.directory);
      return this.#stamped(name);
    });
  }

  /** Appends lines to a file of this size. Throws `Outdated` if its size differs. */
  append(name: string, lines: string, size: number): FileStamp {
    return this.#try("write", name, (path) => {
      appendToFile(path, lines, size);
      return this.#stamped(name);
    });
  }

  /** Truncates a file to `size` bytes. */
  cut(name: string, size: number): FileStamp {
    return this.#try("write", name, (path) => {
      cutFile(path, size);
      return this.#stamped(name);
    });
  }

  remove(names: readonly string[]): void {
    this.#try("change", "", () => {
      for (const name of names) removeIfThere(this.#path(name));
      fsyncDirectory(this.directory);
    });
    for (const name of names) this.#found?.delete(name);
  }

  /** Removes unfinished writes of killed processes. */
  removeLeftovers(): void {
    for (const { name } of entriesIfThere(this.directory))
      if (isTemporaryName(name)) removeIfThere(this.#path(name));
  }

  numbers(): GivenNumbers {
    const kept = parseJson(new TextDecoder().decode(this.read(NUMBERS_FILE) ?? new Uint8Array()));
    const { message, session } = isRecord(kept) ? kept : {};
    return {
      message: Number.isSafeInteger(message) ? (message as number) : 0,
      session: typeof session === "string" ? session : "",
    };
  }

  keepNumbers(numbers: GivenNumbers): void {
    this.write(NUMBERS_FILE, `${JSON.stringify(numbers)}\n`);
  }

  close(): void {
    this.#watch?.close();
    this.#watch = undefined;
    this.#found = null;
  }

  #scan(): Map<string, FileStamp> {
    const found = new Map<string, FileStamp>();
    for (const { name } of this.#try("read", "", () => entriesIfThere(this.directory)))
      this.#look(found, name);
    return found;
  }

  #look(found: Map<string, FileStamp>, name: string): void {
    if (!name.endsWith(SUFFIX) || name.startsWith(".")) return;
    const stats = statSync(this.#path(name), { throwIfNoEntry: false });
    if (stats?.isFile()) found.set(name, stampOf(stats));
    else found.delete(name);
  }

  /** The stamp of a file that was just written. */
  #stamped(name: string): FileStamp {
    const stamp = stampOf(statSync(this.#path(name)));
    if (name.endsWith(SUFFIX)) this.#found?.set(name, stamp);
    return stamp;
  }

  #path(name: string): string {
    return join(this.directory, name);
  }

  #try<T>(verb: string, name: string, work: (path: string) => T): T {
    const path = this.#path(name);
    try {
      return work(path);
    } catch (error) {
      const failure = ioError(error, `Cannot ${verb} ${path}`);
      throw failure instanceof RetainError ? new RetainError(failure.code, failure.message, HINT) : failure;
    }
  }
}
