/** Reads a memory file. An unreadable one becomes a warning and an incident, not an error, and hides no other file. */
import { join } from "node:path";
import { printedStamp } from "../core/documents/file-stamp.ts";
import { RetainError } from "../core/errors.ts";
import { type RecordIncident, recordNothing, reportIncident } from "../core/incidents.ts";
import type { MemoryFile, MemoryFiles } from "../core/ports/documents.ts";

interface ReadingPorts {
  readonly files: MemoryFiles;
  warn(message: string): void;
  readonly record?: RecordIncident;
}

/** null if it can't be read; `consequence` completes the warning. */
export function readable(
  { files, warn, record = recordNothing }: ReadingPorts,
  path: string,
  consequence: string,
): { readonly file: MemoryFile | null } | null {
  try {
    return { file: files.read(path) };
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const stamp = files.scan().find((file) => file.path === path)?.stamp;
    reportIncident(
      { warn, record },
      {
        kind: "damage",
        path: join(files.root, path),
        what: `${error.message} ${consequence}`,
        todo: "",
        state: stamp === undefined ? "" : printedStamp(stamp),
      },
    );
    return null;
  }
}
