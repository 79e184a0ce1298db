/**
 * The file system, made safe: writes that survive a crash, paths that stay inside their root. Everything that Retain
 * writes goes through here, so that "saved" always means: written, flushed, renamed.
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
import { errorCode, isAbsence, Unflushed } from "./errno.ts";
import { isAlive } from "./process.ts";

export { errorCode, isAbsence };

const FILE_MODE = 0o600;
const DIRECTORY_MODE = 0o700;

/** Locks are taken on a file of this name. Closing any handle of it would let go of the lock, so nobody else opens one. */
export const LOCK_FILE = ".lock";

/** Unfinished writes look like this; whoever holds the workspace's lock may remove them. */
const TEMPORARY_PREFIX = ".tmp-";

export function isTemporaryName(name: string): boolean {
  return name.startsWith(TEMPORARY_PREFIX);
}

/**
 * Puts `data` at `path` as a whole: after a crash the old file is there or the new one, never a piece. Throws with
 * nothing changed when the disk is full or read-only. The new name is durable after `fsyncDirectory`. `isStillWanted` is asked
 * at the last moment: where it says no, `Outdated` is thrown.
 */
export function writeFileAtomic(
  path: string,
  data: string | Uint8Array,
  isStillWanted?: () => boolean,
): void {
  const temporary = temporaryBeside(path);
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

/** Removes an unfinished write. If that fails, `removeAbandoned` does it later. */
function discard(temporary: string): void {
  try {
    removeIfThere(temporary);
  } catch {
    return;
  }
}

/** Somebody else changed the file in the meantime. */
export class Outdated extends Error {}

/**
 * Puts `text` into a new file, as a whole and durably: whatever comes in between, there is all of it or nothing. Throws EEXIST
 * where something has the name, and as `writeFileAtomic`.
 */
export function writeNewFile(path: string, text: string, mode = FILE_MODE): void {
  const temporary = temporaryBeside(path);
  try {
    writeFlushed(temporary, text, mode);
    giveNewName(temporary, path);
  } finally {
    discard(temporary);
  }
  fsyncDirectory(dirname(path));
}

/** A second name is refused where the first one is taken, which a rename is not. */
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

/** What a file system says that knows no second names, as those of memory sticks. */
const WITHOUT_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

function temporaryBeside(path: string): string {
  const directory = dirname(path);
  if (!swept.has(directory) && !directory.startsWith(HANDLES)) removeAbandoned(directory);
  swept.add(directory);
  return join(directory, `${TEMPORARY_PREFIX}${process.pid}-${crypto.randomUUID()}`);
}

/** Paths of open directories on Linux, by number; the next one of a number is another directory. */
export const HANDLES = "/proc/self/fd/";
/** Where this process has looked for unfinished writes. */
const swept = new Set<string>();
/** A write takes no hour. A process of another container, or of another machine, looks as if it had ended. */
const ABANDONED_MS = 3_600_000;
/** A directory with more names than fit into so many bytes is one of documents: their scan removes unfinished writes. */
const LARGE_DIRECTORY = 65_536;

/** Removes what processes that were killed left unfinished in a directory; what cannot be removed stays. */
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
 * Gives a file that was just written a time a moment ahead of the clock. Whoever changes it after that gives it the clock's time,
 * so no other state of it has the same stamp. Of a file that belongs to somebody else the time cannot be set.
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
 * Puts `text` at the end of a file that has `size` bytes, durably: what stands there is not written again. Throws `Outdated` where
 * the file has another size, or another one has taken its name. After a crash a part of the text may stand there.
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

/** Takes away what stands behind the first `size` bytes, durably. */
export function cutFile(path: string, size: number): void {
  const descriptor = openSync(path, constants.O_WRONLY);
  try {
    ftruncateSync(descriptor, size);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What stands behind the first `size` bytes of a file; null where it has fewer, or there is none. */
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

/** Makes what was written to a file durable. */
export function fsyncFile(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the names in a directory (created, renamed, removed) durable. Throws `Unflushed`, and ENOENT where there is none. */
export function fsyncDirectory(path: string): void {
  try {
    fsyncFile(path);
  } catch (error) {
    throw isAbsence(error) ? error : new Unflushed(error);
  }
}

/** Creates the directory and its missing parents, private to the owner, durably. An existing one is left as it is. */
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

/** Removes a file; false when there was none. */
export function removeIfThere(path: string): boolean {
  try {
    unlinkSync(path);
    return true;
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** What a directory holds; nothing when there is none. */
export function entriesIfThere(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (isAbsence(error)) return [];
    throw error;
  }
}

/** The bytes of a file; null when there is none. */
export function readIfThere(path: string): Uint8Array | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** The entry itself (links are not followed); null when there is none. */
export function lstatIfThere(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}

/** `path` with links resolved as far as it exists; the part that does not exist yet is kept as it is. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isAbsence(error) || parent === path) return path;
    return join(resolveLinks(parent), relative(parent, path));
  }
}

/** Whether `path`, links resolved, is `root` or below it. */
export function isInside(root: string, path: string): boolean {
  const way = relative(resolveLinks(root), resolveLinks(path));
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
