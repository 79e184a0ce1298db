/**
 * Texts by key in one small SQLite file, and a lock for each key. Several processes may use it at once, and any of them may be killed.
 * For state that can be lost without harm: a damaged file is replaced by an empty one.
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { ensureDirectory, removeIfThere } from "../util/fs.ts";
import { transaction } from "./database/transaction.ts";
import { connect, type Database } from "./driver.ts";
import { isDamage } from "./faults.ts";

const TABLES = `
  CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, text TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS locks (key TEXT PRIMARY KEY, holder TEXT NOT NULL) WITHOUT ROWID;`;
/** Another process holds SQLite's lock only while it writes one row. */
const PATIENCE = "PRAGMA busy_timeout = 400";
const PRIVATE = 0o600;

export class KeyedTexts {
  #database: Database | null = null;

  constructor(private readonly path: string) {}

  /** null if there is none, or if the file cannot be read. */
  read(key: string): string | null {
    if (!existsSync(this.path)) return null;
    try {
      return this.#use((database) => textOf(database, key));
    } catch {
      return null;
    }
  }

  /** Replaces a text by the result of `edit`, which gets the current one; null removes it. Throws if it cannot be written. */
  change(key: string, at: Date, edit: (before: string | null) => string | null): void {
    this.#write((database) => {
      const text = edit(textOf(database, key));
      if (text === null) {
        database.query("DELETE FROM texts WHERE key = ?").run(key);
        return;
      }
      const put = database.query(
        "INSERT INTO texts VALUES (?1, ?2, ?3) ON CONFLICT (key) DO UPDATE SET text = ?2, at = ?3",
      );
      put.run(key, text, at.getTime());
    });
  }

  /** Whether `holder` now has the lock of this key. Takes over the lock of a holder that `isGone`. */
  take(key: string, holder: string, isGone: (holder: string) => boolean): boolean {
    return this.#write((database) => {
      const query = database.query<{ holder: string }, [string]>("SELECT holder FROM locks WHERE key = ?");
      const other = query.get(key)?.holder;
      if (other !== undefined && !isGone(other)) return false;
      database.query("INSERT OR REPLACE INTO locks VALUES (?, ?)").run(key, holder);
      return true;
    });
  }

  release(key: string, holder: string): void {
    this.#write((database) =>
      database.query("DELETE FROM locks WHERE key = ? AND holder = ?").run(key, holder),
    );
  }

  /** Keeps the newest `most` texts that changed since `since`. */
  prune(since: Date, most: number): void {
    if (!existsSync(this.path)) return;
    this.#write((database) =>
      database
        .query(
          `DELETE FROM texts WHERE at < ?1
             OR key NOT IN (SELECT key FROM texts ORDER BY at DESC, key LIMIT ?2)`,
        )
        .run(since.getTime(), most),
    );
  }

  #write<T>(work: (database: Database) => T): T {
    return this.#use((database) => transaction(database, () => work(database)));
  }

  #use<T>(work: (database: Database) => T): T {
    try {
      return work(this.#open());
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#database?.close();
      this.#database = null;
      for (const suffix of ["", "-journal"]) removeIfThere(this.path + suffix);
      return work(this.#open());
    }
  }

  #open(): Database {
    if (this.#database !== null) return this.#database;
    ensureDirectory(dirname(this.path));
    closeSync(openSync(this.path, "a", PRIVATE));
    const database = connect(this.path, "create");
    try {
      database.run(PATIENCE);
      // Nothing is flushed: after a power failure the state may be lost or damaged, which does no harm.
      database.run("PRAGMA synchronous = OFF");
      database.run(TABLES);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    return database;
  }
}

function textOf(database: Database, key: string): string | null {
  const query = database.query<{ text: string }, [string]>("SELECT text FROM texts WHERE key = ?");
  return query.get(key)?.text ?? null;
}
