/**
 * Adds or removes one entry of a client's config file and touches nothing else. The client may write the file at the same time,
 * and it may contain keys, so the backup is private to its owner.
 */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RetainError } from "../../core/errors.ts";
import { changeTextFile, NotUtf8, textIn } from "../../files/change-text.ts";
import { ensureDirectory, fsyncDirectory, writeFileAtomic } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";
import {
  type ConfigFormat,
  ConfigProblem,
  type Entry,
  entryIn,
  withEntry,
  withoutEntry,
} from "./config-format.ts";
import { type EntryShape, isServerEntry, type ServerEntry, updatedEntry } from "./entry.ts";
import { removeEmptyDirectories } from "./hook-files.ts";

export interface ConfigEntry extends Entry {
  readonly file: string;
  readonly format: ConfigFormat;
  readonly shape: EntryShape;
  /** The directory for backups. */
  readonly backups: string;
  /** The permissions of a new file. */
  readonly mode: number;
  /** The directory that stays when the file is removed: the home directory or the project's. */
  readonly above: string;
}

export interface ConfigChange {
  readonly action: "added" | "updated" | "unchanged" | "removed" | "absent";
  /** The backup of the file; null if there is none. */
  readonly backup: string | null;
}

/** Throws `invalid_config` for an unreadable file, `exists` for a different server of this name; then nothing has changed. */
export function addServer(target: ConfigEntry, entry: ServerEntry): ConfigChange {
  const { format, shape } = target;
  return changed(target, (text) => {
    const known = entryIn(format, text, target);
    if (known === undefined) return { next: withEntry(format, text, target, entry), action: "added" };
    if (!isServerEntry(shape, known)) throw anotherServer(target);
    const next = withEntry(format, text, target, updatedEntry(shape, known, entry));
    return { next, action: next === text ? "unchanged" : "updated" };
  });
}

/** Restores the original file byte for byte, unless something else has changed since. Throws as `addServer`. */
export function removeServer(target: ConfigEntry): ConfigChange {
  return changed(target, (text) => {
    const known = entryIn(target.format, text, target);
    if (text === null || known === undefined) return { next: text, action: "absent" };
    if (!isServerEntry(target.shape, known)) throw anotherServer(target);
    return { next: before(target, text, known), action: "removed" };
  });
}

/** null: there was no file. */
function before(target: ConfigEntry, text: string, entry: object): string | null {
  const { format } = target;
  const kept = textIn(backupOf(target));
  const isFromThere = (old: string | null) => withEntry(format, old, target, entry) === text;
  if (kept !== null && entryIn(format, kept, target) === undefined && isFromThere(kept)) return kept;
  return isFromThere(null) ? null : withoutEntry(format, text, target);
}

/** Whether the file has a Retain server. One that can't be read has none. */
export function hasServer(target: ConfigEntry): boolean {
  try {
    const known = entryIn(target.format, textIn(target.file), target);
    return isServerEntry(target.shape, known);
  } catch {
    return false;
  }
}

type Change = (text: string | null) => { next: string | null; action: ConfigChange["action"] };

function changed(target: ConfigEntry, change: Change): ConfigChange {
  const backup = backupOf(target);
  let action = "unchanged" as ConfigChange["action"];
  let kept: string | null = null;
  try {
    changeTextFile(target.file, target.mode, (text) => {
      const planned = change(text);
      const { next } = planned;
      action = planned.action;
      // Of the original: a file that already has the entry, or loses it, doesn't replace it.
      kept = action === "added" && text !== null ? backup : null;
      if (kept !== null && text !== null) keep(kept, text);
      return next;
    });
  } catch (error) {
    if (error instanceof NotUtf8) throw notReadable(target, new ConfigProblem("not UTF-8", 1));
    if (error instanceof ConfigProblem) throw notReadable(target, error);
    throw error;
  }
  if (action === "removed" && !existsSync(target.file)) removeEmptyDirectories(target.file, target.above);
  return { action, backup: kept };
}

function keep(backup: string, text: string): void {
  ensureDirectory(dirname(backup));
  writeFileAtomic(backup, text);
  fsyncDirectory(dirname(backup));
}

/** One backup per file. */
function backupOf({ file, backups }: ConfigEntry): string {
  return join(backups, `${sha256(file).slice(0, 8)}-${basename(file)}`);
}

function notReadable({ file }: ConfigEntry, { message, line }: ConfigProblem): RetainError {
  return new RetainError(
    "invalid_config",
    `${file}${line === null ? "" : `:${line}`}: ${message}. Nothing was changed.`,
    "Fix the file and try again.",
  );
}

function anotherServer({ file, name }: ConfigEntry): RetainError {
  return new RetainError(
    "exists",
    `${file} already has a different server named '${name}'. Nothing was changed.`,
    "Rename that server and try again.",
  );
}
