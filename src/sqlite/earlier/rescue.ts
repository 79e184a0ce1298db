/**
 * Recovers conversations from a damaged database of an earlier version into an empty one, keeping their numbers. They exist
 * nowhere else; the rest is derived from files. Each message is stored twice, as its row and as search text, so one can replace
 * the other.
 */
import { sha256 } from "../../util/hash.ts";
import type { Database } from "../driver.ts";
import { isConstraint } from "../faults.ts";
import { type DamagedTable, type ReadableRows, readRows, unlessDamaged } from "./damaged-table.ts";

export interface Rescued {
  readonly messages: number;
  /** The sessions of these messages. */
  readonly sessions: number;
  /** Messages known to have existed. */
  readonly lost: number;
  /** Whether the file could be searched for conversations at all. */
  readonly readable: boolean;
}

interface MessageRow {
  readonly id: number;
  readonly session_id: string;
  readonly chat: string;
  readonly role: string;
  readonly speaker: string | null;
  readonly content: string;
  readonly timestamp: string;
  readonly token_count: number | null;
  /** JSON; missing in files from before messages had details. */
  readonly details?: string;
}

/** The search text of a message. */
interface Copy {
  readonly source: string;
  readonly text: string;
  readonly hash: string;
  readonly session: string;
  readonly scope: string;
  readonly speaker: string | null;
  readonly at: number | null;
  readonly trust: string;
}

/** Recovers all columns that the new database has too. */
type WholeTable = Omit<DamagedTable, "columns">;

const SESSIONS: WholeTable = {
  name: "sessions",
  index: { name: "sqlite_autoindex_sessions_1", columns: ["id"] },
};
const MESSAGES: WholeTable = {
  name: "messages",
  index: { name: "messages_of_session", columns: ["session_id", "id"] },
};
/** The session numbers in use. */
const STATE: WholeTable = {
  name: "state",
  where: "key LIKE 'session:%'",
  index: { name: "sqlite_autoindex_state_1", columns: ["key"] },
};
const COPIES: DamagedTable = {
  name: "chunks",
  columns: ["source", "text", "hash", "session", "scope", "speaker", "at", "trust"],
  where: "kind = 'message'",
  index: { name: "chunks_of_source", columns: ["kind", "source"] },
};

/** Adds everything readable in `damaged`, a file of `bytes` bytes; existing rows stay unchanged. */
export function rescue(database: Database, damaged: Database, bytes: number): Rescued {
  for (const table of [STATE, SESSIONS])
    for (const row of readWhole<object>(damaged, table, database).rows.values())
      insert(database, table.name, row);
  const messages = readWhole<MessageRow>(damaged, MESSAGES, database);
  const copies = copiesOf(damaged);
  const stored = storeMessages(database, messages, copies);
  database.run(
    `INSERT INTO sessions (id, chat, created_at, updated_at)
     SELECT session_id, chat, min(timestamp), max(timestamp) FROM messages
     WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id`,
  );
  const last = lastNumber(damaged) ?? (messages.complete ? 0 : null);
  reserveNumbers(database, [...messages.missing, ...copies.keys()], last, bytes);
  return { ...stored, readable: messages.complete || stored.messages + stored.lost > 0 };
}

function readWhole<Row>(damaged: Database, table: WholeTable, database: Database): ReadableRows<Row> {
  const known = new Set(columnsOf(damaged, table.name));
  const columns = columnsOf(database, table.name).filter((column) => known.has(column));
  return readRows<Row>(damaged, { ...table, columns });
}

/** Only copies that match their hash. */
function copiesOf(damaged: Database): Map<number, Copy> {
  const copies = new Map<number, Copy>();
  for (const copy of readRows<Copy>(damaged, COPIES).rows.values()) {
    const id = Number(copy.source);
    const sound = !isGarbled(copy) && copy.hash === sha256(`\0${copy.text}`);
    if (sound && Number.isSafeInteger(id) && id > 0) copies.set(id, copy);
  }
  return copies;
}

