/**
 * Copies of a workspace's memory, made before it is emptied: `backups/<time>/`, laid out as the workspace itself. One appears
 * under its name when it is complete and on the disk; until then it is an unfinished write.
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

/** The directories of all backups of a workspace, unfinished ones too, the oldest first. Links are not followed. */
export function backupsOf(root: string): string[] {
  const directory = join(root, DIRECTORY);
  if (!lstatIfThere(directory)?.isDirectory()) return [];
  const backups = entriesIfThere(directory).filter((entry) => entry.isDirectory());
  return backups.map(({ name }) => join(directory, name)).sort();
}

/**
 * Makes a backup of these files (below `root`); returns its directory. Works while the workspace's lock is held, since what others
 * left unfinished is removed. Throws, with nothing left behind, what the disk says.
 */
export function makeBackup(root: string, files: readonly string[], time: string): string {
  const directory = prepared(root);
  for (const { name } of entriesIfThere(directory))
    if (isTemporaryName(name)) rmSync(join(directory, name), { recursive: true });
  const partial = join(directory, `.tmp-${time}`);
  try {
    ensureDirectory(partial);
    const made = new Set([partial]);
    for (const file of files) {
      made.add(madeParents(partial, dirname(file)));
      linkOrCopy(join(root, file), join(partial, file));
    }
    for (const below of made) flushUpTo(partial, below);
    const target = freeName(directory, time);
    renameSync(partial, target);
    fsyncDirectory(directory);
    return target;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Everything in it is kept out of git, also where the workspace's own `.gitignore` is older than backups are. */
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

function madeParents(partial: string, below: string): string {
  const directory = join(partial, below);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return directory;
}

function flushUpTo(top: string, directory: string): void {
  for (let current = directory; ; current = dirname(current)) {
    fsyncDirectory(current);
    if (current === top) return;
  }
}

/** A second name for the same bytes costs no space, and outlives the first. */
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
