/**
 * Reads what can still be read of a damaged table. Rows are asked for by ranges of their number: a page that cannot be
 * read ends a scan, and smaller and smaller ranges find the rows on the other side of it.
 */
import { type Database, SQLiteError } from "bun:sqlite";

export interface DamagedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Which rows, as SQL; all of them by default. */
  readonly where?: string;
  /** An index that lists the same rows: it tells which ones there are where the table does not. */
  readonly index: { readonly name: string; readonly columns: readonly string[] };
}

export interface ReadableRows<Row> {
  /** By their number. Damage may have put any value into any column. */
  readonly rows: Map<number, Row>;
  /** Whether nothing stood in the way. */
  readonly complete: boolean;
  /** The numbers of rows that the index lists and the table does not give. */
  readonly missing: number[];
}

type Order = "ASC" | "DESC";
interface Scan {
  complete: boolean;
  /** Of the last row that was read. */
  number: number | null;
}

/** Where neither the table nor the index tells where the rows end, they are looked for so much further. */
const FARTHEST = 10_000;
/** Some take 100 µs; a table whose every page is bad must end some time. */
const MOST_ATTEMPTS = 30_000;

export function readRows<Row>(database: Database, table: DamagedTable): ReadableRows<Row> {
  const rows = new Map<number, Row>();
  if (!isThere(database, table)) return { rows, complete: false, missing: [] };
  const scan = (order: Order, first: number, last: number) =>
    scanRows(database, table, rows, order, first, last);
  const forward = scan("ASC", 1, Number.MAX_SAFE_INTEGER);
  if (forward.complete) return { rows, complete: true, missing: [] };
  const { listed, end } = listedRows(database, table);
  const low = (forward.number ?? 0) + 1;
  const backward = scan("DESC", low, Number.MAX_SAFE_INTEGER);
  const known = Math.min(backward.number ?? Number.POSITIVE_INFINITY, end ?? Number.POSITIVE_INFINITY);
  const high = Number.isFinite(known) ? known : low + FARTHEST;
  const ranges: [number, number][] = [[low, high - 1]];
  // The widest first: where there are too many, it is the narrow ones that are left.
  for (let attempt = 0; attempt < Math.min(ranges.length, MOST_ATTEMPTS); attempt++) {
    const [first, last] = ranges[attempt] as [number, number];
    const { complete, number } = scan("ASC", first, last);
    const rest = number === null ? first : number + 1;
    if (complete || first === last || rest > last) continue;
    const middle = Math.floor((rest + last) / 2);
    ranges.push([rest, middle], [middle + 1, last]);
  }
  for (const number of listed) if (!rows.has(number)) scan("ASC", number, number);
  return { rows, complete: false, missing: listed.filter((number) => !rows.has(number)) };
}

function isThere(database: Database, { name, columns }: DamagedTable): boolean {
  return untilDamage(() => database.query(`SELECT ${columns.join(", ")} FROM ${name}`));
}

/** Adds the rows from `first` to `last`, in this order, up to one that cannot be read. */
function scanRows<Row>(
  database: Database,
  { name, columns, where = "1" }: DamagedTable,
  rows: Map<number, Row>,
  order: Order,
  first: number,
  last: number,
): Scan {
  let number: number | null = null;
  const complete = untilDamage(() => {
    const query = database.query<{ _number: number } & Row, [number, number]>(
      `SELECT rowid AS _number, ${columns.join(", ")} FROM ${name} NOT INDEXED
       WHERE rowid BETWEEN ? AND ? AND (${where}) ORDER BY rowid ${order}`,
    );
    for (const { _number, ...row } of query.iterate(first, last)) {
      rows.set(_number, row as Row);
      number = _number;
    }
  });
  return { complete, number };
}

/** The numbers that the index lists from either of its ends; and one above all, where it lists them all. */
function listedRows(database: Database, { name, where = "1", index }: DamagedTable) {
  const listed = new Set<number>();
  const scan = (order: Order) =>
    untilDamage(() => {
      const query = database.query<{ _number: number }, []>(
        `SELECT rowid AS _number FROM ${name} INDEXED BY ${index.name} WHERE (${where})
         ORDER BY ${index.columns.map((column) => `${column} ${order}`).join(", ")}`,
      );
      for (const { _number } of query.iterate()) listed.add(_number);
    });
  const complete = scan("ASC");
  if (!complete) scan("DESC");
  const numbers = [...listed].filter((number) => number > 0 && Number.isSafeInteger(number));
  const end = complete ? numbers.reduce((most, number) => Math.max(most, number + 1), 1) : null;
  return { listed: numbers, end };
}

/** What `read` finds; `otherwise` where the database stops it. */
export function unlessDamaged<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SQLiteError) return otherwise;
    throw error;
  }
}

/** Whether `read` came to its end. */
function untilDamage(read: () => void): boolean {
  return unlessDamaged(() => {
    read();
    return true;
  }, false);
}
