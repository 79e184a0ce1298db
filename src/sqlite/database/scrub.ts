/**
 * Erases text from the database. Deleting overwrites the page, but the text is still in the WAL, and its words in full-text
 * segments. So full text is merged into one segment and the WAL is truncated. Free pages from before secure_delete may hold old
 * text; then the file is rewritten.
 */
import { messageOf } from "../../core/errors.ts";
import type { Kind } from "../../core/memory.ts";
import { type DatabaseScrub, type HoldingRows, OVERLAP_BYTES, PIECE_BYTES } from "../../core/ports/traces.ts";
import { sleep } from "../../util/sleep.ts";
import { dropMemory, FULL_TEXTS } from "../chunks/chunks.ts";
import { unsettle } from "../documents.ts";
import type { Database } from "../driver.ts";
import { isBusy } from "../faults.ts";
import type { WorkspaceRows } from "../rows.ts";
import { dropState, setState, stateOf } from "./state.ts";

/** The same as for the lock. */
const PATIENCE_MS = 30_000;
/** For deleted text, which no search finds any more. */
const PURGE_PATIENCE_MS = 2_000;
/** Keys in `state`: what is being erased, and that no old free pages remain. */
const BEGUN = "forgetting";
const SECURE = "secure";

/** Columns that hold text. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  documents: ["collection", "id", "title", "fields", "problem"],
  session_files: ["name"],
  sessions: ["id", "chat", "title", "summary", "tags"],
  messages: ["content", "speaker", "details"],
  facts: ["fact", "category", "tags", "because"],
  chunks: ["source", "heading", "text", "tags", "speaker"],
  recalls: ["source"],
};

export class SqliteScrub implements DatabaseScrub {
  constructor(
    private readonly workspace: WorkspaceRows,
    readonly name: string,
    private readonly patience = PATIENCE_MS,
  ) {}

  unfinished(): string[] {
    return this.workspace.read([], begun);
  }

  async begin(ids: readonly string[]): Promise<void> {
    await this.workspace.transaction((database) => {
      const all = [...new Set([...begun(database), ...ids])];
      setState(database, BEGUN, JSON.stringify(all));
    });
  }

  rows(holds: (text: string) => boolean): HoldingRows[] {
    return this.workspace.read([], (database) =>
      Object.keys(TEXTS).flatMap((table) => {
        const found = holdingRows(database, table, holds);
        if (found.length === 0) return [];
        return { table, count: found.length, documents: documentsOf(table, found) };
      }),
    );
  }

  drop(holds: (text: string) => boolean, ids: readonly string[]): void {
    this.workspace.enqueue((database) => {
      const chunks = holdingRows(database, "chunks", holds);
      const documents = holdingRows(database, "documents", holds);
      for (const { kind, source } of chunks)
        dropMemory(database, { kind: kind as Kind, source: String(source) });
      // Without its row, the next sync reads the document again.
      const drop = database.query("DELETE FROM documents WHERE collection || '/' || id = ?");
      for (const source of [...documentsOf("chunks", chunks), ...documentsOf("documents", documents)])
        drop.run(source);
      const uncount = database.query("DELETE FROM recalls WHERE source = ?");
      for (const id of ids) uncount.run(id);
      unsettle(database);
    });
  }

  clean(): Promise<string | null> {
    return this.#clean([writeAnew, emptyLog], this.patience);
  }

  async purge(): Promise<string | null> {
    const isSecure = this.workspace.read(true, (database) => stateOf(database, SECURE) !== null);
    if (isSecure) return this.#clean([emptyLog], PURGE_PATIENCE_MS);
    const problem = await this.#clean([writeAnew, emptyLog], PURGE_PATIENCE_MS);
    if (problem === null) await this.workspace.transaction((database) => setState(database, SECURE, "1"));
    return problem;
  }

  async #clean(
    steps: readonly ((database: Database) => boolean)[],
    patience: number,
  ): Promise<string | null> {
    const deadline = performance.now() + patience;
    try {
      await this.workspace.transaction((database) => {
        for (const table of FULL_TEXTS) database.run(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
      });
      for (const step of steps)
        while (!this.workspace.read(false, step)) {
          if (performance.now() > deadline) return "another process keeps it busy";
          await sleep(20);
        }
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  some(passes: (piece: Uint8Array) => boolean): boolean {
    return this.workspace.read(false, (database) => {
      const bytes = database.serialize();
      for (let at = 0; at < bytes.length; at += PIECE_BYTES - OVERLAP_BYTES)
        if (passes(bytes.subarray(at, at + PIECE_BYTES))) return true;
      return false;
    });
  }

  async end(): Promise<void> {
    await this.workspace.transaction((database) => dropState(database, BEGUN));
  }
}

type Row = Record<string, unknown>;

function begun(database: Database): string[] {
  return JSON.parse(stateOf(database, BEGUN) ?? "[]") as string[];
}

function holdingRows(database: Database, table: string, holds: (text: string) => boolean): Row[] {
  const columns = TEXTS[table] ?? [];
  const found: Row[] = [];
  for (const row of database.query<Row, []>(`SELECT * FROM ${table}`).iterate())
    if (columns.some((column) => typeof row[column] === "string" && holds(row[column]))) found.push(row);
  return found;
}

function documentsOf(table: string, rows: readonly Row[]): string[] {
  if (table === "documents") return rows.map(({ collection, id }) => `${collection}/${id}`);
  const parts = table === "chunks" ? rows.filter(({ kind }) => kind === "document") : [];
  return [...new Set(parts.map(({ source }) => String(source)))];
}

/** Returns whether it succeeded: it can't while another process writes or reads an older state. */
function writeAnew(database: Database): boolean {
  return unlessBusy(() => {
    database.run("VACUUM");
    return true;
  });
}

function emptyLog(database: Database): boolean {
  return unlessBusy(() => {
    const { busy } = database.query("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
    return busy === 0;
  });
}

function unlessBusy(step: () => boolean): boolean {
  try {
    return step();
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
