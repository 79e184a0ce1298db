/**
 * Names of spool files: "<order>-<key>-<copy>.json", so that counting and sorting open no file. The order is the time in
 * milliseconds, or one more than the last; the key is hashed, since user text must not become a path. Files are never changed: a
 * newer entry of the same key is another file, and the highest order counts. An entry that needs a person or
 * a pause has a mark file with the reason.
 */
import { isTemporaryName } from "../../util/fs.ts";
import { sha256 } from "../../util/hash.ts";

export interface Queued {
  /** The file's name without its ending. */
  readonly id: string;
  readonly order: number;
  /** Hash of the key. */
  readonly hash: string;
}

/**
 * "refused": by the server; "damaged": the file has no valid content; "again": the server did not take or process it, and it is
 * retried after a pause.
 */
export type Mark = "refused" | "damaged" | "again";

/** Each list is sorted oldest first. An entry is in one of the first four. */
export interface Listing {
  readonly pending: readonly Queued[];
  /** Ids of entries with the mark "again". */
  readonly again: ReadonlySet<string>;
  readonly refused: readonly Queued[];
  /** Never superseded, since their key is unknown. */
  readonly damaged: readonly Queued[];
  /** A newer entry of the same key exists. */
  readonly superseded: readonly Queued[];
  /** Marks without an entry. */
  readonly orphans: readonly string[];
  /** Temporary files of unfinished writes. */
  readonly unfinished: readonly string[];
  /** The highest order; 0 if there are no entries. */
  readonly last: number;
}

/** The order is at most the latest time a Date can represent, plus increments. */
const NAME = /^(\d{15}|[1-8]\d{15})-([0-9a-f]{32})-[0-9a-f]{8}(?:\.(refused|damaged|again))?\.json$/;
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

/** Ignores other names. */
export function listingOf(names: Iterable<string>): Listing {
  const entries: Queued[] = [];
  const marks = new Map<string, Stuck>();
  const again = new Set<string>();
  const unfinished: string[] = [];
  for (const name of names) {
    const match = NAME.exec(name);
    if (isTemporaryName(name)) unfinished.push(name);
    if (match === null) continue;
    const [, order = "", hash = "", mark = ""] = match;
    const id = name.slice(0, mark === "" ? -ENDING : -ENDING - 1 - mark.length);
    if (mark === "") entries.push({ id, order: Number(order), hash });
    else if (mark === "again") again.add(id);
    else marks.set(id, mark === "damaged" ? "damaged" : "refused");
  }
  entries.sort(byAge);
  const orphans = orphansIn([...marks, ...[...again].map((id) => [id, "again"] as const)], entries);
  return { ...lotsOf(entries, marks), again, orphans, unfinished, last: entries.at(-1)?.order ?? 0 };
}

/** Not sent again without a person. */
type Stuck = Exclude<Mark, "again">;
type Lot = "pending" | "superseded" | Stuck;

/** `entries` is sorted, so the lots are too. */
function lotsOf(entries: readonly Queued[], marks: ReadonlyMap<string, Stuck>): Record<Lot, Queued[]> {
  const newest = new Map<string, Queued>();
  for (const entry of entries) if (marks.get(entry.id) !== "damaged") newest.set(entry.hash, entry);
  const lots: Record<Lot, Queued[]> = { pending: [], refused: [], damaged: [], superseded: [] };
  const lotOf = (entry: Queued): Lot => {
    const mark = marks.get(entry.id);
    if (mark === "damaged") return mark;
    return newest.get(entry.hash) === entry ? (mark ?? "pending") : "superseded";
  };
  for (const entry of entries) lots[lotOf(entry)].push(entry);
  return lots;
}

function orphansIn(marks: readonly (readonly [string, Mark])[], entries: readonly Queued[]): string[] {
  if (marks.length === 0) return [];
  const ids = new Set(entries.map(({ id }) => id));
  return marks.flatMap(([id, mark]) => (ids.has(id) ? [] : fileName(id, mark)));
}

export function byAge(one: Queued, other: Queued): number {
  return one.order - other.order || (one.id < other.id ? -1 : 1);
}
