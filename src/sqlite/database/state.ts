/** The table `state`: facts about the index itself, one text per key. */
import type { Database } from "../driver.ts";

export function stateOf(database: Database, key: string): string | null {
  const [row] = database.query("SELECT value FROM state WHERE key = ?").values(key) as [string][];
  return row?.[0] ?? null;
}

export function setState(database: Database, key: string, value: string): void {
  database.query("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)").run(key, value);
}

export function dropState(database: Database, key: string): void {
  database.query("DELETE FROM state WHERE key = ?").run(key);
}
