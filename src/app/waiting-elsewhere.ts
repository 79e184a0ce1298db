/**
 * Pending data for banks not in use here: another project's, or those of a server or backend configured before. It is sent when
 * that bank is used again; until then, `status` is the only place that shows it.
 */
import { join } from "node:path";
import { EntryFiles } from "../backends/spool/entry-files.ts";
import { entriesIfThere } from "../util/fs.ts";

export interface WaitingElsewhere {
  /** Contains one file per pending item. */
  readonly directory: string;
  /** Including refused items. */
  readonly waiting: number;
}

/** `inUse` is the directory of the bank in use; null if there is none. */
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
