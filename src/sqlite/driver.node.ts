/** SQLite as Node has it built in. Replaces `driver.ts` in the library for Node, and behaves the same. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { RetainError } from "../core/errors.ts";
import type { Database, OpenMode, SqlParameters, SqlValue, Statement } from "./driver.ts";

type NodeValue = string | number | bigint | Uint8Array | null;

/** Not imported, so that an older Node gets an error that says what to do. */
const builtIn = process.getBuiltinModule?.("node:sqlite")?.DatabaseSync;
if (builtIn === undefined || !("serialize" in builtIn.prototype))
  throw new RetainError(
    "usage",
    `The library needs Node 24.16 or newer; this is ${process.version}.`,
    "Update Node, or use Bun to run your program.",
  );
const Sqlite = builtIn;

/** Bun's settings; Node's defaults are stricter. */
const OPTIONS = {
  enableForeignKeyConstraints: false,
  enableDoubleQuotedStringLiterals: true,
  allowUnknownNamedParameters: true,
  defensive: false,
};
const MOST_STATEMENTS = 200;
/** How often the file may change while it is being opened. */
const TRIES = 10;

export function connect(path: string, mode: OpenMode): Database {
  for (let tries = 1; ; tries++) {
    const before = identityOf(path);
    const database = new NodeDatabase(open(path, mode), path, before);
    // Equal before and after, so it is the identity of the open file. A file that was just created is opened again.
    if (before === identityOf(path) || tries === TRIES) return database;
    database.close();
  }
}

function open(path: string, mode: OpenMode): DatabaseSync {
  if (mode === "create") return new Sqlite(path, OPTIONS);
  const url = pathToFileURL(path);
  url.searchParams.set("mode", mode === "read" ? "ro" : "rw");
  return new Sqlite(url, { ...OPTIONS, readOnly: mode === "read" });
}

export function connectInMemory(image?: Uint8Array): Database {
  const database = new Sqlite(":memory:", OPTIONS);
  if (image !== undefined) database.deserialize(image);
  return new NodeDatabase(database, ":memory:", null);
}

export function hasMoved(database: Database): boolean {
  return (database as NodeDatabase).hasMoved;
}

/** By number. */
const CODES = (
  "OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA " +
  "TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB"
).split(" ");

export function sqliteCode(error: unknown): string | null {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return null;
  return CODES[error.errcode & 0xff] ?? "ERROR";
}

/** null if there is no file. */
function identityOf(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? null : `${stats.dev} ${stats.ino} ${stats.birthtimeNs}`;
}

class NodeDatabase implements Database {
  readonly filename: string;
  /** By text, least recently used first. */
  readonly #statements = new Map<string, NodeStatement>();

  constructor(
    private readonly database: DatabaseSync,
    path: string,
    /** The open file's; null in memory. */
    private readonly identity: string | null,
  ) {
    this.filename = identity === null ? path : resolve(path);
  }

  get hasMoved(): boolean {
    return this.identity !== identityOf(this.filename);
  }

  get inTransaction(): boolean {
    return this.database.isOpen && this.database.isTransaction;
  }

  run(sql: string): void {
    this.database.exec(sql);
  }

  query<Row, Given extends SqlParameters>(sql: string): Statement<Row, Given> {
    const statement = this.#statements.get(sql) ?? new NodeStatement(this.database.prepare(sql));
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > MOST_STATEMENTS)
      this.#statements.delete(this.#statements.keys().next().value ?? "");
    return statement as unknown as Statement<Row, Given>;
  }

  serialize(): Uint8Array {
    return this.database.serialize();
  }

  close(): void {
    this.#statements.clear();
    if (this.database.isOpen) this.database.close();
  }
}

/** Bun binds whole numbers as integers, which matters in columns without a type, and accepts booleans and undefined. */
function bindable(values: SqlParameters): NodeValue[] {
  return values.map((value) =>
    isNamed(value)
      ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bindableValue(one)]))
      : bindableValue(value),
  ) as NodeValue[];
}

function isNamed(value: SqlParameters[number]): value is Readonly<Record<string, SqlValue>> {
  return typeof value === "object" && value !== null && !(value instanceof Uint8Array);
}

function bindableValue(value: SqlValue): NodeValue {
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  return value ?? null;
}

/** Node's rows have no prototype. */
function plain(row: object): object {
  return { ...row };
}

/** Bigints as numbers, as Bun reads them. */
function rounded(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rounded(one)]));
}

class NodeStatement implements Statement<object, SqlParameters> {
  constructor(private readonly statement: StatementSync) {}

  all(...values: SqlParameters): object[] {
    return this.#read(false, () => this.statement.all(...bindable(values)).map(plain));
  }

  get(...values: SqlParameters): object | null {
    const row = this.#read(false, () => this.statement.get(...bindable(values)));
    return row === undefined ? null : plain(row);
  }

  values(...values: SqlParameters): unknown[][] {
    return this.#read(true, () => this.statement.all(...bindable(values)) as unknown as unknown[][]);
  }

  *iterate(...values: SqlParameters): Iterable<object> {
    this.statement.setReturnArrays(false);
    // Rows are read one by one, so all integers are read as bigints: a retry would give rows twice.
    this.statement.setReadBigInts(true);
    try {
      for (const row of this.statement.iterate(...bindable(values))) yield rounded(row) as object;
    } finally {
      this.statement.setReadBigInts(false);
    }
  }

  run(...values: SqlParameters): { changes: number } {
    return { changes: Number(this.statement.run(...bindable(values)).changes) };
  }

  /** Node refuses to read integers that a number can't represent exactly; then they are rounded. */
  #read<T>(asArrays: boolean, read: () => T): T {
    this.statement.setReturnArrays(asArrays);
    try {
      return read();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    this.statement.setReadBigInts(true);
    try {
      return rounded(read()) as T;
    } finally {
      this.statement.setReadBigInts(false);
    }
  }
}
