/** Facts and notes in the index: rows that mirror the memory files and HISTORY.md, and their chunks. */
import { type Fact, factMemory, withChanged } from "../../core/facts/fact.ts";
import type { FactSource } from "../../core/facts/history.ts";
import { withReplaced } from "../../core/facts/replaced.ts";
import { type Memory, TRUSTS } from "../../core/memory.ts";
import type { FactIndex, MemoryStamps } from "../../core/ports/documents.ts";
import { differing } from "../../util/lists.ts";
import { dropMemory, putMemory } from "../chunks/chunks.ts";
import type { WorkspaceDatabase } from "../database/database.ts";
import { changedBetween, restamp, stampOf } from "../database/fact-stamp.ts";
import { setState, stateOf } from "../database/state.ts";
import type { Database } from "../driver.ts";
import { SqliteFactVectors } from "./vectors.ts";

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
  key: string | null;
  doubts: string | null;
  until: string | null;
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
  "key",
  "doubts",
  "until",
];
const SELECT = `SELECT ${COLUMNS.join(", ")} FROM facts`;
const ALL = `${SELECT} ORDER BY file, position, created_at, id`;
const SOME = `${SELECT} WHERE id IN (SELECT value FROM json_each(?))`;
const REPLACED_BY = `${SELECT} AS old WHERE superseded_by IN (SELECT value FROM json_each(?))
  AND chat IS (SELECT newer.chat FROM facts AS newer WHERE newer.id = old.superseded_by) ORDER BY ended_at DESC, id`;
const UPSERT = `INSERT OR REPLACE INTO facts (${COLUMNS.join(", ")}) VALUES (${COLUMNS.map((name) => `$${name}`).join(", ")})`;
const USES = "SELECT source, count FROM recalls WHERE kind = 'fact'";
const STATE = "memories";

/** The rows as last read or written. */
interface Remembered {
  readonly stamp: string;
  readonly facts: readonly Fact[];
}

export class SqliteFacts implements FactIndex {
  readonly vectors: SqliteFactVectors;
  /** Reading ten thousand rows takes longer than the rest of storing a fact. */
  #remembered: Remembered | null = null;

  constructor(private readonly workspace: WorkspaceDatabase) {
    this.vectors = new SqliteFactVectors(workspace);
  }

  all(): readonly Fact[] {
    return this.workspace.read<readonly Fact[]>([], (database) => this.#facts(database));
  }

  uses(): ReadonlyMap<string, number> {
    return this.workspace.read<ReadonlyMap<string, number>>(new Map(), (database) => {
      return new Map(database.query(USES).values() as [id: string, count: number][]);
    });
  }

  settled(): MemoryStamps | null {
    return this.workspace.read(null, (database) => {
      if (stampOf(database) === null) return null;
      const stamps = stateOf(database, STATE);
      return stamps === null ? null : (JSON.parse(stamps) as MemoryStamps);
    });
  }

  replace(facts: readonly Fact[]): void {
    this.workspace.enqueue((database) => {
      const stamp = stampOf(database);
      const { gone, come } = differing(this.#facts(database), facts);
      const known = new Map(gone.map((fact) => [fact.id, fact]));
      const changed: string[] = [];
      /** Includes facts that replaced a changed one. */
      const reindexed = new Set<string>();
      for (const fact of come) {
        const old = stamp === null ? undefined : known.get(fact.id);
        known.delete(fact.id);
        if (old !== undefined && isSame(old, fact)) continue;
        changed.push(fact.id);
        if (old !== undefined && isSame({ ...old, position: fact.position }, fact)) moveFact(database, fact);
        else {
          database.query(UPSERT).run({ ...toRow(fact) });
          reindexed.add(fact.id).add(old?.superseded_by ?? fact.id);
        }
      }
      for (const fact of known.values()) {
        database.query("DELETE FROM facts WHERE id = ?").run(fact.id);
        dropMemory(database, { kind: "fact", source: fact.id });
        reindexed.add(fact.superseded_by ?? fact.id);
      }
      for (const [fact, replaced] of withReplaced(facts, reindexed)) indexFact(database, fact, replaced);
      this.vectors.store(database);
      this.#remembered = { stamp: restamp(database, stamp, { changed, removed: known.size }), facts };
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
    this.workspace.enqueue((database) => setState(database, STATE, JSON.stringify(stamps)));
  }

  #facts(database: Database): readonly Fact[] {
    const stamp = stampOf(database) ?? "";
    const known = this.#remembered;
    if (stamp !== "" && stamp === known?.stamp) return known.facts;
    const facts = (known === null ? null : caughtUp(database, known, stamp)) ?? allFacts(database);
    this.#remembered = { stamp, facts };
    return facts;
  }
}

export function factsReplacedBy(database: Database, ids: readonly string[]): Fact[] {
  return database.query<Row, [string]>(REPLACED_BY).all(JSON.stringify(ids)).map(fromRow);
}

export function factsWithIds(database: Database, ids: readonly string[]): Fact[] {
  return database.query<Row, [string]>(SOME).all(JSON.stringify(ids)).map(fromRow);
}

function allFacts(database: Database): Fact[] {
  return database.query<Row, []>(ALL).all().map(fromRow);
}

/** null if the changes since are unknown. */
function caughtUp(database: Database, { stamp, facts }: Remembered, now: string): readonly Fact[] | null {
  const changed = changedBetween(database, stamp, now);
  if (changed === null) return null;
  const come = factsWithIds(database, changed);
  const ids = new Set(changed);
  const gone = facts.filter(({ id }) => ids.has(id));
  return withChanged(facts, gone, come);
}

function indexFact(database: Database, fact: Fact, replaced: readonly Fact[]): void {
  if (fact.ended_at === null) putMemory(database, factMemory(fact, replaced));
  else dropMemory(database, { kind: "fact", source: fact.id });
}

/** Adding or removing a line renumbers those below it. */
function moveFact(database: Database, { id, position }: Fact): void {
  database.query("UPDATE facts SET position = ? WHERE id = ?").run(position, id);
}

/** Compares two facts with the same id, field by field, because this dominates a write with thousands of facts. */
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
      a.key === b.key &&
      a.doubts === b.doubts &&
      a.until === b.until &&
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

/** A note's name is its log's path, "#" and a suffix. */
function sourcesOf(database: Database, log: string): string[] {
  const query = database.query(
    "SELECT DISTINCT source FROM chunks WHERE kind = 'note' AND source >= ? AND source < ?",
  );
  return (query.values(`${log}#`, `${log}$`) as [string][]).flat();
}

function toRow(fact: Fact): Row {
  const { id, text, category, chat, file, position, source, created_at, ended_at, superseded_by } = fact;
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
    ...{ because: fact.because, key: fact.key, doubts: fact.doubts, until: fact.until },
  };
}

function fromRow(row: Row): Fact {
  const { id, fact, category, chat, file, position, created_at, ended_at, superseded_by } = row;
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
    ...{ because: row.because, key: row.key, doubts: row.doubts, until: row.until },
  };
}
