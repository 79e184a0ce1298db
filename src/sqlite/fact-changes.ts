/**
 * What the rows of facts say has a name, and another one whenever they change: so a process that goes on knows without reading
 * them that they are what they were, or else which of them changed, and reads only those.
 */
import type { Database } from "bun:sqlite";

const STAMP = "facts";
const CHANGES = "fact changes";
/** Goes up when facts come into the index in another way. */
const FORMAT = "1";

/** As many changes back, and so many facts in one, can be told. */
const MOST_CHANGES = 100;
const MOST_FACTS = 100;

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
  const changes = goesOn ? [...changesOf(database), changed].slice(-MOST_CHANGES) : [];
  setState(database, STAMP, stamp);
  setState(database, CHANGES, JSON.stringify(changes));
  return stamp;
}

/** The ids of the facts that changed or came between two names; null where that is not known. */
export function changedBetween(database: Database, before: string, now: string): string[] | null {
  const [, line, from = ""] = before.split(" ");
  const [, lineNow, to = ""] = now.split(" ");
  const changes = changesOf(database);
  const count = Number(to) - Number(from);
  if (line !== lineNow || from === "" || to === "" || count > changes.length) return null;
  return [...new Set(changes.slice(-count).flat())];
}

function changesOf(database: Database): string[][] {
  return JSON.parse(stateOf(database, CHANGES) ?? "[]") as string[][];
}

function stateOf(database: Database, key: string): string | null {
  const [row] = database.query("SELECT value FROM state WHERE key = ?").values(key) as [string][];
  return row?.[0] ?? null;
}

function setState(database: Database, key: string, value: string): void {
  database.query("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)").run(key, value);
}
