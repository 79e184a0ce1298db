/**
 * Takes memories into the tables that are searched. A chunk that says the same as before keeps its row and its vectors; one
 * of a memory that was renamed gets a copy of them; what is new waits in the queue for vectors. All of it happens in the transaction
 * that the lock ends with, so full text and chunks never part.
 */
import type { Database } from "bun:sqlite";
import { cjkTerms, withoutCjk } from "../core/cjk.ts";
import type { Memory, MemoryRef } from "../core/memory.ts";
import { nameKey } from "../core/names.ts";
import type { MemoryIndex } from "../core/ports.ts";
import { sha256 } from "../util/hash.ts";
import { dayInWords } from "../util/text.ts";
import type { WorkspaceRows } from "./rows.ts";

interface KnownChunk {
  chunk_id: number;
  hash: string;
  marks: string;
}

const INSERT = `INSERT INTO chunks
    (kind, source, part, scope, heading, text, line, tags, tag_keys, session, speaker, speaker_key, at, trust, importance,
     hash, marks)
  VALUES
    ($kind, $source, $part, $scope, $heading, $text, $line, $tags, $tag_keys, $session, $speaker, $speaker_key, $at, $trust,
     $importance, $hash, $marks)
  RETURNING chunk_id`;

const UPDATE = `UPDATE chunks SET kind = $kind, source = $source, part = $part, scope = $scope, heading = $heading,
    text = $text, line = $line, tags = $tags, tag_keys = $tag_keys, session = $session, speaker = $speaker,
    speaker_key = $speaker_key, at = $at, trust = $trust,
    importance = $importance, hash = $hash, marks = $marks
  WHERE chunk_id = $chunk_id`;

export class SqliteMemoryIndex implements MemoryIndex {
  constructor(private readonly workspace: WorkspaceRows) {}

  put(memory: Memory): void {
    this.workspace.enqueue((database) => putMemory(database, memory));
  }

  remove(ref: MemoryRef): void {
    this.workspace.enqueue((database) => dropMemory(database, ref));
  }
}

export function dropMemory(database: Database, ref: MemoryRef): void {
  for (const { chunk_id } of knownChunks(database, ref)) dropChunk(database, chunk_id);
}

/** Puts the memory's chunks in the place of those it had. */
export function putMemory(database: Database, memory: Memory): void {
  const known = knownChunks(database, memory);
  const context = contextOf(memory);
  const marks = sha256(JSON.stringify(context));
  for (const [part, chunk] of memory.chunks.entries()) {
    const hash = chunkHash(chunk.heading, chunk.text);
    const row = { ...rowOf(memory), ...chunk, part, hash, marks };
    const same = known.findIndex((candidate) => candidate.hash === hash);
    const [kept] = same === -1 ? [] : known.splice(same, 1);
    if (kept === undefined) {
      const { chunk_id } = database.query(INSERT).get(row) as { chunk_id: number };
      putWords(database, chunk_id, row, context);
      database.query("INSERT INTO trigrams (rowid, text) VALUES (?, ?)").run(chunk_id, searched(row));
      if (!copyVectors(database, hash, chunk_id))
        database.query("INSERT INTO pending (chunk_id) VALUES (?)").run(chunk_id);
    } else {
      database.query(UPDATE).run({ ...row, chunk_id: kept.chunk_id });
      if (kept.marks !== marks) putWords(database, kept.chunk_id, row, context);
    }
  }
  for (const { chunk_id } of known) dropChunk(database, chunk_id);
}

/** Chunks that say the same have the same, and share their vectors. */
export function chunkHash(heading: string, text: string): string {
  return sha256(`${heading}\0${text}`);
}

function knownChunks(database: Database, { kind, source }: MemoryRef): KnownChunk[] {
  return database
    .query<KnownChunk, [string, string]>(
      "SELECT chunk_id, hash, marks FROM chunks WHERE kind = ? AND source = ? ORDER BY part",
    )
    .all(kind, source);
}

function rowOf(memory: Memory) {
  const { kind, source, scope, session, speaker, at, trust, importance } = memory;
  return {
    kind,
    source,
    scope,
    session,
    speaker,
    at,
    trust,
    importance,
    tags: JSON.stringify(memory.tags),
    tag_keys: JSON.stringify(memory.tags.map(nameKey)),
    speaker_key: speaker === null ? null : nameKey(speaker),
  };
}

/** What a chunk is found by beside its own words. */
function contextOf({ tags, speaker, neighbours, at }: Memory) {
  return {
    tags: [...tags, speaker ?? ""].join(" "),
    neighbours,
    day: at === null ? "" : dayInWords(new Date(at)),
  };
}

interface SearchedText {
  heading: string;
  text: string;
}

function putWords(
  database: Database,
  chunkId: number,
  { heading, text }: SearchedText,
  { tags, neighbours, day }: ReturnType<typeof contextOf>,
): void {
  database
    .query(
      `INSERT OR REPLACE INTO words (rowid, heading, text, tags, neighbours, day, bigrams)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      chunkId,
      withoutCjk(heading),
      withoutCjk(text),
      tags,
      `${withoutCjk(neighbours)} ${cjkTerms(neighbours).join(" ")}`,
      day,
      cjkTerms(`${heading}\n${text}`).join(" "),
    );
}

function searched({ heading, text }: SearchedText): string {
  return heading === "" ? text : `${heading}\n${text}`;
}

/** A chunk that says what another one says has its vectors. */
function copyVectors(database: Database, hash: string, chunkId: number): boolean {
  const twin = database
    .query<{ chunk_id: number }, [string, number]>(
      `SELECT chunk_id FROM chunks WHERE hash = ? AND chunk_id <> ?
         AND EXISTS (SELECT 1 FROM vectors JOIN models USING (model_id)
                     WHERE vectors.chunk_id = chunks.chunk_id AND models.current = 1)
         AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.chunk_id = chunks.chunk_id) LIMIT 1`,
    )
    .get(hash, chunkId);
  if (twin === null) return false;
  database
    .query(
      "INSERT INTO vectors (chunk_id, model_id, passages) SELECT ?, model_id, passages FROM vectors WHERE chunk_id = ?",
    )
    .run(chunkId, twin.chunk_id);
  return true;
}

function dropChunk(database: Database, chunkId: number): void {
  database.query("DELETE FROM words WHERE rowid = ?").run(chunkId);
  database.query("DELETE FROM trigrams WHERE rowid = ?").run(chunkId);
  for (const table of ["vectors", "pending", "chunks"])
    database.query(`DELETE FROM ${table} WHERE chunk_id = ?`).run(chunkId);
}
