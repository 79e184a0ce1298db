/**
 * What waits for a bank that is not in use here: another project's, or that of a server or backend that was configured before. It
 * is sent when that one is used again, and nobody would look for it.
 */
import { join } from "node:path";
import { EntryFiles } from "../backends/spool/entry-files.ts";
import { entriesIfThere } from "../util/fs.ts";

export interface WaitingElsewhere {
  /** Holds one file for each. */
  readonly directory: string;
  /** What was refused included. */
  readonly waiting: number;
}

/** `inUse` is the directory of the bank that is; null where none is. */
export function waitingElsewhere(spools: string, inUse: string | null): WaitingElsewhere[] {
  return entriesIfThere(spools)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(spools, name))
    .filter((directory) => directory !== inUse)
    .map((directory) => {
      const { waiting, refused, damaged } = new EntryFiles(directory).list();
      return { directory, waiting: waiting.length + refused.length + damaged.length };
    })
    .filter(({ waiting }) => waiting > 0)
    .sort((one, other) => one.directory.localeCompare(other.directory));
}
