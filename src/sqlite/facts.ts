/** Facts and notes in the database: rows that say what the memory files and HISTORY.md say, and their chunks. */
import type { Database } from "bun:sqlite";
import { type Fact, factMemory } from "../core/fact.ts";
import { type Memory, TRUSTS } from "../core/memory.ts";
import type { FactIndex, MemoryStamps } from "../core/ports.ts";
import { dropMemory, putMemory } from "./chunks.ts";
import type { WorkspaceDatabase } from "./database.ts";

interface Row {
  id: string;
  fact: string;
  category: string;
  chat: string | null;
  file: string;
  position: number;
  marked_by: string;
  source_session: string | null;
  source_message: number | null;
  trust: string;
  tags: string;
  created_at: string;
  ended_at: string | null;
  superseded_by: string | null;
  because: string | null;
}

const COLUMNS: readonly (keyof Row)[] = [
  "id",
  "fact",
  "category",
  "chat",
  "file",
  "position",
  "marked_by",
  "source_session",
  "source_message",
  "trust",
  "tags",
  "created_at",
  "ended_at",
  "superseded_by",
  "because",
];
const SELECT = `SELECT ${COLUMNS.join(", ")} FROM facts ORDER BY file, position, id`;
const UPSERT = `INSERT OR REPLACE INTO facts (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map((name) => `$${name}`).join(", ")})`;
const STATE = "memories";

export class SqliteFacts implements FactIndex {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  all(): Fact[] {
    return this.workspace.read([], (database) => database.query<Row, []>(SELECT).all().map(fromRow));
  }

  settled(): MemoryStamps | null {
    return this.workspace.read(null, (database) => {
      const row = database
        .query<{ value: string }, [string]>("SELECT value FROM state WHERE key = ?")
        .get(STATE);
      return row === null ? null : (JSON.parse(row.value) as MemoryStamps);
    });
  }

  replace(facts: readonly Fact[]): void {
    this.workspace.enqueue((database) => {
      const known = new Map(
        database
          .query<Row, []>(SELECT)
          .all()
          .map((row) => [row.id, row]),
      );
      for (const fact of facts) {
        const row = toRow(fact);
        const old = known.get(fact.id);
        known.delete(fact.id);
        if (old !== undefined && COLUMNS.every((name) => old[name] === row[name])) continue;
        database.query(UPSERT).run({ ...row });
        if (fact.ended_at === null) putMemory(database, factMemory(fact));
        else dropMemory(database, { kind: "fact", source: fact.id });
      }
      for (const id of known.keys()) {
        database.query("DELETE FROM facts WHERE id = ?").run(id);
        dropMemory(database, { kind: "fact", source: id });
      }
    });
  }

  replaceNotes(log: string, notes: readonly Memory[]): void {
    this.workspace.enqueue((database) => {
      const gone = new Set(sourcesOf(database, log));
      for (const note of notes) {
        putMemory(database, note);
        gone.delete(note.source);
      }
      for (const source of gone) dropMemory(database, { kind: "note", source });
    });
  }

  settle(stamps: MemoryStamps): void {
    this.workspace.enqueue((database) =>
      database
        .query("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)")
        .run(STATE, JSON.stringify(stamps)),
    );
  }
}

/** The notes of a log are named by its path, "#" and what tells them apart. */
function sourcesOf(database: Database, log: string): string[] {
  const query = database.query(
    "SELECT DISTINCT source FROM chunks WHERE kind = 'note' AND source >= ? AND source < ?",
  );
  return (query.values(`${log}#`, `${log}$`) as [string][]).flat();
}

function toRow(fact: Fact): Row {
  const { id, text, category, chat, file, position, source, created_at, ended_at, superseded_by, because } =
    fact;
  return {
    id,
    fact: text,
    category,
    chat,
    file,
    position,
    marked_by: source.by,
    source_session: source.session,
    source_message: source.message,
    trust: source.trust,
    tags: JSON.stringify(source.tags),
    created_at,
    ended_at,
    superseded_by,
    because,
  };
}

function fromRow(row: Row): Fact {
  const { id, fact, category, chat, file, position, created_at, ended_at, superseded_by, because } = row;
  const source = {
    by: row.marked_by,
    session: row.source_session,
    message: row.source_message,
    trust: TRUSTS.find((trust) => trust === row.trust) ?? "stated",
    tags: JSON.parse(row.tags) as string[],
  };
  return {
    id,
    text: fact,
    category,
    chat,
    file,
    position,
    source,
    created_at,
    ended_at,
    superseded_by,
    because,
  };
}
