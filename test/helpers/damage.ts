/** Conversations in a real database, and real damage to its file. */
import { Database } from "bun:sqlite";
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalSessions } from "../../src/backends/sessions/local-sessions.ts";
import type { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import { CACHE_VERSION } from "../../src/sqlite/database/migrations.ts";
import { sessionsAt } from "./sessions-at.ts";

const PAGE = 4096;

export interface Said {
  id: number;
  session_id: string;
  role: string;
  content: string;
  timestamp: string;
}

/** Message `number`, counted from one: of five sessions in turn; some are longer than a page. */
export function said(number: number): Omit<Said, "session_id"> & { session: string } {
  const long = number % 40 === 7 ? " and so on".repeat(1_500) : "";
  return {
    id: number,
    session: `session-${number % 5}`,
    role: number % 2 === 0 ? "assistant" : "user",
    content: `Message ${number} of ours: ${"öfter mal was Neues ".repeat(number % 30)}${long}`.trim(),
    timestamp: new Date(1_700_000_000_000 + number * 60_000).toISOString(),
  };
}

export async function converse(sessions: LocalSessions, count: number, from = 1): Promise<void> {
  for (let number = from; number < from + count; number++) {
    const { session, role, content, timestamp } = said(number);
    const message = { role: role as "user", speaker: null, content, timestamp, token_count: number };
    await sessions.append({ id: session, chat: "main", title: `Title of ${session}` }, [message]);
  }
}

/** The file of a database with conversations, as an earlier version left it, which had them in no file. */
export async function imageOf(count: number): Promise<Buffer> {
  const directory = mkdtempSync(join(tmpdir(), "retain-image-"));
  const path = join(directory, "retain.db");
  const { sessions, database } = sessionsAt(directory);
  await converse(sessions, count);
  sessions.close();
  database.close();
  asEarlier(path);
  const image = readFileSync(path);
  rmSync(directory, { recursive: true });
  return image;
}

/** Takes away what came with the files of conversations: the rest of the shape is the earlier one's. */
export function asEarlier(path: string): void {
  using database = new Database(path);
  database.run("DROP TABLE session_files");
  database.run(`PRAGMA user_version = ${CACHE_VERSION - 1}`);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** What was said, as `messagesIn` gives it. */
export function allSaid(count: number): Said[] {
  return Array.from({ length: count }, (_, index) => {
    const { session, ...rest } = said(index + 1);
    return { ...rest, session_id: session };
  });
}

export function messagesIn(database: WorkspaceDatabase): Said[] {
  return database.read([], (rows) =>
    rows.query<Said, []>("SELECT id, session_id, role, content, timestamp FROM messages ORDER BY id").all(),
  );
}

/** The numbers of the pages of a table or an index, in their order: "leaf", "internal" or "overflow". */
export function pagesOf(path: string, name: string, type = "leaf"): number[] {
  const database = new Database(path, { readwrite: true, create: false });
  const query = database.query("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path");
  const pages = query.values(name, type).flat() as number[];
  database.close();
  return pages;
}

/** The pages of what is searched. */
export function searched(path: string): number[] {
  return ["internal", "leaf"].flatMap((type) => pagesOf(path, "chunks", type));
}

/** How many rows are on a page. */
export function rowsOn(path: string, page: number): number {
  const database = new Database(path, { readwrite: true, create: false });
  const [[count]] = database.query("SELECT ncell FROM dbstat WHERE pageno = ?").values(page) as [[number]];
  database.close();
  return count;
}

/** Of a page that a long row goes on to: the page where it goes on; 0 for the last. */
export function nextPage(path: string, page: number): number {
  return readFileSync(path).readUInt32BE((page - 1) * PAGE);
}

export function spoil(path: string, pages: readonly number[], byte = 0xff): void {
  for (const page of pages) overwrite(path, (page - 1) * PAGE, Buffer.alloc(PAGE, byte));
}

export function overwrite(path: string, at: number, bytes: Uint8Array): void {
  const file = openSync(path, "r+");
  writeSync(file, bytes, 0, bytes.length, at);
  closeSync(file);
}

/** The files of the database that are not SQLite's own, by name. */
export function databaseFiles(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.startsWith("retain.db") && !/^retain\.db-(?:wal|shm)$/.test(name))
    .sort();
}

export function setAsideIn(directory: string): string[] {
  return databaseFiles(directory)
    .filter((name) => /\.damaged-\d+(?:-read)?$/.test(name))
    .map((name) => join(directory, name));
}
