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
  readIfThere,
  removeIfThere,
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

  /** Paths of files are below `root`. */
  constructor(private readonly root: string) {
    this.#directory = join(root, ".undo");
  }

  /** Whether a process died in the middle of a change. */
  get unfinished(): boolean {
    return this.#records().some(({ pending }) => pending);
  }

  /** Makes all the changes, durably. Throws `io`; what was begun by then is finished by the next one. */
  change(label: string, at: string, files: readonly ChangedFile[]): void {
    const differences = files.filter(({ before, after }) => before !== after).map(differenceOf);
    if (differences.length > 0) this.#make({ label, at, files: differences });
  }

  /** Finishes what a process that died had begun. A file that somebody changed meanwhile stays as it is. */
  recover(): void {
    for (const { number, pending } of this.#records())
      if (pending) this.#finish(number, this.#read(number, true));
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
      this.#finish(number, record);
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
  }

  #finish(number: number, record: Record | null): void {
    const directories = new Set<string>();
    for (const difference of record?.files ?? []) {
      const path = join(this.root, difference.path);
      const now = this.#content(difference.path);
      if (hashOf(now) !== difference.before) continue;
      const after =
        difference.after === null
          ? null
          : spliced(now ?? "", difference.at, difference.removed, difference.inserted);
      if (after === null) removeIfThere(path);
      else {
        ensureDirectory(dirname(path));
        writeFileAtomic(path, after);
      }
      directories.add(dirname(path));
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

  /** It is no part of what is committed to git. */
  #prepare(): void {
    ensureDirectory(this.#directory);
    const ignore = join(this.#directory, ".gitignore");
    if (readIfThere(ignore) === null) writeFileSync(ignore, "*\n", { mode: 0o600 });
  }

  /** The oldest first. */
  #records(): { number: number; pending: boolean }[] {
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
      return JSON.parse(text ?? "") as Record;
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

function differenceOf({ path, before, after }: ChangedFile): Difference {
  const [old, now] = [before ?? "", after ?? ""];
  const most = Math.min(old.length, now.length);
  let at = 0;
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
      `${path} has changed since, so that this cannot be taken back by itself.`,
      "Nothing was changed. Edit the file by hand; HISTORY.md says what it said before.",
    );
  return spliced(now, first, inserted, removed);
}

function hashOf(content: string | null): string | null {
  return content === null ? null : sha256(content);
}
