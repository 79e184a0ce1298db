/**
 * SQLite as Bun has it built in: the only file that imports it. The library for Node has `driver.node.ts` instead, which exports
 * the same.
 */
import { Database as BunDatabase, constants, SQLiteError } from "bun:sqlite";

export type SqlValue = string | number | bigint | boolean | Uint8Array | null | undefined;

/** Values in order, or one object with named values. */
export type SqlParameters = readonly (SqlValue | Readonly<Record<string, SqlValue>>)[];

export interface Statement<Row, Given extends SqlParameters> {
  all(...values: Given): Row[];
  /** The first row, or null. */
  get(...values: Given): Row | null;
  /** Rows as arrays. */
  values(...values: Given): unknown[][];
  iterate(...values: Given): Iterable<Row>;
  run(...values: Given): { readonly changes: number };
}

export interface Database {
  readonly filename: string;
  readonly inTransaction: boolean;
  /** Runs statements that return nothing. */
  run(sql: string): void;
  /** A prepared statement, cached by its text. */
  query<Row = unknown, Given extends SqlParameters = SqlParameters>(sql: string): Statement<Row, Given>;
  /** The bytes of the database file, with the changes in its WAL. */
  serialize(): Uint8Array;
  close(): void;
}

/** "create" also creates a missing file. */
export type OpenMode = "create" | "write" | "read";

/** Bun caches twenty prepared statements, fewer than alternating writes and recalls use. */
BunDatabase.MAX_QUERY_CACHE_SIZE = 200;

export function connect(path: string, mode: OpenMode): Database {
  const access = mode === "read" ? { readonly: true } : { readwrite: true, create: mode === "create" };
  return new BunDatabase(path, { ...access, strict: true }) as Database;
}

/** A database in memory: empty, or with the bytes of a database file. */
export function connectInMemory(image?: Uint8Array): Database {
  if (image === undefined) return new BunDatabase(":memory:", { strict: true }) as Database;
  return BunDatabase.deserialize(image, { strict: true }) as Database;
}

/** Whether the open file no longer has its name. */
export function hasMoved(database: Database): boolean {
  const moved = new Int32Array(2);
  (database as BunDatabase).fileControl(constants.SQLITE_FCNTL_HAS_MOVED, moved);
  return moved[0] !== 0;
}

/** SQLite's primary result code without its prefix, such as "BUSY"; null for an error that isn't SQLite's. */
export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof SQLiteError)) return null;
  return /^SQLITE_([A-Z]+)/.exec(error.code ?? "")?.[1] ?? "ERROR";
}
