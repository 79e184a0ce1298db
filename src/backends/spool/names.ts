/**
 * What the names of a spool's files say, so that counting and ordering open none of them: "<order>-<key>-<copy>.json". The order is
 * the time in milliseconds, or one more than the last; the key is hashed, since nothing that a user wrote becomes a path. A file
 * is never changed: a newer entry of the same key is another file, and the highest order counts. What needs a person has a
 * mark beside it that says why.
 */
import { isTemporaryName } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";

export interface Queued {
  /** The file's name without its ending. */
  readonly id: string;
  readonly order: number;
  /** Of the key. */
  readonly hash: string;
}

/** "refused" by the server; "damaged": the file says nothing that could be sent. */
export type Mark = "refused" | "damaged";

/** The oldest first, each. An entry is in one of the first four. */
export interface Listing {
  readonly waiting: readonly Queued[];
  readonly refused: readonly Queued[];
  /** Whether a newer one has its key is not known of these: they never give way. */
  readonly damaged: readonly Queued[];
  /** A newer one of the same key is there. */
  readonly superseded: readonly Queued[];
  /** Marks of what is gone. */
  readonly orphans: readonly string[];
  /** Writes that were begun. */
  readonly unfinished: readonly string[];
  /** The highest order; 0 where there is nothing. */
  readonly last: number;
}

/** The order is at most the last time that a clock can tell, and what follows it. */
const NAME = /^(\d{15}|[1-8]\d{15})-([0-9a-f]{32})-[0-9a-f]{8}(\.refused|\.damaged)?\.json$/;
const ENDING = ".json".length;

export function hashOf(key: string): string {
  return sha256(key).slice(0, 32);
}

export function newQueued(key: string, order: number): Queued {
  const hash = hashOf(key);
  const copy = crypto.randomUUID().slice(0, 8);
  return { id: `${String(order).padStart(15, "0")}-${hash}-${copy}`, order, hash };
}

export function fileName(id: string, mark?: Mark): string {
  return mark === undefined ? `${id}.json` : `${id}.${mark}.json`;
}

/** Other names are nobody's business. */
export function listingOf(names: Iterable<string>): Listing {
  const entries: Queued[] = [];
  const marks = new Map<string, Mark>();
  const unfinished: string[] = [];
  for (const name of names) {
    const match = NAME.exec(name);
    if (isTemporaryName(name)) unfinished.push(name);
    if (match === null) continue;
    const [, order = "", hash = "", mark = ""] = match;
    const id = name.slice(0, -ENDING - mark.length);
    if (mark === "") entries.push({ id, order: Number(order), hash });
    else marks.set(id, mark === ".damaged" ? "damaged" : "refused");
  }
  entries.sort(byAge);
  const orphans = orphansIn(marks, entries);
  return { ...lotsOf(entries, marks), orphans, unfinished, last: entries.at(-1)?.order ?? 0 };
}

type Lot = "waiting" | "superseded" | Mark;

/** `entries` is sorted, and so are the lots. */
function lotsOf(entries: readonly Queued[], marks: ReadonlyMap<string, Mark>): Record<Lot, Queued[]> {
  const newest = new Map<string, Queued>();
  for (const entry of entries) if (marks.get(entry.id) !== "damaged") newest.set(entry.hash, entry);
  const lots: Record<Lot, Queued[]> = { waiting: [], refused: [], damaged: [], superseded: [] };
  const lotOf = (entry: Queued): Lot => {
    const mark = marks.get(entry.id);
    if (mark === "damaged") return mark;
    return newest.get(entry.hash) === entry ? (mark ?? "waiting") : "superseded";
  };
  for (const entry of entries) lots[lotOf(entry)].push(entry);
  return lots;
}

function orphansIn(marks: ReadonlyMap<string, Mark>, entries: readonly Queued[]): string[] {
  if (marks.size === 0) return [];
  const ids = new Set(entries.map(({ id }) => id));
  return [...marks].flatMap(([id, mark]) => (ids.has(id) ? [] : fileName(id, mark)));
}

/** The oldest first. */
export function byAge(one: Queued, other: Queued): number {
  return one.order - other.order || (one.id < other.id ? -1 : 1);
}
