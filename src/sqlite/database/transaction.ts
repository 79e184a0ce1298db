import type { Database } from "../driver.ts";

/** Runs `work` in one transaction that begins with SQLite's write lock. Rolls back if it throws. */
export function transaction<T>(database: Database, work: () => T): T {
  database.run("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.run("COMMIT");
    return result;
  } catch (error) {
    if (database.inTransaction) database.run("ROLLBACK");
    throw error;
  }
}
