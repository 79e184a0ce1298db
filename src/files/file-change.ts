/**
 * The difference between two states of a file, recorded so that any process can apply it, recognise it as applied, and undo it.
 * Most changes append lines; then the text before is neither read nor written.
 */
import { dirname } from "node:path";
import { RetainError } from "../core/errors.ts";
import { command, hint, option } from "../core/hint.ts";
import type { Change, ChangedFile } from "../core/ports/documents.ts";
import {
  appendToFile,
  cutFile,
  ensureDirectory,
  errorCode,
  fsyncDirectory,
  Outdated,
  readBehind,
  readIfThere,
  removeIfThere,
  writeFileAtomic,
} from "../util/fs.ts";
import { fingerprint } from "../util/hash.ts";
import { decodeUtf8, sharedStart } from "../util/text.ts";

/** The text at `at` before and after. */
interface Difference {
  readonly path: string;
  readonly at: number;
  readonly removed: string;
  readonly inserted: string;
  /** Hashes of the whole file; null if it doesn't exist. */
  readonly before: string | null;
  readonly after: string | null;
  /** Hashes of the lines around it, which show where removed lines were. Older records have none. */
  readonly between?: readonly [string, string];
}

/** The text appended to a file of this size. */
interface Addition {
  readonly path: string;
  readonly size: number;
  readonly inserted: string;
}

export type FileChange = Difference | Addition;

export function isFileChange(value: unknown): value is FileChange {
  if (typeof value !== "object" || value === null) return false;
  const change = value as FileChange;
  const [number, ...texts] = isAddition(change)
    ? [change.size, change.path, change.inserted]
    : [
        ...[change.at, change.path, change.removed, change.inserted],
        ...[change.before ?? "", change.after ?? "", ...(change.between ?? [])],
      ];
  const isCount = typeof number === "number" && Number.isInteger(number) && number >= 0;
  return isCount && texts.every((text) => typeof text === "string");
}

function isAddition(change: FileChange): change is Addition {
  return "size" in change;
}

export function described(change: FileChange): Change["files"][number] {
  if (isAddition(change))
    return { path: change.path, removed: "", inserted: change.inserted, created: false, deleted: false };
  const { path, removed, inserted, before, after } = change;
  return { path, removed, inserted, created: before === null, deleted: after === null };
}

/** The file's text; null if it doesn't exist. Throws `invalid_input` if it isn't text. */
export function contentAt(full: string): string | null {
  const bytes = readIfThere(full);
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  if (text === null) throw new RetainError("invalid_input", `${full} is not UTF-8 text.`);
  return text;
}

/** Applies the change. Returns false if the file is in neither the old nor the new state. */
export function applyChange(full: string, change: FileChange): boolean {
  try {
    return isAddition(change) ? append(full, change) : replace(full, change);
  } catch (error) {
    if (error instanceof Outdated) return false;
    throw error;
  }
}

/** Reverts the change if the file is unchanged since. */
export function takeBackChange(full: string, change: FileChange): void {
  if (!isAddition(change)) applyChange(full, reversed(change));
  else if (howMuchOf(full, change) === "all") cutFile(full, change.size);
}

/** Whether the change creates or removes the file. */
export function renames(change: FileChange): boolean {
  return !isAddition(change);
}

function append(full: string, addition: Addition): boolean {
  const there = howMuchOf(full, addition);
  if (there === "all" || there === "unclear") return there === "all";
  try {
    if (there === "part") cutFile(full, addition.size);
    appendToFile(full, addition.inserted, addition.size);
  } catch (error) {
    if (!NOT_OURS.has(errorCode(error) ?? "")) throw error;
    const bytes = readIfThere(full) ?? new Uint8Array();
    writeFileAtomic(full, Buffer.concat([bytes.subarray(0, addition.size), Buffer.from(addition.inserted)]));
    fsyncDirectory(dirname(full));
  }
  return true;
}

/** A file without write permission can still be replaced if its directory is writable. */
const NOT_OURS = new Set(["EACCES", "EPERM"]);

/** A killed process may have written part of the text; the file system may have allocated space that was not filled. */
function howMuchOf(full: string, { size, inserted }: Addition): "none" | "part" | "all" | "unclear" {
  const behind = readBehind(full, size);
  if (behind === null) return "unclear";
  if (behind.length === 0) return "none";
  const whole = Buffer.from(inserted);
  if (whole.equals(behind)) return "all";
  const written = behind.subarray(0, behind.findLastIndex((byte) => byte !== 0) + 1);
  const isPart = behind.length <= whole.length && whole.subarray(0, written.length).equals(written);
  return isPart ? "part" : "unclear";
}

