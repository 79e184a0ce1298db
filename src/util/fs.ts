/**
 * Safe file operations: writes that survive a crash, paths that stay inside their root. All of Retain's writes go through here,
 * so that "saved" always means written, flushed and renamed.
 */
import {
  closeSync,
  constants,
  type Dirent,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  futimesSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, sep } from "node:path";
import { errorCode, isAbsence, Outdated, Unflushed } from "./errno.ts";
import { isAlive } from "./process.ts";

export { errorCode, isAbsence, Outdated };

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** The lock file's name. Closing any handle of it would release the lock, so nothing else opens it. */
export const LOCK_FILE = ".lock";

/** The prefix of unfinished writes; the holder of the workspace's lock may remove them. */
const TEMPORARY_PREFIX = ".tmp-";

export function isTemporaryName(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX);
}

/**
 * Writes `data` to `path` atomically: after a crash either the old or the new file is there. Throws with nothing changed if the
 * disk is full or read-only. The new name is durable after `fsyncDirectory`. Calls `isStillWanted` at the last moment and throws
 * `Outdated` if it returns false.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  isStillWanted?: () => boolean,
): void {
  const temporary = temporaryFileFor(path);
  try {
    writeFlushed(temporary, data, FILE_MODE, (descriptor) => {
      if (isStillWanted !== undefined && !isStillWanted()) throw new Outdated(path);
      renameSync(temporary, path);
      stampAhead(descriptor);
    });
  } catch (error) {
    discard(temporary);
    throw error;
  }
}

/** Removes an unfinished write; if that fails, `removeAbandoned` does it later. */
function discard(temporary: string): void {
  try {
    removeIfThere(temporary);
  } catch {
    return;
  }
}

/** Creates a file atomically and durably. Throws EEXIST if the name is taken, and like `writeFileAtomic`. */
export function writeNewFile(path: string, text: string): void {
  const temporary = temporaryFileFor(path);
  try {
    writeFlushed(temporary, text, FILE_MODE);
    giveNewName(temporary, path);
  } finally {
    discard(temporary);
  }
  fsyncDirectory(dirname(path));
}

/** Unlike rename, link fails if the name is taken. */
function giveNewName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!WITHOUT_LINKS.has(errorCode(error) ?? "")) throw error;
    closeSync(openSync(path, "wx", FILE_MODE));
    try {
      renameSync(temporary, path);
    } catch (failure) {
      removeIfThere(path);
      throw failure;
    }
  }
}

/** The error codes of file systems without hard links, such as those of USB sticks. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function temporaryFileFor(path: string): string {
  const directory = dirname(path);
  if (!swept.has(directory) && !directory.startsWith(HANDLES)) removeAbandoned(directory);
  swept.add(directory);
  return join(directory, `${TEMPORARY_PREFIX}${process.pid}-${crypto.randomUUID()}`);
}

/** Linux paths of open directories, by descriptor; a descriptor is reused. */
export const HANDLES = "/proc/self/fd/";
/** Directories already cleaned by this process. */
const swept = new Set<string>();
/** No write takes an hour. A process in another container or on another machine looks dead. */
const ABANDONED_MS = 3_600_000;
/** A directory larger than this holds documents, and their scan removes unfinished writes. */
const LARGE_DIRECTORY = 65_536;

/** Removes unfinished writes of killed processes; ignores failures. */
function removeAbandoned(directory: string): void {
  try {
    if (statSync(directory).size > LARGE_DIRECTORY) return;
    for (const name of readdirSync(directory)) {
      const writer = Number(/^\.tmp-([1-9]\d*)-/.exec(name)?.[1]);
      const path = join(directory, name);
      if (!Number.isInteger(writer) || isAlive(writer)) continue;
      if (Date.now() - lstatSync(path).mtimeMs > ABANDONED_MS) unlinkSync(path);
    }
  } catch {
    return;
  }
}

function writeFlushed(
  path: string,
  data: string | Uint8Array,
  mode: number,
  then: (descriptor: number) => void = () => {},
): void {
  const descriptor = openSync(path, "wx", mode);
  try {
    writeFileSync(descriptor, data);
    fsyncSync(descriptor);
    then(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Sets the time of a freshly written file slightly ahead of the clock. A later change gets the clock's time, so no other state
 * has the same stamp. Fails for another user's file.
 */
function stampAhead(descriptor: number): void {
  const ahead = (Date.now() + 1 + Math.random()) / 1_000;
  try {
    futimesSync(descriptor, ahead, ahead);
  } catch {
    return;
  }
}

/**
 * Appends `text` durably to a file of `size` bytes without rewriting it. Throws `Outdated` if the size differs or the file was
 * replaced. After a crash, part of the text may be there.
 */
export function appendToFile(path: string, text: string, size: number): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    const { size: found, ino } = fstatSync(descriptor);
    if (found !== size) throw new Outdated(path);
    try {
      writeFileSync(descriptor, text);
      stampAhead(descriptor);
      fsyncSync(descriptor);
    } catch (error) {
      ftruncateSync(descriptor, size);
      throw error;
    }
    if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) throw new Outdated(path);
  } finally {
    closeSync(descriptor);
  }
}

/** Truncates a file to `size` bytes, durably. */
export function cutFile(path: string, size: number): void {
  const descriptor = openSync(path, constants.O_WRONLY);
  try {
    ftruncateSync(descriptor, size);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes after the first `size`; null if the file is shorter or missing. */
export function readBehind(path: string, size: number): Uint8Array | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
  try {
    const { size: found } = fstatSync(descriptor);
    if (found < size) return null;
    const rest = new Uint8Array(found - size);
    return rest.subarray(0, readSync(descriptor, rest, 0, rest.length, size));
  } finally {
    closeSync(descriptor);
  }
}

/** Flushes a file. */
export function fsyncFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Flushes a directory (created, renamed and removed names). Throws `Unflushed`, and ENOENT if it is missing. */
export function fsyncDirectory(path: string): void {
  try {
    fsyncFile(path);
  } catch (error) {
    throw isAbsence(error) ? error : new Unflushed(error);
  }
}

/** Creates the directory and missing parents, private to the owner, durably. Leaves an existing one unchanged. */
export function ensureDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) ensureDirectory(parent);
  try {
    mkdirSync(path, { mode: DIRECTORY_MODE });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
  fsyncDirectory(parent);
}

/** Removes a file; false if it didn't exist. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** A directory's entries; empty if it doesn't exist. */
export function entriesIfThere(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** A file's bytes, or null if it doesn't exist. */
export function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** null means no file. */
export function isSameBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  return one === null || other === null ? one === other : Buffer.compare(one, other) === 0;
}

/** The entry's own status, without following links, or null. */
export function lstatIfThere(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** `path` with links resolved as far as it exists; the rest is kept. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isAbsence(error) || parent === path) return path;
    return join(resolveLinks(parent), relative(parent, path));
  }
}

/** Whether `path`, with links resolved, is `root` or below it. */
export function isInside(root: string, path: string): boolean {
  const way = relative(resolveLinks(root), resolveLinks(path));
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
