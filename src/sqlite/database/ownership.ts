/**
 * Decides whether a project's database is the user's. A repository can include one, and its contents would count as the user's
 * own words. So each database has a token that the home workspace knows. An unknown one that came with the repository is a
 * stranger's; an unknown one that the user brought (a moved project, another machine) is accepted.
 */
import { RetainError } from "../../core/errors.ts";
import type { Database } from "../driver.ts";
import { isDamage, isWrongShape } from "../faults.ts";

export interface DatabaseOwner {
  knows(token: string): boolean;
  /** Durable on return. Throws `io`. */
  remember(token: string): void;
  /** Whether git tracks the file, so that it came with the repository. */
  isTracked(path: string): boolean;
}

/** A stranger's database: nothing in it is the user's. */
export class StrangersDatabase extends Error {}

/** Creates and registers a token. Throws like `remember`. */
export function newToken(owner: DatabaseOwner): string {
  const token = crypto.randomUUID().replaceAll("-", "");
  owner.remember(token);
  return token;
}

/** Stores a token in a database that has none. */
export function storeToken(database: Database, token: string): void {
  database.query("INSERT OR IGNORE INTO state (key, value) VALUES ('token', ?)").run(token);
}

/**
 * Accepts a database with this token (null: none readable). Registers an unknown one that did not come with the repository;
 * returns the token to store if it has none. Throws StrangersDatabase.
 */
export function requireOwn(token: string | null, path: string, owner: DatabaseOwner): string | null {
  if (token !== null && owner.knows(token)) return null;
  if (owner.isTracked(path)) throw new StrangersDatabase();
  try {
    if (token === null) return newToken(owner);
    owner.remember(token);
  } catch (error) {
    // If the home workspace isn't writable, git is asked again next time.
    if (!(error instanceof RetainError)) throw error;
  }
  return null;
}

/** null if there is no readable token. Runs nothing that a foreign schema computes. */
export function tokenIn(database: Database): string | null {
  try {
    if (runsCode(database)) return null;
    const row = database.query<{ value: unknown }, []>("SELECT value FROM state WHERE key = 'token'").get();
    return typeof row?.value === "string" ? row.value : null;
  } catch (error) {
    if (isDamage(error) || isWrongShape(error)) return null;
    throw error;
  }
}

/** Whether its schema has triggers or views; ours has neither. */
export function runsCode(database: Database): boolean {
  const query = database.query("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1");
  return query.values().length > 0;
}
