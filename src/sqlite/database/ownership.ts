/**
 * Whose a project's database is. A repository can carry one, and what is said in it would count as the user's own words. So
 * each has a token that the user's home workspace knows; one that is not known there and came with the repository is a
 * stranger's, while one that the user brought along (a moved project, another machine) is taken over.
 */
import { type Database, SQLiteError } from "bun:sqlite";
import { RetainError } from "../../core/errors.ts";
import { isDamage } from "./faults.ts";

export interface DatabaseOwner {
  knows(token: string): boolean;
  /** Durable on return. Throws `io`. */
  remember(token: string): void;
  /** Whether the file came with the repository: git tracks it. */
  isTracked(path: string): boolean;
}

/** Thrown for a stranger's database: nothing in it is the user's. */
export class StrangersDatabase extends Error {}

/** A new token, which is known from now on. Throws as `remember`. */
export function newToken(owner: DatabaseOwner): string {
  const token = crypto.randomUUID().replaceAll("-", "");
  owner.remember(token);
  return token;
}

/** In the place of none that is there. */
export function storeToken(database: Database, token: string): void {
  database.query("INSERT OR IGNORE INTO state (key, value) VALUES ('token', ?)").run(token);
}

/**
 * Lets a database pass that has this token (null: none that could be read). One that is not known, and did not come with the
 * repository, is known from now on; returns the token that it is to be given where it has none. Throws StrangersDatabase.
 */
export function requireOwn(token: string | null, path: string, owner: DatabaseOwner): string | null {
  if (token !== null && owner.knows(token)) return null;
  if (owner.isTracked(path)) throw new StrangersDatabase();
  try {
    if (token === null) return newToken(owner);
    owner.remember(token);
  } catch (error) {
    // A home that cannot be written costs another look by git the next time.
    if (!(error instanceof RetainError)) throw error;
  }
  return null;
}

/** null where there is none, or none that could be read. What a schema of somebody else's would compute is not asked for. */
export function tokenIn(database: Database): string | null {
  try {
    if (runsCode(database)) return null;
    const row = database.query<{ value: unknown }, []>("SELECT value FROM state WHERE key = 'token'").get();
    return typeof row?.value === "string" ? row.value : null;
  } catch (error) {
    if (isDamage(error) || isOtherShape(error)) return null;
    throw error;
  }
}

/** Whether its schema does anything by itself when a table is read or changed: ours has neither triggers nor views. */
export function runsCode(database: Database): boolean {
  const query = database.query("SELECT 1 FROM sqlite_schema WHERE type IN ('trigger', 'view') LIMIT 1");
  return query.values().length > 0;
}

function isOtherShape(error: unknown): boolean {
  return error instanceof SQLiteError && (error.code ?? "SQLITE_ERROR") === "SQLITE_ERROR";
}
