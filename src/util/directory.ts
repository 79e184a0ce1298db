/**
 * A directory that is held while work goes on in it, so that a link that somebody puts in the place of its path meanwhile leads
 * nobody out. Linux gives an open directory a path of its own; elsewhere the path is checked once, and trusted for that moment.
 */
import { closeSync, constants, existsSync, openSync, readlinkSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isAbsence, LeadsOut } from "./errno.ts";
import { ensureDirectory, HANDLES, isInside } from "./fs.ts";

/**
 * Gives `work` a path to the directory that cannot lead out of `boundary` while it runs. Throws `LeadsOut`, with nothing done, and
 * what opening the directory throws.
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

/** As `ensureDirectory`, and no directory is made outside of `boundary`. */
export function ensureInside(boundary: string, directory: string): void {
  if (existsSync(directory)) return;
  const parent = dirname(directory);
  if (directory === boundary || parent === directory) ensureDirectory(directory);
  else {
    ensureInside(boundary, parent);
    heldInside(boundary, parent, (held) => ensureDirectory(`${held}/${basename(directory)}`));
  }
}

/** null where the system has no such paths. */
function linkedTo(handle: string): string | null {
  try {
    return readlinkSync(handle);
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
