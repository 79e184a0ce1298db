/**
 * Indexes memories. An unchanged chunk keeps its row and vectors; a chunk of a renamed memory gets a copy of them; a new one goes
 * into the embedding queue. All in the transaction that ends the lock, so full text and chunks stay in sync.
 */
import { nameKey } from "../../core/documents/names.ts";
import type { Memory, MemoryRef } from "../../core/memory.ts";
import type { MemoryIndex } from "../../core/ports/documents.ts";
import { chunkHash } from "../../core/ports/vector-index.ts";
import { cjkTerms, withoutCjk } from "../../core/text/cjk.ts";
import { dayInWords } from "../../util/days.ts";
import { sha256 } from "../../util/hash.ts";
import type { Database } from "../driver.ts";
import type { WorkspaceRows } from "../rows.ts";

interface KnownChunk {
  chunk_id: number;
  hash: string;
  marks: string;
  stated: string | null;
}

/** The full-text tables, keyed by chunk id. */
export const FULL_TEXTS = ["words", "trigrams", "asked"] as const;
/** A condition on chunks: it makes a statement, so it can be found as a memory. */
export const IS_EVIDENCE = "stated IS NOT ''";

const INSERT = `INSERT INTO chunks
    (kind, source, part, scope, heading, text, line, tags, tag_keys, session, speaker, speaker_key, at, trust, importance,
     hash, marks, stated)
  VALUES
    ($kind, $source, $part, $scope, $heading, $text, $line, $tags, $tag_keys, $session, $speaker, $speaker_key, $at, $trust,
     $importance, $hash, $marks, $stated)
  RETURNING chunk_id`;

const UPDATE = `UPDATE chunks SET kind = $kind, source = $source, part = $part, scope = $scope, heading = $heading,
    text = $text, line = $line, tags = $tags, tag_keys = $tag_keys, session = $session, speaker = $speaker,
    speaker_key = $speaker_key, at = $at, trust = $trust,
    importance = $importance, hash = $hash, marks = $marks, stated = $stated
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

/** Replaces the memory's chunks. */
export function putMemory(database: Database, memory: Memory): void {
  const known = knownChunks(database, memory);
  const context = contextOf(memory);
  const marks = sha256(JSON.stringify(context));
  for (const [part, chunk] of memory.chunks.entries()) {
    const hash = chunkHash(chunk.heading, chunk.text);
    const row = { ...rowOf(memory), ...chunk, part, hash, marks, stated: context.stated };
    const same = known.findIndex((candidate) => candidate.hash === hash);
    const [kept] = same === -1 ? [] : known.splice(same, 1);
    if (kept === undefined) {
      const { chunk_id } = database.query(INSERT).get(row) as { chunk_id: number };
      putWords(database, chunk_id, row, context);
      if (!copyFromTwin(database, row, chunk_id)) wait(database, row, chunk_id);
    } else {
      database.query(UPDATE).run({ ...row, chunk_id: kept.chunk_id });
      if (kept.marks !== marks || kept.stated !== row.stated) putWords(database, kept.chunk_id, row, context);
      if (kept.stated !== row.stated) wait(database, row, kept.chunk_id);
    }
  }
  for (const { chunk_id } of known) dropChunk(database, chunk_id);
}

function knownChunks(database: Database, { kind, source }: MemoryRef): KnownChunk[] {
  return database
    .query<KnownChunk, [string, string]>(
      "SELECT chunk_id, hash, marks, stated FROM chunks WHERE kind = ? AND source = ? ORDER BY part",
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

/** The indexed context of a chunk besides its own words. */
function contextOf({ tags, speaker, neighbours, at, evidence }: Memory) {
  return {
    stated: evidence === undefined || evidence.rest === "" ? null : evidence.stated,
    asked: evidence?.rest ?? "",
    tags: [...tags, speaker ?? ""].join(" "),
    neighbours,
    day: at === null ? "" : dayInWords(new Date(at)),
  };
}

interface SearchedText {
  heading: string;
  text: string;
  stated: string | null;
}

function putWords(
  database: Database,
  chunkId: number,
  { heading, text, stated }: SearchedText,
  { tags, neighbours, day, asked }: ReturnType<typeof contextOf>,
): void {
  for (const table of FULL_TEXTS) database.query(`DELETE FROM ${table} WHERE rowid = ?`).run(chunkId);
  if (asked !== "")
    database
      .query("INSERT INTO asked (rowid, text, bigrams) VALUES (?, ?, ?)")
      .run(chunkId, withoutCjk(asked), cjkTerms(asked).join(" "));
  if (stated === "") return;
  const said = stated ?? text;
  const whole = heading === "" ? said : `${heading}\n${said}`;
  database
    .query(
      `INSERT INTO words (rowid, heading, text, tags, neighbours, day, bigrams)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      chunkId,
      withoutCjk(heading),
      withoutCjk(said),
      tags,
      `${withoutCjk(neighbours)} ${cjkTerms(neighbours).join(" ")}`,
      day,
      cjkTerms(whole).join(" "),
    );
  database.query("INSERT INTO trigrams (rowid, text) VALUES (?, ?)").run(chunkId, whole);
}

/** Embeds only statements: a question's vector would be nearest to the same question asked again. */
function wait(database: Database, { stated }: SearchedText, chunkId: number): void {
  if (stated !== "") database.query("INSERT OR IGNORE INTO pending (chunk_id) VALUES (?)").run(chunkId);
  else
    for (const table of ["vectors", "senses", "pending"])
      database.query(`DELETE FROM ${table} WHERE chunk_id = ?`).run(chunkId);
}

/** An identical chunk reuses the vectors. */
function copyFromTwin(
  database: Database,
  { hash, stated }: { hash: string; stated: string | null },
  chunkId: number,
): boolean {
  const twin = database
    .query<{ chunk_id: number }, [string, number, string | null]>(
      `SELECT chunk_id FROM chunks WHERE hash = ? AND chunk_id <> ? AND stated IS ?
         AND EXISTS (SELECT 1 FROM vectors JOIN models USING (model_id)
                     WHERE vectors.chunk_id = chunks.chunk_id AND models.current = 1)
         AND NOT EXISTS (SELECT 1 FROM pending WHERE pending.chunk_id = chunks.chunk_id) LIMIT 1`,
    )
    .get(hash, chunkId, stated);
  if (twin === null) return false;
  copyVectors(database, twin.chunk_id, chunkId);
  return true;
}

/** Gives a chunk the vectors and senses of an identical one. */
function copyVectors(database: Database, from: number, to: number): void {
  for (const [table, columns] of [
    ["vectors", "model_id, passages"],
    ["senses", "bits"],
  ])
    database
      .query(
        `INSERT INTO ${table} (chunk_id, ${columns}) SELECT ?, ${columns} FROM ${table} WHERE chunk_id = ?`,
      )
      .run(to, from);
}

function dropChunk(database: Database, chunkId: number): void {
  for (const table of FULL_TEXTS) database.query(`DELETE FROM ${table} WHERE rowid = ?`).run(chunkId);
  for (const table of ["vectors", "senses", "pending", "chunks"])
    database.query(`DELETE FROM ${table} WHERE chunk_id = ?`).run(chunkId);
}
