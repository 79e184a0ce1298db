/** Looks after the index: whether it is sound, what is in it, and emptying it to build it anew. */
import type { Database } from "bun:sqlite";
import { messageOf } from "../core/errors.ts";
import type { WorkspaceDatabase } from "./database.ts";
import { unsettle } from "./documents.ts";
import { indexSession } from "./sessions.ts";

export interface IndexCounts {
  readonly documents: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly waiting: number;
}

export class SqliteCare {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  counts(): IndexCounts {
    const nothing = { documents: 0, chunks: 0, vectors: 0, waiting: 0 };
    return this.workspace.read(nothing, (database) => ({
      documents: countIn(database, "documents"),
      chunks: countIn(database, "chunks"),
      vectors: countIn(database, "vectors"),
      waiting: countIn(database, "pending"),
    }));
  }

  /** What is wrong with the database, in words; empty where it is sound. */
  async problems(): Promise<string[]> {
    if (!this.workspace.writable) return ["it cannot be written to"];
    return this.workspace.transaction((database) => [
      ...integrity(database),
      ...fullText(database, "words"),
      ...fullText(database, "trigrams"),
      ...strays(database),
    ]);
  }

  /** Removes all that is derived; conversations live here alone and are indexed again. Works while the lock is held. */
  clear(): void {
    this.workspace.enqueue((database) => {
      for (const table of ["words", "trigrams"])
        database.run(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
      for (const table of ["documents", "chunks", "vectors", "pending", "models"])
        database.run(`DELETE FROM ${table}`);
      unsettle(database);
      const sessions = database
        .query<{ id: string; chat: string; title: string | null }, []>("SELECT id, chat, title FROM sessions")
        .all();
      for (const session of sessions) indexSession(database, session);
    });
  }
}

function integrity(database: Database): string[] {
  const lines = database.query("PRAGMA integrity_check").values() as [string][];
  return lines.flat().filter((line) => line !== "ok");
}

function fullText(database: Database, table: string): string[] {
  try {
    database.run(`INSERT INTO ${table} (${table}) VALUES ('integrity-check')`);
  } catch (error) {
    return [`the full text '${table}' is damaged (${messageOf(error)})`];
  }
  const missing = countIn(database, "chunks") - countIn(database, `${table}_docsize`);
  return missing === 0 ? [] : [`the full text '${table}' is out of step by ${Math.abs(missing)}`];
}

function strays(database: Database): string[] {
  return ["vectors", "pending"].flatMap((table) => {
    const [[count]] = database
      .query(
        `SELECT count(*) FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.chunk_id = ${table}.chunk_id)`,
      )
      .values() as [[number]];
    return count === 0 ? [] : [`${count} rows of '${table}' belong to nothing`];
  });
}

function countIn(database: Database, table: string): number {
  return (database.query(`SELECT count(*) FROM ${table}`).values() as [[number]])[0][0];
}
