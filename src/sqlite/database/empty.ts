/** Deletes all rows that hold or derive from memory. */
import { unsettle } from "../documents.ts";
import type { Database } from "../driver.ts";
import { unstamp } from "./fact-stamp.ts";
import { dropState } from "./state.ts";

/** Deletes the rows of all tables inside the caller's transaction. Keeps only the ownership token and what is being erased. */
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

/** The conversations, and which process has each open. */
export function conversationsIn(
  database: Database,
): { readonly id: string; readonly openedBy: string | null }[] {
  return database
    .query<{ id: string; openedBy: string | null }, []>("SELECT id, opened_by AS openedBy FROM sessions")
    .all();
}
