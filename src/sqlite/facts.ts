/** Facts and notes in the database: rows that say what the memory files and HISTORY.md say, and their chunks. */
import type { Database } from "bun:sqlite";
import { type Fact, factMemory } from "../core/fact.ts";
import type { FactSource } from "../core/history.ts";
import { type Memory, TRUSTS } from "../core/memory.ts";
import type { FactIndex, MemoryStamps } from "../core/ports.ts";
import { dropMemory, putMemory } from "./chunks.ts";
import type { WorkspaceDatabase } from "./database.ts";
import { SqliteFactVectors } from "./fact-vectors.ts";

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
const STAMP = "facts";
/** Goes up when facts come into the index in another way. */
const FORMAT = "1";

/** What the rows said when they were read or written last. */
interface Remembered {
  readonly stamp: string;
  readonly facts: readonly Fact[];
}

export class SqliteFacts implements FactIndex {
  readonly vectors: SqliteFactVectors;
  /** Ten thousand rows take longer to read than everything else that a new fact costs. */
  #remembered: Remembered | null = null;

  constructor(private readonly workspace: WorkspaceDatabase) {
    this.vectors = new SqliteFactVectors(workspace);
  }

  all(): Fact[] {
    return this.workspace.read<Fact[]>([], (database) => [...this.#facts(database)]);
  }

  settled(): MemoryStamps | null {
    return this.workspace.read(null, (database) => {
      if (stampOf(database) === null) return null;
      const row = database
        .query<{ value: string }, [string]>("SELECT value FROM state WHERE key = ?")
        .get(STATE);
      return row === null ? null : (JSON.parse(row.value) as MemoryStamps);
    });
  }

  replace(facts: readonly Fact[]): void {
    this.workspace.enqueue((database) => {
      const known = new Map(this.#facts(database).map((fact) => [fact.id, fact]));
      const isOfNow = stampOf(database) !== null;
      let changes = isOfNow ? 0 : 1;
      for (const fact of facts) {
        const old = known.get(fact.id);
        known.delete(fact.id);
        if (isOfNow && old !== undefined && isSame(old, fact)) continue;
        changes++;
        database.query(UPSERT).run({ ...toRow(fact) });
        if (fact.ended_at === null) putMemory(database, factMemory(fact));
        else dropMemory(database, { kind: "fact", source: fact.id });
      }
      for (const id of known.keys()) {
        changes++;
        database.query("DELETE FROM facts WHERE id = ?").run(id);
        dropMemory(database, { kind: "fact", source: id });
      }
      this.vectors.store(database, facts);
      if (changes > 0) this.#remembered = { stamp: stampAnew(database), facts: inOrder(facts) };
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

  #facts(database: Database): readonly Fact[] {
    const stamp = stampOf(database);
    if (stamp === null || stamp !== this.#remembered?.stamp)
      this.#remembered = { stamp: stamp ?? "", facts: database.query<Row, []>(SELECT).all().map(fromRow) };
    return this.#remembered.facts;
  }
}

/**
 * Names what the rows say: whoever changes them writes another name, in the same transaction, so that it is there only if they
 * are. The counts tell of a Retain that does not know of it. null where the rows are of another format, or none were written.
 */
function stampOf(database: Database): string | null {
  const [row] = database
    .query(
      `SELECT value, (SELECT count(*) FROM facts), (SELECT max(rowid) FROM facts)
       FROM state WHERE key = ? AND value LIKE ?`,
    )
    .values(STAMP, `${FORMAT} %`);
  return row === undefined ? null : row.join(" ");
}

function stampAnew(database: Database): string {
  database
    .query("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)")
    .run(STAMP, `${FORMAT} ${crypto.randomUUID()}`);
  return stampOf(database) ?? "";
}

/** As the rows come. */
function inOrder(facts: readonly Fact[]): Fact[] {
  return facts.toSorted((a, b) => compare(a.file, b.file) || a.position - b.position || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Of two with the same id. Field by field: with thousands of facts anything cleverer is most of what a write costs. */
function isSame(a: Fact, b: Fact): boolean {
  return (
    a === b ||
    (a.text === b.text &&
      a.position === b.position &&
      a.file === b.file &&
      a.category === b.category &&
      a.chat === b.chat &&
      a.created_at === b.created_at &&
      a.ended_at === b.ended_at &&
      a.superseded_by === b.superseded_by &&
      a.because === b.because &&
      isSameSource(a.source, b.source))
  );
}

function isSameSource(a: FactSource, b: FactSource): boolean {
  return (
    a === b ||
    (a.by === b.by &&
      a.session === b.session &&
      a.message === b.message &&
      a.trust === b.trust &&
      a.tags.length === b.tags.length &&
      a.tags.every((tag, at) => tag === b.tags[at]))
  );
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
