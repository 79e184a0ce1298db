/** Changes a text file that belongs to another program or to a person, who may write it at the same time. */
import { chmodSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { RetainError } from "../core/errors.ts";
import {
  ensureDirectory,
  fsyncDirectory,
  Outdated,
  readIfThere,
  removeIfThere,
  resolveLinks,
  writeFileAtomic,
} from "../util/fs.ts";
import { decodeUtf8 } from "../util/text.ts";

export class NotUtf8 extends Error {}

/** Attempts while another program keeps writing the file. */
const TRIES = 5;

/**
 * Replaces the text by what `change` returns; null means no file. Links and permissions stay; a new file gets `mode`. Calls
 * `change` again if the file changes in the meantime. Throws NotUtf8, `conflict`, and as the file system.
 */
export function changeTextFile(
  path: string,
  mode: number,
  change: (text: string | null) => string | null,
): void {
  const file = resolveLinks(path);
  for (let tries = 1; ; tries++) {
    try {
      tryToChange(file, mode, change);
      return;
    } catch (error) {
      if (!(error instanceof Outdated)) throw error;
      if (tries >= TRIES)
        throw new RetainError(
          "conflict",
          `Another program keeps changing ${path}. Nothing was changed.`,
          "Close that program and try again.",
        );
    }
  }
}

function tryToChange(file: string, mode: number, change: (text: string | null) => string | null): void {
  const text = textIn(file);
  const next = change(text);
  if (next === text) return;
  if (next === null) {
    removeIfThere(file);
    return;
  }
  const wanted = text === null ? mode : statSync(file).mode & 0o777;
  ensureDirectory(dirname(file));
  writeFileAtomic(file, next, () => textIn(file) === text);
  chmodSync(file, wanted);
  fsyncDirectory(dirname(file));
}

/** null if there is no file. Throws NotUtf8. */
export function textIn(file: string): string | null {
  const bytes = readIfThere(file);
  if (bytes === null) return null;
  const text = decodeUtf8(bytes);
  if (text === null) throw new NotUtf8(file);
  return text;
}
