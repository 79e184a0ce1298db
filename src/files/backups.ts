/**
 * Backups of a workspace's memory, made before it is emptied: `backups/<time>/`, with the same layout. A backup gets its name
 * once it is complete and flushed.
 */
import { constants, copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { RetainError } from "../core/errors.ts";
import {
  ensureDirectory,
  entriesIfThere,
  fsyncDirectory,
  fsyncFile,
  isTemporaryName,
  lstatIfThere,
  writeFileAtomic,
} from "../util/fs.ts";

const DIRECTORY = "backups";

/** The directories of all backups, including unfinished ones, oldest first. Does not follow links. */
export function backupsOf(root: string): string[] {
  const directory = join(root, DIRECTORY);
  if (!lstatIfThere(directory)?.isDirectory()) return [];
  const backups = entriesIfThere(directory).filter((entry) => entry.isDirectory());
  return backups.map(({ name }) => join(directory, name)).sort();
}

/**
 * Backs up these files (below `root`) and returns the directory. Needs the workspace's lock, since it removes unfinished backups.
 * On an I/O error it cleans up and throws.
 */
export function makeBackup(root: string, files: readonly string[], time: string): string {
  const directory = prepared(root);
  for (const { name } of entriesIfThere(directory))
    if (isTemporaryName(name)) rmSync(join(directory, name), { recursive: true });
  const partial = join(directory, `.tmp-${time}`);
  try {
    copyFiles(root, files, partial);
    const target = freeName(directory, time);
    renameSync(partial, target);
    fsyncDirectory(directory);
    return target;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Copies files below `root` to another directory; durable on return. Throws I/O errors as they are. */
export function copyFiles(root: string, files: readonly string[], target: string): void {
  ensureDirectory(target);
  const made = new Set([target]);
  for (const file of files) {
    made.add(madeParents(target, dirname(file)));
    linkOrCopy(join(root, file), join(target, file));
  }
  for (const below of made) flushUpTo(target, below);
}

/** Keeps backups out of git, even if the workspace's `.gitignore` predates them. */
function prepared(root: string): string {
  const directory = join(root, DIRECTORY);
  const entry = lstatIfThere(directory);
  if (entry !== null && !entry.isDirectory())
    throw new RetainError("unsafe", `${directory} is not a directory.`, "Move or remove it.");
  ensureDirectory(directory);
  const ignore = join(directory, ".gitignore");
  if (!existsSync(ignore)) writeFileAtomic(ignore, "*\n");
  return directory;
}

function madeParents(target: string, below: string): string {
  const directory = join(target, below);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

function flushUpTo(top: string, directory: string): void {
  for (let current = directory; ; current = dirname(current)) {
    fsyncDirectory(current);
    if (current === top) return;
  }
}

/** A hard link costs no space and survives deletion of the original. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  }
  fsyncFile(to);
}

function freeName(directory: string, time: string): string {
  for (let count = 1; ; count++) {
    const path = join(directory, count === 1 ? time : `${time}-${count}`);
    if (lstatIfThere(path) === null) return path;
  }
}
