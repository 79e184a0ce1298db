/**
 * What the rows of facts say has a name, and another one whenever they change: so a process that goes on knows without reading
 * them that they are what they were, or else which of them changed, and reads only those.
 */
import type { Database } from "bun:sqlite";
import { ChangeLog } from "../database/change-log.ts";
import { dropState, setState, stateOf } from "../database/state.ts";

const STAMP = "facts";
/** Goes up when facts come into the index in another way. */
const FORMAT = "1";

/** So many facts of one change are told. */
const MOST_FACTS = 100;
/** Ids, a list for each change. */
const changes = new ChangeLog<readonly string[]>("fact changes", 100);

/** null where the rows are of another format, or none were written. */
export function stampOf(database: Database): string | null {
  const stamp = stateOf(database, STAMP);
  return stamp?.startsWith(`${FORMAT} `) ? stamp : null;
}

/**
 * The name of the rows once these have changed or come; works in the transaction that does it. Where some were removed nothing is
 * told of any change: what is forgotten leaves not even its id.
 */
export function stampAnew(
  database: Database,
  before: string | null,
  { changed, removed }: { changed: readonly string[]; removed: number },
): string {
  if (before !== null && changed.length + removed === 0) return before;
  const [, line = "", number = ""] = before?.split(" ") ?? [];
  const goesOn = number !== "" && removed === 0 && changed.length <= MOST_FACTS;
  const stamp = goesOn ? `${FORMAT} ${line} ${Number(number) + 1}` : `${FORMAT} ${crypto.randomUUID()} 0`;
  setState(database, STAMP, stamp);
  if (goesOn) changes.note(database, changed);
  else changes.clear(database);
  return stamp;
}

/** The ids of the facts that changed or came between two names; null where that is not known. */
export function changedBetween(database: Database, before: string, now: string): string[] | null {
  const [, line, from = ""] = before.split(" ");
  const [, lineNow, to = ""] = now.split(" ");
  if (line !== lineNow || from === "" || to === "") return null;
  const told = changes.last(database, Number(to) - Number(from));
  return told === null ? null : [...new Set(told.flat())];
}

/** What the rows said is of no worth any more: all of them are gone. */
export function unstamp(database: Database): void {
  dropState(database, STAMP);
  changes.clear(database);
}