function storeMessages(
  database: Database,
  { rows, complete, missing }: ReadableRows<MessageRow>,
  copies: ReadonlyMap<number, Copy>,
): Omit<Rescued, "readable"> {
  const sessions = new Set<string>();
  const lost = new Set(missing);
  let messages = 0;
  const store = (row: MessageRow) => {
    const stored = insert(database, "messages", row);
    if (stored === null) lost.add(row.id);
    else lost.delete(row.id);
    if (!stored) return;
    sessions.add(row.session_id);
    messages++;
  };
  for (const [id, row] of rows) store(mended(row, copies.get(id)));
  // A table that was read completely knows best which messages exist.
  for (const [id, copy] of copies) if (lost.has(id) || !(complete || rows.has(id))) store(fromCopy(id, copy));
  return { messages, sessions: sessions.size, lost: lost.size };
}

/** SQLite doesn't notice damage inside a long row: bytes that are not text, or zeros. */
function isGarbled(row: object): boolean {
  return Object.values(row).some((value) => typeof value === "string" && /[\0\ufffd]/.test(value));
}

function mended({ details = "{}", ...row }: MessageRow, copy: Copy | undefined): MessageRow {
  const kept = { details: isObject(details) ? details : "{}" };
  if (copy === undefined || !isGarbled(row)) return { ...row, ...kept };
  const sound = fromCopy(row.id, copy);
  return { ...row, ...sound, ...kept, role: isGarbled([row.role]) ? sound.role : row.role };
}

/** Damaged details are kept if they still parse as JSON, since there is no other copy. */
function isObject(json: string): boolean {
  try {
    return JSON.parse(json)?.constructor === Object;
  } catch {
    return false;
  }
}

function fromCopy(id: number, { session, scope, speaker, text, at, trust }: Copy): MessageRow {
  const said = new Date(at ?? Number.NaN);
  return {
    id,
    session_id: session,
    chat: scope,
    role: trust === "stated" ? "user" : "assistant",
    speaker,
    content: text,
    timestamp: Number.isNaN(said.getTime()) ? "" : said.toISOString(),
    token_count: null,
  };
}

/** Whether the row is new; null if it violates the table's constraints. */
function insert(database: Database, table: string, row: object): boolean | null {
  const columns = Object.keys(row);
  const placeholders = columns.map(() => "?").join(", ");
  try {
    const { changes } = database
      .query(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${placeholders}) ON CONFLICT DO NOTHING`)
      .run(...Object.values(row));
    return changes > 0;
  } catch (error) {
    if (isConstraint(error)) return null;
    throw error;
  }
}

function columnsOf(database: Database, table: string): string[] {
  const names = () => database.query("SELECT name FROM pragma_table_info(?)").values(table) as [string][];
  return unlessDamaged<[string][]>(names, []).flat();
}

/** Only damage produces such a number. */
const UNLIKELY_NUMBER = 2 ** 40;

/** The highest message number ever used; null if unreadable. */
function lastNumber(damaged: Database): number | null {
  return unlessDamaged(() => {
    const [row] = damaged.query("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").values();
    const number = row?.[0];
    return typeof number === "number" && number < UNLIKELY_NUMBER ? number : null;
  }, null);
}

/** Smaller than any message. */
const SMALLEST_MESSAGE = 64;

/** Facts refer to messages by number, so a number that may have been used is never reused. */
function reserveNumbers(
  database: Database,
  known: readonly number[],
  last: number | null,
  bytes: number,
): void {
  const used = known
    .filter((number) => number < UNLIKELY_NUMBER)
    .reduce((most, number) => Math.max(most, number), lastNumber(database) ?? 0);
  const reserved = Math.max(used, last ?? used + Math.ceil(bytes / SMALLEST_MESSAGE));
  database.run("DELETE FROM sqlite_sequence WHERE name = 'messages'");
  database.query("INSERT INTO sqlite_sequence (name, seq) VALUES ('messages', ?)").run(reserved);
}
