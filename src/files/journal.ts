/**
 * Changes of several files that happen as one, and can be taken back. What is to change is written down first, durably;
 * whoever finds a change that its process did not finish, finishes it. What is written down is only what differs, and
 * stays for `undo`.
 */

import { existsSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import type { Change, ChangedFile } from "../core/ports.ts";
import {
  ensureDirectory,
  entriesIfThere,
  fsyncDirectory,
  isInside,
  Outdated,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";
import { sha256 } from "../util/hash.ts";
import { decodeUtf8 } from "../util/text.ts";

/** How many changes can be taken back. */
const MOST_KEPT = 50;
const RECORD = /^(\d{8})(\.pending)?\.json$/;

/** The difference between two states of a file: what stands at `at` in the one and in the other. */
interface Difference {
  readonly path: string;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  /** Hashes of the whole; null where there is no file. */
  readonly before: string | null;
  readonly after: string | null;
}

interface Record {
  readonly label: string;
  readonly at: string;
  readonly files: readonly Difference[];
  /** The number of the change that this one takes back. */
  readonly undoes?: number;
}

/** All of it works while the workspace's lock is held. */
export class Journal {
  readonly #directory: string;

  /**
   * Paths of files are below `root`. A project comes from strangers, its `.undo` too: a record is used only where `allows`
   * says yes to every path in it.
   */
  constructor(
    private readonly root: string,
    private readonly allows: (path: string) => boolean,
  ) {
    this.#directory = join(root, ".undo");
  }

  /** Whether a process died in the middle of a change. */
  get unfinished(): boolean {
    return this.#records().some(({ pending }) => pending);
  }

  /**
   * Makes all the changes, durably. Throws `conflict`, with nothing changed, where a file is not what `before` says any more;
   * `io` where it cannot be written, and what was begun by then is finished by the next one.
   */
  change(label: string, at: string, files: readonly ChangedFile[]): void {
    const differences = files.filter(({ before, after }) => before !== after).map(differenceOf);
    if (differences.length > 0) this.#make({ label, at, files: differences });
  }

  /** Finishes what a process that died had begun. A file that somebody changed meanwhile stays as it is. */
  recover(): void {
    for (const { number, pending } of this.#records())
      if (pending) this.#finish(number, this.#read(number, true), "skip");
  }

  /** The newest first; those that cannot be read are passed over. */
  list(): Change[] {
    return this.#records()
      .filter(({ pending }) => !pending)
      .reverse()
      .flatMap(({ number }) => {
        const record = this.#read(number, false);
        return record === null
          ? []
          : { number, label: record.label, at: record.at, files: this.#described(record) };
      });
  }

  /** Takes a change back. Throws `conflict`, with nothing changed, where a file says something else by now. */
  undo(number: number, at: string): void {
    const record = this.#read(number, false);
    if (record === null) throw new RetainError("not_found", "There is nothing to take back.");
    const files = record.files.map((difference) => {
      const now = this.#content(difference.path);
      return differenceOf({ path: difference.path, before: now, after: takenBack(now, difference) });
    });
    this.#make({ label: `undo of ${record.label}`, at, files, undoes: number });
  }

  /** Makes it one that cannot be taken back any more. */
  drop(number: number): void {
    removeIfThere(this.#pathOf(number, false));
    fsyncDirectory(this.#directory);
  }

  /** Changes what is kept for undo: for a text that nothing may hold any more. null drops the change. */
  rewrite(edit: (text: string) => string | null): void {
    for (const { number, pending } of this.#records()) {
      const path = this.#pathOf(number, pending);
      const content = decodeUtf8(readIfThere(path) ?? new Uint8Array()) ?? "";
      const edited = edit(content);
      if (edited === null) removeIfThere(path);
      else if (edited !== content) writeFileAtomic(path, edited);
    }
    if (existsSync(this.#directory)) fsyncDirectory(this.#directory);
  }

  #make(record: Record): void {
    const number = (this.#records().at(-1)?.number ?? 0) + 1;
    try {
      this.#prepare();
      writeFileAtomic(this.#pathOf(number, true), `${JSON.stringify(record)}\n`);
      fsyncDirectory(this.#directory);
      this.#finish(number, record, "take back");
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
  }

  /** `changed` says what to do where somebody changed a file meanwhile: leave that one alone, or take all back and throw. */
  #finish(number: number, record: Record | null, changed: "skip" | "take back"): void {
    const directories = new Set<string>();
    const done: Difference[] = [];
    for (const difference of record?.files ?? []) {
      if (this.#apply(difference)) done.push(difference);
      else if (changed === "take back") {
        for (const made of done) this.#apply(reversed(made));
        removeIfThere(this.#pathOf(number, true));
        throw changedMeanwhile(difference.path);
      }
      directories.add(dirname(join(this.root, difference.path)));
    }
    for (const directory of directories) fsyncDirectory(directory);
    if (record === null || record.undoes !== undefined) {
      if (record?.undoes !== undefined) removeIfThere(this.#pathOf(record.undoes, false));
      removeIfThere(this.#pathOf(number, true));
    } else {
      renameSync(this.#pathOf(number, true), this.#pathOf(number, false));
      for (const { number: old } of this.#records().slice(0, -MOST_KEPT))
        removeIfThere(this.#pathOf(old, false));
    }
    fsyncDirectory(this.#directory);
  }

  /** false where the file is not in the state that the change begins with, nor in the one that it ends with. */
  #apply({ path, at, removed, inserted, before, after }: Difference): boolean {
    const full = resolveLinks(join(this.root, path));
    const now = this.#content(path);
    const hash = hashOf(now);
    if (hash === after) return true;
    if (hash !== before) return false;
    if (after === null) {
      removeIfThere(full);
      return true;
    }
    ensureDirectory(dirname(full));
    try {
      writeFileAtomic(
        full,
        spliced(now ?? "", at, removed, inserted),
        () => hashOf(this.#content(path)) === before,
      );
      return true;
    } catch (error) {
      if (error instanceof Outdated) return false;
      throw error;
    }
  }

  /** It is no part of what is committed to git. */
  #prepare(): void {
    ensureDirectory(this.#directory);
    const ignore = join(this.#directory, ".gitignore");
    if (readIfThere(ignore) === null) writeFileSync(ignore, "*\n", { mode: 0o600 });
  }

  /** The oldest first. */
  #records(): { number: number; pending: boolean }[] {
    if (!isInside(this.root, this.#directory))
      throw new RetainError(
        "unsafe",
        `${this.#directory} leads out of the workspace by a link.`,
        "Remove the link.",
      );
    return entriesIfThere(this.#directory)
      .flatMap(({ name }) => {
        const match = RECORD.exec(name);
        return match === null ? [] : { number: Number(match[1]), pending: match[2] !== undefined };
      })
      .sort((a, b) => a.number - b.number);
  }

  #pathOf(number: number, pending: boolean): string {
    return join(this.#directory, `${String(number).padStart(8, "0")}${pending ? ".pending" : ""}.json`);
  }

  #read(number: number, pending: boolean): Record | null {
    const text = decodeUtf8(readIfThere(this.#pathOf(number, pending)) ?? new Uint8Array());
    try {
      const record: unknown = JSON.parse(text ?? "");
      return isRecord(record) && record.files.every(({ path }) => this.allows(path)) ? record : null;
    } catch {
      return null;
    }
  }

  #content(path: string): string | null {
    const bytes = readIfThere(join(this.root, path));
    if (bytes === null) return null;
    const text = decodeUtf8(bytes);
    if (text === null) throw new RetainError("invalid_input", `${join(this.root, path)} is not UTF-8 text.`);
    return text;
  }

  #described({ files }: Record): Change["files"] {
    return files.map(({ path, removed, inserted, before, after }) => ({
      path,
      removed,
      inserted,
      created: before === null,
      deleted: after === null,
    }));
  }
}

function isRecord(value: unknown): value is Record {
  const { label, at, files, undoes = 0 } = value as Partial<Record>;
  const texts = (one: Difference) => [one.path, one.removed, one.inserted, one.before ?? "", one.after ?? ""];
  return (
    Array.isArray(files) &&
    [label, at, ...files.flatMap(texts)].every((text) => typeof text === "string") &&
    [undoes, ...files.map((one: Difference) => one.at)].every(Number.isInteger)
  );
}

function reversed({ path, at, removed, inserted, before, after }: Difference): Difference {
  return { path, at, removed: inserted, inserted: removed, before: after, after: before };
}

function changedMeanwhile(path: string): RetainError {
  return new RetainError(
    "conflict",
    `${path} was changed by somebody else at this very moment.`,
    "Nothing was changed. Try again.",
  );
}

/** A large file is compared by so many characters at once. */
const STRIDE = 4_096;

function differenceOf({ path, before, after }: ChangedFile): Difference {
  const [old, now] = [before ?? "", after ?? ""];
  const most = Math.min(old.length, now.length);
  let at = 0;
  while (at + STRIDE <= most && old.slice(at, at + STRIDE) === now.slice(at, at + STRIDE)) at += STRIDE;
  while (at < most && old[at] === now[at]) at++;
  let same = 0;
  while (same < most - at && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  // Whole lines: they are what a person reads, and what is looked for when the file has changed since.
  while (at > 0 && old[at - 1] !== "\n") at--;
  while (same > 0 && !(old[old.length - same - 1] === "\n" && now[now.length - same - 1] === "\n")) same--;
  return {
    path,
    at,
    removed: old.slice(at, old.length - same),
    inserted: now.slice(at, now.length - same),
    before: hashOf(before),
    after: hashOf(after),
  };
}

function spliced(content: string, at: number, removed: string, inserted: string): string {
  return content.slice(0, at) + inserted + content.slice(at + removed.length);
}

/** The state before the change; where the file has changed since, what was put in is looked for. Throws `conflict`. */
function takenBack(
  now: string | null,
  { path, at, removed, inserted, before, after }: Difference,
): string | null {
  if (hashOf(now) === after) return before === null ? null : spliced(now ?? "", at, inserted, removed);
  if (hashOf(now) === before) return now;
  const first = now?.indexOf(inserted) ?? -1;
  if (now === null || inserted === "" || first < 0 || now.indexOf(inserted, first + 1) >= 0)
    throw new RetainError(
      "conflict",
      `${path} has changed since, so that it cannot be taken back by itself.`,
      "Edit the file by hand (HISTORY.md says what it said before), then pass this change over: retain undo --skip",
    );
  return spliced(now, first, inserted, removed);
}

/** Of a change both states of each file are asked for, some of them twice. */
const MOST_HASHED = 4;
const HASHED: { readonly content: string; readonly hash: string }[] = [];

function hashOf(content: string | null): string | null {
  if (content === null) return null;
  const known = HASHED.find((one) => one.content === content);
  if (known !== undefined) return known.hash;
  const hash = sha256(content);
  HASHED.unshift({ content, hash });
  HASHED.splice(MOST_HASHED);
  return hash;
}
