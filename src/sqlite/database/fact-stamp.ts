/**
 * A stamp for the fact rows that changes whenever they do. A long-lived process can tell that they are unchanged, or which ones
 * changed, and reads only those.
 */
import type { Database } from "../driver.ts";
import { ChangeLog } from "./change-log.ts";
import { dropState, setState, stateOf } from "./state.ts";

const STAMP = "facts";
/** Bump it when facts are indexed differently. */
const FORMAT = "2";

/** The most facts recorded per change. */
const MOST_FACTS = 100;
/** A list of ids per change. */
const changes = new ChangeLog<readonly string[]>("fact changes", 100);

/** null if the rows have another format, or were never written. */
export function stampOf(database: Database): string | null {
  const stamp = stateOf(database, STAMP);
  return stamp?.startsWith(`${FORMAT} `) ? stamp : null;
}

/**
 * Stamps the rows after a change, inside its transaction. If facts were removed, the log of changes is dropped: a forgotten fact
 * leaves not even its id.
 */
export function restamp(
  database: Database,
  before: string | null,
  { changed, removed }: { changed: readonly string[]; removed: number },
): string {
  if (before !== null && changed.length + removed === 0) return before;
  const [, line = "", number = ""] = before?.split(" ") ?? [];
  const continues = number !== "" && removed === 0 && changed.length <= MOST_FACTS;
  const stamp = continues ? `${FORMAT} ${line} ${Number(number) + 1}` : `${FORMAT} ${crypto.randomUUID()} 0`;
  setState(database, STAMP, stamp);
  if (continues) changes.note(database, changed);
  else changes.clear(database);
  return stamp;
}

/** The ids of facts that changed between two stamps; null if unknown. */
export function changedBetween(database: Database, before: string, now: string): string[] | null {
  const [, line, from = ""] = before.split(" ");
  const [, lineNow, to = ""] = now.split(" ");
  if (line !== lineNow || from === "" || to === "") return null;
  const logged = changes.last(database, Number(to) - Number(from));
  return logged === null ? null : [...new Set(logged.flat())];
}

/** Invalidates the stamp after all rows are deleted. */
export function unstamp(database: Database): void {
  dropState(database, STAMP);
  changes.clear(database);
}
