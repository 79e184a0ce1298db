/** Maintains the index: checks it, counts its rows, and empties it for a rebuild. */
import { command } from "../../core/hint.ts";
import { plural } from "../../util/in-words.ts";
import { FULL_TEXTS, IS_EVIDENCE } from "../chunks/chunks.ts";
import { unsettle } from "../documents.ts";
import type { Database } from "../driver.ts";
import { COUNTED } from "../sessions/session-rows.ts";
import type { WorkspaceDatabase } from "./database.ts";
import { unstamp } from "./fact-stamp.ts";
import { dropState } from "./state.ts";

export interface IndexCounts {
  readonly documents: number;
  /** Current facts. */
  readonly facts: number;
  readonly notes: number;
  /** What the user and models said, as in lists of sessions. */
  readonly messages: number;
  readonly chunks: number;
  readonly vectors: number;
  readonly waiting: number;
}

export interface DatabaseCheck {
  /** The problems found; empty if it is sound. */
  readonly problems: string[];
  /** What to do about it. */
  readonly hint: string;
}

const REBUILD = `Rebuild it: ${command("reindex")}`;
const SPACE = "Free some space. Until then searches work, but changes to the index are not saved.";
const PERMISSION =
  "Check its permissions and the disk. Until then searches work, but changes to the index are not saved.";
const SET_ASIDE = "it was damaged and moved aside";

export class SqliteCare {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  counts(): IndexCounts {
    const nothing = { documents: 0, facts: 0, notes: 0, messages: 0, chunks: 0, vectors: 0, waiting: 0 };
    return this.workspace.read(nothing, (database) => ({
      documents: rowsOf(database, "documents"),
      facts: rowsOf(database, "facts WHERE ended_at IS NULL"),
      notes: rowsOf(database, "(SELECT DISTINCT source FROM chunks WHERE kind = 'note')"),
      messages: rowsOf(database, `messages WHERE ${COUNTED}`),
      chunks: rowsOf(database, "chunks"),
      vectors: rowsOf(database, "vectors"),
      waiting: rowsOf(database, "pending"),
    }));
  }

  /** The size of all document files, as they were last indexed. */
  documentBytes(): number {
    return this.workspace.read(0, (database) => {
      const rows = database.query("SELECT ifnull(sum(size), 0) FROM documents").values();
      return (rows as [[number]])[0][0];
    });
  }

  /** Neither waits for a writer nor blocks one. */
  check(): DatabaseCheck {
    if (this.workspace.isDiskFull) return { problems: ["the disk is full"], hint: SPACE };
    const { unavailable } = this.workspace;
    if (unavailable !== null) return { problems: [`it is not writable (${unavailable})`], hint: PERMISSION };
    const problems = this.workspace.read([SET_ASIDE], (database) => {
      database.run("BEGIN");
      try {
        return [
          ...integrity(database),
          ...fullText(database, "words", IS_EVIDENCE),
          ...fullText(database, "trigrams", IS_EVIDENCE),
          ...fullText(database, "asked", "stated IS NOT NULL"),
          ...strays(database),
        ];
      } finally {
        database.run("ROLLBACK");
      }
    });
    return { problems, hint: REBUILD };
  }

  /** A document's chunks, in order. */
  partsOf(source: string): { heading: string; text: string }[] {
    return this.workspace.read([], (database) =>
      database
        .query<{ heading: string; text: string }, [string]>(
          "SELECT heading, text FROM chunks WHERE kind = 'document' AND source = ? ORDER BY part",
        )
        .all(source),
    );
  }

  /** Deletes everything derived from files, except which process has a session open. Needs the lock. */
  clear(): void {
    this.workspace.enqueue((database) => {
      for (const table of FULL_TEXTS) database.run(`INSERT INTO ${table} (${table}) VALUES ('delete-all')`);
      for (const table of [
        "documents",
        "facts",
        "messages",
        "session_files",
        "chunks",
        "vectors",
        "senses",
        "pending",
        "models",
      ])
        database.run(`DELETE FROM ${table}`);
      database.run("DELETE FROM sessions WHERE opened_by IS NULL");
      unsettle(database);
      unstamp(database);
      dropState(database, "memories");
    });
  }
}

/** Includes full text. */
function integrity(database: Database): string[] {
  const lines = database.query("PRAGMA integrity_check").values() as [string][];
  return lines.flat().filter((line) => line !== "ok");
}

/** The full-text tables are contentless, but have a row per chunk. */
function fullText(database: Database, table: (typeof FULL_TEXTS)[number], holds: string): string[] {
  const lost = rowsOf(
    database,
    `chunks WHERE ${holds} AND chunk_id NOT IN (SELECT id FROM ${table}_docsize)`,
  );
  const stray = rowsOf(database, `${table}_docsize WHERE id NOT IN (SELECT chunk_id FROM chunks)`);
  return lost + stray === 0
    ? []
    : [`the full-text table '${table}' has ${plural(lost + stray, "missing or stray row")}`];
}

function strays(database: Database): string[] {
  const ofNothing = ["vectors", "senses", "pending"].flatMap((table) => {
    const count = rowsOf(database, `${table} WHERE chunk_id NOT IN (SELECT chunk_id FROM chunks)`);
    return count === 0 ? [] : [`${plural(count, "row")} of '${table}' without a chunk`];
  });
  const slash = "instr(source, '/')";
  const parts = rowsOf(
    database,
    `chunks WHERE kind = 'document' AND NOT EXISTS (SELECT 1 FROM documents
       WHERE collection = substr(source, 1, ${slash} - 1) AND id = substr(source, ${slash} + 1))`,
  );
  return parts === 0 ? ofNothing : [...ofNothing, `${plural(parts, "chunk")} without a document`];
}

function rowsOf(database: Database, rows: string): number {
  return (database.query(`SELECT count(*) FROM ${rows}`).values() as [[number]])[0][0];
}
