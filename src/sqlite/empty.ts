/** Emptying a workspace's database: a copy first, then every row that somebody's memory is in or follows from. */
import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { fsyncFile } from "../util/fs.ts";
import { unsettle } from "./documents.ts";
import { unstamp } from "./fact-changes.ts";
import { dropState } from "./state.ts";

/**
 * Writes what the database at `path` holds to a new file, as of the last transaction that was stored, while another connection
 * may hold the lock. Deleted rows are not in it. Durable on return, but for its name.
 */
export function copyDatabase(path: string, target: string): void {
  const reader = new Database(path, { readonly: true, strict: true });
  try {
    reader.run("PRAGMA trusted_schema = OFF");
    reader.query("VACUUM INTO ?").run(target);
  } finally {
    reader.close();
  }
  chmodSync(target, 0o600);
  fsyncFile(target);
}

/**
 * Deletes the rows of all tables, inside a transaction of the caller's. What stays says no word of theirs: whose the database is,
 * what was set aside, what is being forgotten, and which numbers of sessions and messages were given.
 */
export function emptyTables(database: Database): void {
  const tables = database
    .query<{ name: string; type: string }, []>(
      `SELECT name, type FROM pragma_table_list
       WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' AND name <> 'state'`,
    )
    .all();
  for (const { name, type } of tables) {
    if (type === "virtual") database.run(`INSERT INTO ${name} (${name}) VALUES ('delete-all')`);
    else if (type === "table") database.run(`DELETE FROM ${name}`);
  }
  unsettle(database);
  unstamp(database);
  dropState(database, "memories");
}

/** The conversations that there are, and which process has each open. */
export function conversationsIn(
  database: Database,
): { readonly id: string; readonly openedBy: string | null }[] {
  return database
    .query<{ id: string; openedBy: string | null }, []>("SELECT id, opened_by AS openedBy FROM sessions")
    .all();
}
