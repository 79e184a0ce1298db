/**
 * Atomic, undoable changes of several files. The differences are first recorded durably; if a process dies, the next one finishes
 * the change. The record stays for `undo`. Changes of documents, which have versions, and permanent changes are recorded after they
 * were made, so that `undo` knows which change was the last one. A change that takes several steps, such as an import, has a record
 * for each: they share its number, and are undone together.
 */

import { existsSync, renameSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ioError, RetainError } from "../core/errors.ts";
import { FORMAT, newerFormat } from "../core/format.ts";
import { type Reports, reportIncident } from "../core/incidents.ts";
import type { Change, ChangedFile, DocumentChange, MadeChange } from "../core/ports/documents.ts";
import { ensureInside, heldInside } from "../util/directory.ts";
import { LeadsOut } from "../util/errno.ts";
import {
  ensureDirectory,
  entriesIfThere,
  fsyncDirectory,
  isInside,
  isTemporaryName,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";
import { parseJson } from "../util/json.ts";
import { decodeUtf8 } from "../util/text.ts";
import {
  applyChange,
  changeOf,
  contentAt,
  described,
  differenceOf,
  type FileChange,
  isFileChange,
  renames,
  takeBackChange,
  takenBack,
} from "./file-change.ts";

const BEGUN =
  "The change is recorded, and the next command finishes it. Check the disk; free some space if it is full.";
/** How many changes can be undone. */
const MOST_KEPT = 50;
/** One log per line. It is next to the records and survives them and the database. */
const UNCOMPACTED = "uncompacted";
const RECORD = /^(\d{8})(?:-(\d+))?(\.pending)?\.json$/;

/** Of a record: the number of its change, and which part of that change it is, from 1. */
interface Step {
  readonly number: number;
  readonly part: number;
}

interface Stored extends Step {
  readonly pending: boolean;
}

interface JournalRecord {
  readonly label: string;
  readonly at: string;
  readonly files: readonly FileChange[];
  readonly documents?: readonly DocumentChange[];
  /** The change that this one undoes. */
  readonly undoes?: number;
  readonly format?: number;
}

/** All methods need the workspace's lock. */
export class Journal {
  readonly #directory: string;
  /** The last step of the long change. */
  #last: Step | null = null;

  /**
   * Paths are below `root`. A project's `.undo` may be a stranger's: a record is used only if `allows` accepts every path in it.
   * `long` labels the one change that all changes made here are steps of, whatever others make in between.
   */
  constructor(
    private readonly root: string,
    private readonly allows: (path: string) => boolean,
    private readonly reports: Reports,
    private readonly long: string | null = null,
  ) {
    this.#directory = join(root, ".undo");
  }

  /** Whether a process died during a change. */
  get unfinished(): boolean {
    return this.#records().some(({ pending }) => pending) || this.#leftovers().length > 0;
  }

  /**
   * Applies all changes durably. Throws `conflict`, with nothing changed, if a file no longer matches `before`; `io` if it can't
   * be written, and then the next call finishes the change.
   */
  change(label: string, at: string, files: readonly ChangedFile[]): void {
    const changes = files.filter(({ before, after }) => before !== after).map(changeOf);
    if (changes.length > 0) this.#make({ label: this.long ?? label, at, files: changes });
  }

  /** Not flushed: the change itself is durable, and without a record it only can't be undone. Throws `io`. */
  record(label: string, at: string, made: MadeChange): void {
    const { files = [], documents = [] } = made;
    try {
      this.#prepare();
      const record: JournalRecord = { label: this.long ?? label, at, files: files.map(changeOf), documents };
      const step = this.#nextStep();
      writeFileSync(this.#pathOf(step, false), printed(record), { mode: 0o600 });
      this.#made(step);
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
  }

  /** Finishes the change of a process that died. Files changed by others in the meantime stay as they are. */
  recover(): void {
    for (const step of this.#records()) {
      if (!step.pending) continue;
      const record = this.#read(step, true);
      if (record === null) this.#reportUnusable(this.#pathOf(step, true));
      this.#finish(step, record, "skip");
    }
    for (const name of this.#leftovers()) removeIfThere(join(this.#directory, name));
  }

  #reportUnusable(path: string): void {
    reportIncident(this.reports, {
      kind: "damage",
      path,
      what: `A change to memory files was interrupted and could not be finished: its record ${path} is damaged.`,
      todo: "Check the facts and notes that changed last: some files may contain only part of the change.",
    });
  }

  /** Newest first, without unreadable records. */
  list(): Change[] {
    return [...this.#changes()].reverse().flatMap(([number, steps]) => {
      const records = this.#readAll(steps);
      const [first] = records;
      if (first === undefined) return [];
      const files = records.flatMap((record) => record.files.map(described));
      const documents = records.flatMap((record) => record.documents ?? []);
      return { number, label: first.label, at: first.at, files, documents };
    });
  }

  /** When the newest change in the list was made, in ms; null if the list is empty. */
  lastMade(): number | null {
    const [last] = this.list();
    const step = last === undefined ? undefined : this.#changes().get(last.number)?.at(-1);
    if (step === undefined) return null;
    return statSync(this.#pathOf(step, false), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  /**
   * Undoes a change. Throws `conflict`, with nothing changed, if a file has other text by now. `others` reverts what isn't in files:
   * it runs once it is certain that the files can be reverted, and may throw.
   */
  undo(number: number, at: string, others: () => void = () => {}): void {
    const records = this.#readAll(this.#changes().get(number) ?? []);
    const [first] = records;
    if (first === undefined) throw new RetainError("not_found", "There is nothing to undo.");
    const before = new Map<string, string | null>();
    const after = new Map<string, string | null>();
    for (const change of records.flatMap(({ files }) => files).reverse()) {
      const { path } = change;
      if (!before.has(path)) before.set(path, contentAt(this.#resolved(path)));
      const now = after.has(path) ? after.get(path) : before.get(path);
      after.set(path, takenBack(now ?? null, change));
    }
    const files = [...after].map(([path, text]) =>
      differenceOf({ path, before: before.get(path) ?? null, after: text }),
    );
    others();
    this.#make({ label: `undo of ${first.label}`, at, files, undoes: number });
  }

  /** The logs passed to `leaveUncompacted`, whose compaction was undone. */
  uncompacted(): ReadonlySet<string> {
    try {
      const text = decodeUtf8(readIfThere(join(this.#directory, UNCOMPACTED)) ?? new Uint8Array());
      return new Set((text ?? "").split("\n").filter((line) => line !== ""));
    } catch (error) {
      throw ioError(error, `Cannot read ${this.#directory}`);
    }
  }

  leaveUncompacted(logs: readonly string[]): void {
    const all = [...new Set([...this.uncompacted(), ...logs])];
    try {
      this.#prepare();
      writeFileAtomic(join(this.#directory, UNCOMPACTED), all.map((log) => `${log}\n`).join(""));
      fsyncDirectory(this.#directory);
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
  }

  /** Removes the record, so that the change can no longer be undone. */
  drop(number: number): void {
    try {
      this.#removeChange(number);
      fsyncDirectory(this.#directory);
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
  }

  /** Edits the undo records, to remove text everywhere. null drops the change. */
  rewrite(edit: (text: string) => string | null): void {
    try {
      this.#rewrite(edit);
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
  }

  #rewrite(edit: (text: string) => string | null): void {
    for (const step of this.#records()) {
      const path = this.#pathOf(step, step.pending);
      const content = decodeUtf8(readIfThere(path) ?? new Uint8Array()) ?? "";
      const edited = edit(content);
      if (edited === null) removeIfThere(path);
      else if (edited !== content) writeFileAtomic(path, edited);
    }
    if (existsSync(this.#directory)) fsyncDirectory(this.#directory);
  }

  #make(record: JournalRecord): void {
    const step = this.#nextStep();
    try {
      this.#prepare();
      writeFileAtomic(this.#pathOf(step, true), printed(record));
      fsyncDirectory(this.#directory);
    } catch (error) {
      throw ioError(error, `Cannot write to ${this.root}`);
    }
    try {
      this.#finish(step, record, "take back");
    } catch (error) {
      if (error instanceof RetainError) throw error;
      const failure = ioError(error, `Cannot write to ${this.root}`);
      throw failure instanceof RetainError ? new RetainError(failure.code, failure.message, BEGUN) : failure;
    }
  }

  /** `changed`: if somebody changed a file in the meantime, skip that file, or revert everything and throw. */
  #finish(step: Step, record: JournalRecord | null, changed: "skip" | "take back"): void {
    const directories = new Set<string>();
    const done: FileChange[] = [];
    for (const change of record?.files ?? []) {
      if (this.#held(change.path, (full) => applyChange(full, change))) done.push(change);
      else if (changed === "take back") {
        for (const made of done) this.#held(made.path, (full) => takeBackChange(full, made));
        removeIfThere(this.#pathOf(step, true));
        throw changedMeanwhile(change.path);
      }
      if (renames(change)) directories.add(dirname(join(this.root, change.path)));
    }
    for (const directory of directories) fsyncDirectory(directory);
    // Not flushed: after a crash, a change that is already made is finished again.
    if (record === null || record.undoes !== undefined) {
      if (record?.undoes !== undefined) this.#removeChange(record.undoes);
      removeIfThere(this.#pathOf(step, true));
    } else {
      renameSync(this.#pathOf(step, true), this.#pathOf(step, false));
      this.#made(step);
    }
  }

  /** The long change has another step, unless it was undone meanwhile. */
  #nextStep(): Step {
    const records = this.#records();
    const last = records.find(
      ({ number, part }) => number === this.#last?.number && part === this.#last.part,
    );
    if (last !== undefined) return { number: last.number, part: last.part + 1 };
    return { number: (records.at(-1)?.number ?? 0) + 1, part: 1 };
  }

  #made(step: Step): void {
    if (this.long !== null) this.#last = step;
    for (const number of [...this.#changes().keys()].slice(0, -MOST_KEPT)) this.#removeChange(number);
  }

  #removeChange(number: number): void {
    for (const step of this.#changes().get(number) ?? []) removeIfThere(this.#pathOf(step, false));
  }

  /** The steps of each finished change, oldest first. */
  #changes(): Map<number, Step[]> {
    return Map.groupBy(
      this.#records().filter(({ pending }) => !pending),
      ({ number }) => number,
    );
  }

  /** Without unreadable records. */
  #readAll(steps: readonly Step[]): JournalRecord[] {
    return steps.flatMap((step) => this.#read(step, false) ?? []);
  }

  #resolved(path: string): string {
    return resolveLinks(join(this.root, path));
  }

  /** Holds the directory open, so that no link can redirect the path. */
  #held<T>(path: string, work: (full: string) => T): T {
    const full = this.#resolved(path);
    if (!isInside(this.root, full)) throw new LeadsOut(full);
    ensureInside(this.root, dirname(full));
    return heldInside(this.root, dirname(full), (held) => work(`${held}/${basename(full)}`));
  }

  /** Keeps the records out of git. */
  #prepare(): void {
    ensureDirectory(this.#directory);
    const ignore = join(this.#directory, ".gitignore");
    if (readIfThere(ignore) === null) writeFileSync(ignore, "*\n", { mode: 0o600 });
  }

  /** Oldest first. */
  #records(): Stored[] {
    if (!isInside(this.root, this.#directory))
      throw new RetainError(
        "unsafe",
        `${this.#directory} is a link that points outside the workspace.`,
        "Remove the link.",
      );
    return this.#names()
      .flatMap((name) => {
        const match = RECORD.exec(name);
        if (match === null) return [];
        const [, number, part = 1, pending] = match;
        return { number: Number(number), part: Number(part), pending: pending !== undefined };
      })
      .sort((a, b) => a.number - b.number || a.part - b.part);
  }

  /** Unfinished writes of killed processes. */
  #leftovers(): string[] {
    return this.#names().filter(isTemporaryName);
  }

  #names(): string[] {
    try {
      return entriesIfThere(this.#directory).map(({ name }) => name);
    } catch (error) {
      throw ioError(error, `Cannot read ${this.#directory}`);
    }
  }

  #pathOf({ number, part }: Step, pending: boolean): string {
    const name = `${String(number).padStart(8, "0")}${part === 1 ? "" : `-${part}`}`;
    return join(this.#directory, `${name}${pending ? ".pending" : ""}.json`);
  }

  #read(step: Step, pending: boolean): JournalRecord | null {
    const path = this.#pathOf(step, pending);
    const record = parseJson(decodeUtf8(readIfThere(path) ?? new Uint8Array()) ?? "");
    if (!isJournalRecord(record)) return null;
    if ((record.format ?? FORMAT) > FORMAT) throw newerFormat(path);
    return record.files.every((file) => this.allows(file.path)) ? record : null;
  }
}

function printed(record: JournalRecord): string {
  return `${JSON.stringify({ format: FORMAT, ...record })}\n`;
}

function isJournalRecord(value: unknown): value is JournalRecord {
  const {
    label,
    at,
    files,
    documents = [],
    undoes = 0,
    format = FORMAT,
  } = (value ?? {}) as Partial<JournalRecord>;
  // Nothing else is known about a newer format.
  if (format > FORMAT) return true;
  const isSaid = typeof label === "string" && typeof at === "string" && Number.isInteger(undoes);
  const isListed = Array.isArray(files) && Array.isArray(documents);
  return isSaid && isListed && files.every(isFileChange) && documents.every(isDocumentChange);
}

function isDocumentChange(value: unknown): value is DocumentChange {
  const { collection, id, before = null, after = null } = (value ?? {}) as Partial<DocumentChange>;
  return [collection, id, before ?? "", after ?? ""].every((text) => typeof text === "string");
}

function changedMeanwhile(path: string): RetainError {
  return new RetainError(
    "conflict",
    `Another program changed ${path} at the same time.`,
    "Nothing was saved. Try again.",
  );
}
