/** Creates a workspace on disk, private to its owner. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ioError } from "../core/errors.ts";
import { ensureDirectory, fsyncDirectory, writeFileAtomic } from "../util/fs.ts";

/** Creates the directory and missing starting files; returns the new paths. */
export function createWorkspace(root: string, startingFiles: Readonly<Record<string, string>>): string[] {
  try {
    ensureDirectory(root);
    const missing = Object.keys(startingFiles).filter((name) => !existsSync(join(root, name)));
    for (const name of missing) writeFileAtomic(join(root, name), startingFiles[name] ?? "");
    if (missing.length > 0) fsyncDirectory(root);
    return missing.map((name) => join(root, name));
  } catch (error) {
    throw ioError(error, `Cannot create the workspace ${root}`);
  }
}