function replace(full: string, { at, removed, inserted, before, after }: Difference): boolean {
  const now = contentAt(full);
  const hash = hashOf(now);
  if (hash === after) return true;
  if (hash !== before) return false;
  if (after === null) {
    removeIfThere(full);
    return true;
  }
  ensureDirectory(dirname(full));
  const isUnchanged = () => hashOf(contentAt(full)) === before;
  writeFileAtomic(full, spliced(now ?? "", at, removed, inserted), isUnchanged);
  return true;
}

function reversed({ path, at, removed, inserted, before, after }: Difference): Difference {
  return { path, at, removed: inserted, inserted: removed, before: after, after: before };
}

export function changeOf(file: ChangedFile): FileChange {
  const { path, before, after, added } = file;
  if (added !== undefined) return { path, size: added.size, inserted: added.text };
  if (before === null || after === null || before === "" || !after.startsWith(before))
    return differenceOf(file);
  return { path, size: Buffer.byteLength(before), inserted: after.slice(before.length) };
}

export function differenceOf({ path, before, after }: ChangedFile): Difference {
  const [old, now] = [before ?? "", after ?? ""];
  const most = Math.min(old.length, now.length);
  // Whole lines are readable, and easy to find if the file has changed since.
  let at = sharedStart(old, now);
  while (!isLineStart(old, at)) at--;
  let same = 0;
  while (same < most - at && old[old.length - 1 - same] === now[now.length - 1 - same]) same++;
  while (same > 0 && !(isLineStart(old, old.length - same) && isLineStart(now, now.length - same))) same--;
  return {
    path,
    at,
    removed: old.slice(at, old.length - same),
    inserted: now.slice(at, now.length - same),
    before: hashOf(before),
    after: hashOf(after),
    between: [
      hashOfLine(old.slice(0, at).split("\n").at(-2)),
      hashOfLine(old.slice(old.length - same).split("\n")[0]),
    ],
  };
}

function isLineStart(text: string, at: number): boolean {
  return at === 0 || text[at - 1] === "\n";
}

function spliced(content: string, at: number, removed: string, inserted: string): string {
  return content.slice(0, at) + inserted + content.slice(at + removed.length);
}

/** The text before the change. If the file has changed since, finds the inserted text. Throws `conflict`. */
export function takenBack(now: string | null, change: FileChange): string | null {
  if (isAddition(change)) {
    const { path, size, inserted } = change;
    if (now?.endsWith(inserted)) return now.slice(0, -inserted.length);
    return now !== null && Buffer.byteLength(now) === size ? now : withoutInserted(now, path, inserted, "");
  }
  const { path, at, removed, inserted, before, after } = change;
  if (hashOf(now) === after) return before === null ? null : spliced(now ?? "", at, inserted, removed);
  if (hashOf(now) === before) return now;
  const position = inserted === "" ? positionBetween(now ?? "", change.between) : null;
  return now === null || position === null
    ? withoutInserted(now, path, inserted, removed)
    : spliced(now, position, "", removed);
}

const BLANK = "";

/** Where lines were removed from a file that has changed since: next to a line that they were next to, if it occurs once. */
function positionBetween(now: string, [above, below]: readonly [string, string] = ["", ""]): number | null {
  const lines = now.split("\n").map(hashOfLine);
  const only = (hash: string) =>
    hash !== BLANK && lines.indexOf(hash) === lines.lastIndexOf(hash) ? lines.indexOf(hash) : -1;
  const [first, last] = [only(above), only(below)];
  const line = first >= 0 ? first + 1 : last;
  return line < 0 ? null : now.split("\n").slice(0, line).join("\n").length + (line === 0 ? 0 : 1);
}

/** Of a line that says something. A hash, so that a forgotten text isn't in the record of its neighbour. */
function hashOfLine(line: string | undefined): string {
  return line === undefined || line.trim() === "" ? BLANK : fingerprint(line);
}

function withoutInserted(now: string | null, path: string, inserted: string, removed: string): string {
  const first = now?.indexOf(inserted) ?? -1;
  if (now === null || inserted === "" || first < 0 || now.indexOf(inserted, first + 1) >= 0)
    throw new RetainError(
      "conflict",
      `Cannot undo: ${path} has changed since.`,
      hint`Edit the file by hand (HISTORY.md has the old text), then skip this change: ${command("undo", option("skip"))}`,
    );
  return spliced(now, first, inserted, removed);
}

function hashOf(content: string | null): string | null {
  return content === null ? null : fingerprint(content);
}
