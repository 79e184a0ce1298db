/**
 * Reads the intact rows of a damaged table. It queries ranges of row ids: a bad page ends a scan, and smaller and smaller ranges
 * find the rows after it.
 */
import { type Database, sqliteCode } from "../driver.ts";

export interface DamagedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** A SQL condition. Default: all rows. */
  readonly where?: string;
  /** An index over the same rows, which shows which ones exist if the table doesn't. */
  readonly index: { readonly name: string; readonly columns: readonly string[] };
}

export interface ReadableRows<Row> {
  /** By row id. Damage may have put any value into any column. */
  readonly rows: Map<number, Row>;
  /** Whether everything was readable. */
  readonly complete: boolean;
  /** Row ids that are in the index but missing from the table. */
  readonly missing: number[];
}

type Order = "ASC" | "DESC";

/** How far to search past the last row if the index doesn't show the end. */
const FARTHEST = 10_000;
/** Some take 100 µs, and a table with only bad pages must end. */
const MOST_ATTEMPTS = 30_000;

export function readRows<Row>(database: Database, table: DamagedTable): ReadableRows<Row> {
  const rows = new Map<number, Row>();
  if (!isThere(database, table)) return { rows, complete: false, missing: [] };
  const scan = (order: Order, first: number, last: number) =>
    scanRows(database, table, rows, { order, first, last });
  if (scan("ASC", 1, Number.MAX_SAFE_INTEGER)) return { rows, complete: true, missing: [] };
  scan("DESC", 1, Number.MAX_SAFE_INTEGER);
  const { listed, highest } = listedRows(database, table);
  const ranges: [number, number][] = [[1, highest ?? highestOf(rows.keys()) + FARTHEST]];
  // From the lowest up, since damage invents high row ids.
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const range = ranges.pop();
    if (range === undefined) break;
    const [first, last] = range;
    if (scan("ASC", first, last) || first >= last) continue;
    const middle = Math.floor((first + last) / 2);
    ranges.push([middle + 1, last], [first, middle]);
  }
  for (const number of listed) if (!rows.has(number)) scan("ASC", number, number);
  return { rows, complete: false, missing: listed.filter((number) => !rows.has(number)) };
}

function highestOf(numbers: Iterable<number>): number {
  let highest = 0;
  for (const number of numbers) highest = Math.max(highest, number);
  return highest;
}

function isThere(database: Database, { name, columns }: DamagedTable): boolean {
  return untilDamage(() => database.query(`SELECT ${columns.join(", ")} FROM ${name}`));
}

/** Adds the rows from `first` to `last` in this order until one is unreadable; returns whether all were readable. */
function scanRows<Row>(
  database: Database,
  { name, columns, where = "1" }: DamagedTable,
  rows: Map<number, Row>,
  { order, first, last }: { order: Order; first: number; last: number },
): boolean {
  let before: number | null = null;
  let inOrder = true;
  const complete = untilDamage(() => {
    const query = database.query<{ _number: number } & Row, [number, number]>(
      `SELECT rowid AS _number, ${columns.join(", ")} FROM ${name} NOT INDEXED
       WHERE rowid BETWEEN ? AND ? AND (${where}) ORDER BY rowid ${order}`,
    );
    for (const { _number, ...row } of query.iterate(first, last)) {
      if (before !== null && _number > before !== (order === "ASC")) inOrder = false;
      if (_number >= first && _number <= last && !rows.has(_number)) rows.set(_number, row as Row);
      before = _number;
    }
  });
  return complete && inOrder;
}

/** Row ids listed from both ends of the index, and the highest if the list is complete. */
function listedRows(database: Database, { name, where = "1", index }: DamagedTable) {
  const numbers = new Set<number>();
  const scan = (order: Order) =>
    untilDamage(() => {
      const query = database.query<{ _number: number }, []>(
        `SELECT rowid AS _number FROM ${name} INDEXED BY ${index.name} WHERE (${where})
         ORDER BY ${index.columns.map((column) => `${column} ${order}`).join(", ")}`,
      );
      for (const { _number } of query.iterate()) numbers.add(_number);
    });
  const complete = scan("ASC");
  if (!complete) scan("DESC");
  const listed = [...numbers].filter((number) => number > 0 && Number.isSafeInteger(number));
  return { listed, highest: complete ? highestOf(listed) : null };
}

/** The result of `read`; `otherwise` if the database fails. */
export function unlessDamaged<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (sqliteCode(error) !== null) return otherwise;
    throw error;
  }
}

/** Whether `read` finished. */
function untilDamage(read: () => void): boolean {
  return unlessDamaged(() => {
    read();
    return true;
  }, false);
}
