/**
 * Holds a directory open during work, so that swapping its path for a link can't redirect it. Linux gives an open directory its
 * own path; on other systems the path is checked once.
 */
import { closeSync, constants, existsSync, openSync, readlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isAbsence, LeadsOut } from "./errno.ts";
import { ensureDirectory, HANDLES, isInside } from "./fs.ts";

/**
 * Passes `work` a path that can't leave `boundary` while it runs. Throws `LeadsOut`, with nothing done, and errors of opening the
 * directory.
 */
export function heldInside<T>(boundary: string, directory: string, work: (held: string) => T): T {
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    const handle = `${HANDLES}${descriptor}`;
    const real = linkedTo(handle);
    if (!isInside(boundary, real ?? directory)) throw new LeadsOut(directory);
    return work(real === null ? directory : handle);
  } finally {
    closeSync(descriptor);
  }
}

/** Like `ensureDirectory`, but creates nothing outside `boundary`. */
export function ensureInside(boundary: string, directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (directory === boundary || parent === directory) ensureDirectory(directory);
  else {
    ensureInside(boundary, parent);
    heldInside(boundary, parent, (held) => ensureDirectory(`${held}/${basename(directory)}`));
  }
}

/** null if the system has no such paths. */
function linkedTo(handle: string): string | null {
  try {
    return readlinkSync(handle);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
