/** The schema as an ordered list of named, append-only migrations. */
import { RetainError } from "../../core/errors.ts";
import type { FiledSession, GivenNumbers } from "../../core/sessions/session-file.ts";
import type { Database } from "../driver.ts";
import { keptConversations } from "../earlier/conversations.ts";
import { indexConversations } from "../sessions/session-index.ts";
import { transaction } from "./transaction.ts";

interface Migration {
  name: string;
  sql?: string;
  /** Derives rows again that an older version derived differently. */
  afterwards?: (database: Database) => void;
}

const MIGRATIONS: readonly Migration[] = [
  {
    name: "documents",
    sql: `
      CREATE TABLE documents (
        row_id       INTEGER PRIMARY KEY,
        collection   TEXT NOT NULL,
        id           TEXT NOT NULL,
        title        TEXT NOT NULL,
        fields       TEXT NOT NULL,  -- the frontmatter, as JSON
        problem      TEXT,
        size         INTEGER NOT NULL,
        mtime        REAL NOT NULL,
        ctime        REAL NOT NULL,
        inode        REAL NOT NULL,
        hash         TEXT NOT NULL,
        written_hash TEXT,
        seen_at      REAL NOT NULL,
        UNIQUE (collection, id)
      ) STRICT;
    `,
  },
  {
    name: "conversations and facts",
    sql: `
      CREATE TABLE sessions (
        id         TEXT PRIMARY KEY,
        chat       TEXT NOT NULL DEFAULT 'main',
        title      TEXT,
        summary    TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        tags       TEXT NOT NULL DEFAULT '[]'
      ) STRICT;
      CREATE TABLE messages (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        chat        TEXT NOT NULL DEFAULT 'main',
        role        TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system')),
        speaker     TEXT,
        content     TEXT NOT NULL,
        timestamp   TEXT NOT NULL,
        token_count INTEGER
      ) STRICT;
      CREATE INDEX messages_of_session ON messages (session_id, id);
      CREATE TABLE facts (
        id             TEXT PRIMARY KEY,  -- derived from the text
        fact           TEXT NOT NULL,
        category       TEXT NOT NULL DEFAULT 'general',
        chat           TEXT,              -- null: the workspace's own
        source_session TEXT,
        created_at     TEXT NOT NULL,
        superseded_by  TEXT REFERENCES facts (id)
      ) STRICT;
    `,
  },
  {
    name: "recall",
    sql: `
      ALTER TABLE documents ADD COLUMN format INTEGER NOT NULL DEFAULT 0;  -- of its chunks; an older one is read anew

      CREATE TABLE chunks (
        chunk_id   INTEGER PRIMARY KEY AUTOINCREMENT,
        kind       TEXT NOT NULL,      -- document, fact, note, message, summary
        source     TEXT NOT NULL,      -- which one
        part       INTEGER NOT NULL,
        scope      TEXT NOT NULL,      -- the chat it belongs to; '' for the workspace's own
        heading    TEXT NOT NULL,
        text       TEXT NOT NULL,
        line       INTEGER NOT NULL,
        tags       TEXT NOT NULL,      -- JSON
        tag_keys   TEXT NOT NULL,      -- the same, as they are compared
        session    TEXT,
        speaker    TEXT,
        speaker_key TEXT,
        at         REAL,               -- when it was said or written, in ms
        trust      TEXT NOT NULL,      -- stated, inferred, imported, tool
        importance REAL NOT NULL,
        hash       TEXT NOT NULL,      -- of heading and text: what is embedded
        marks      TEXT NOT NULL       -- hash of what else is in the full text: tags, neighbours, date
      ) STRICT;
      CREATE INDEX chunks_of_source ON chunks (kind, source);
      CREATE INDEX chunks_by_hash ON chunks (hash);
      CREATE INDEX chunks_of_speaker ON chunks (speaker_key) WHERE speaker_key IS NOT NULL;

      -- What is searched is more than what is kept (neighbours, the date in words, bigrams), so the full text has no
      -- content of its own: rows come and go by chunk_id, in the transaction that changes the chunk.
      CREATE VIRTUAL TABLE words USING fts5 (
        heading, text, tags, neighbours, day, bigrams,
        content = '', contentless_delete = 1,
        tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
      );
      -- Parts of words, and misspelt ones.
      CREATE VIRTUAL TABLE trigrams USING fts5 (
        text,
        content = '', contentless_delete = 1, detail = none, tokenize = 'trigram'
      );

      CREATE TABLE models (
        model_id   INTEGER PRIMARY KEY,
        name       TEXT NOT NULL UNIQUE,
        current    INTEGER NOT NULL,            -- 1 for the model that new vectors are made with
        dimensions INTEGER NOT NULL DEFAULT 0   -- known with its first vector
      ) STRICT;
      CREATE TABLE vectors (
        vector_id  INTEGER PRIMARY KEY AUTOINCREMENT,  -- grows, and so tells what is new
        chunk_id   INTEGER NOT NULL UNIQUE,
        model_id   INTEGER NOT NULL,
        passages   BLOB NOT NULL       -- for each: int8 components, then their scale (f32)
      ) STRICT;
      CREATE INDEX vectors_of_model ON vectors (model_id);
      -- Chunks that wait for their vectors; a worker that takes one says so.
      CREATE TABLE pending (
        chunk_id   INTEGER PRIMARY KEY,
        taken_by   TEXT,
        taken_at   REAL
      ) STRICT;

      CREATE TABLE recalls (
        kind       TEXT NOT NULL,
        source     TEXT NOT NULL,
        count      INTEGER NOT NULL,
        last_at    REAL NOT NULL,
        PRIMARY KEY (kind, source)
      ) STRICT;
    `,
  },
  {
    name: "what the index agrees with",
    sql: "CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;",
  },
  {
    name: "facts with their sources",
    sql: `
      DROP TABLE facts;  -- nothing was ever stored in it; facts are derived from the memory files
      CREATE TABLE facts (
        id             TEXT PRIMARY KEY,  -- derived from the text and the chat
        fact           TEXT NOT NULL,
        category       TEXT NOT NULL DEFAULT 'general',
        chat           TEXT,              -- null: the workspace's own
        file           TEXT NOT NULL,     -- below memories/
        position       INTEGER NOT NULL,  -- among the bullets of its file
        marked_by      TEXT NOT NULL,     -- [MEMORY], hand, remember, compaction
        source_session TEXT,
        source_message INTEGER,
        trust          TEXT NOT NULL,
        tags           TEXT NOT NULL DEFAULT '[]',
        created_at     TEXT NOT NULL,
        ended_at       TEXT,              -- null: it holds
        superseded_by  TEXT,
        because        TEXT
      ) STRICT;
    `,
  },
  {
    name: "tools and summaries in conversations",
    sql: `
      -- A check cannot be changed, so the table is made anew; what its numbers have come to is kept with it.
      CREATE TABLE messages_anew (
        id          INTEGER PRIMARY KEY AUTOINCREMENT,
        session_id  TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
        chat        TEXT NOT NULL DEFAULT 'main',
        role        TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'system', 'tool')),
        speaker     TEXT,
        content     TEXT NOT NULL,
        timestamp   TEXT NOT NULL,
        token_count INTEGER,
        details     TEXT NOT NULL DEFAULT '{}'  -- JSON: calls, results, thinking, what the reply was based on
      ) STRICT;
      INSERT INTO messages_anew (id, session_id, chat, role, speaker, content, timestamp, token_count)
        SELECT id, session_id, chat, role, speaker, content, timestamp, token_count FROM messages ORDER BY id;
      DELETE FROM sqlite_sequence WHERE name = 'messages_anew';
      INSERT INTO sqlite_sequence (name, seq)
        SELECT 'messages_anew', seq FROM sqlite_sequence WHERE name = 'messages';
      DROP TABLE messages;
      ALTER TABLE messages_anew RENAME TO messages;
      CREATE INDEX messages_of_session ON messages (session_id, id);

      ALTER TABLE sessions ADD COLUMN opened_by TEXT;  -- host:pid of the process that has it open
      ALTER TABLE sessions ADD COLUMN summarised_to INTEGER NOT NULL DEFAULT 0;  -- the last message that the summary covers
    `,
  },
  {
    name: "addresses and doubts of facts",
    sql: `
      ALTER TABLE facts ADD COLUMN key TEXT;     -- the address that its writer gave it
      ALTER TABLE facts ADD COLUMN doubts TEXT;  -- the fact that it may replace
    `,
  },
  {
    name: "questions are not evidence",
    sql: `
      -- Of a message, the sentences that state something: '' where none does, null where all do.
      ALTER TABLE chunks ADD COLUMN stated TEXT;
      -- The other sentences of messages. They are looked up by their exact words, and never ranked as memories.
      CREATE VIRTUAL TABLE asked USING fts5 (
        text, bigrams,
        content = '', contentless_delete = 1,
        tokenize = 'porter unicode61 remove_diacritics 2', prefix = '2 3'
      );
      CREATE INDEX facts_of_session ON facts (source_session, source_message);
    `,
    afterwards: indexConversations,
  },
  {
    name: "facts with a last day",
    sql: `
      ALTER TABLE facts ADD COLUMN until TEXT;  -- 2026-11-20; null: no end is known
      CREATE INDEX facts_until ON facts (until) WHERE until IS NOT NULL;
    `,
  },
  { name: "questions in summaries are not evidence", afterwards: indexConversations },
  {
    name: "conversations are files",
    sql: `
      CREATE TABLE session_files (
        name       TEXT PRIMARY KEY,
        session_id TEXT UNIQUE,        -- null: nothing of it could be taken in
        size       INTEGER NOT NULL,
        mtime      REAL NOT NULL,
        ctime      REAL NOT NULL,
        inode      REAL NOT NULL,
        seen_at    REAL NOT NULL,
        problem    TEXT
      ) STRICT;
    `,
  },
  {
    name: "memories in a list",
    // Listing 100,000 memories without reading their texts.
    sql: "CREATE INDEX chunks_listed ON chunks (kind, source, at, tags) WHERE part = 0;",
  },
  {
    name: "senses of words",
    sql: `
      -- A table of its own, since a cold start reads all vectors, and a search the senses of a few chunks.
      CREATE TABLE senses (
        chunk_id INTEGER PRIMARY KEY,
        bits     BLOB NOT NULL         -- of all passages (core/senses.ts)
      ) STRICT;
      -- MiniLM reads its texts again; until then its vectors serve without senses.
      INSERT OR IGNORE INTO pending (chunk_id)
        SELECT chunk_id FROM vectors JOIN models USING (model_id) WHERE current = 1 AND name LIKE 'minilm%';
    `,
  },
  { name: "requests for information are not evidence", afterwards: indexConversations },
  {
    name: "which fact may replace this one",
    sql: "CREATE INDEX IF NOT EXISTS facts_in_doubt ON facts (doubts) WHERE doubts IS NOT NULL",
  },
];

/** From this version on, everything in the database is derived from files. */
export const CACHE_VERSION = MIGRATIONS.findIndex(({ name }) => name === "conversations are files") + 1;

/** Saves conversations that only a database holds to files, durably. Existing files stay unchanged. */
export type StoreConversations = (sessions: readonly FiledSession[], given: GivenNumbers) => void;

/** Returns no rows, but fails if the tables don't match the schema above. */
export const SHAPE = `SELECT documents.collection, documents.id, documents.title, fields, documents.ctime, written_hash, format,
    state.value, recalls.count, passages, taken_by, speaker_key, models.dimensions, senses.bits, messages.details, opened_by,
    session_files.problem,
    summarised_to, facts.ended_at, facts.doubts, facts.until, words.day, trigrams.text, chunks.stated, asked.text
  FROM documents, state, recalls, models, messages, sessions, session_files, facts, words, trigrams, asked, senses, chunks
    JOIN vectors ON vectors.chunk_id = chunks.chunk_id JOIN pending ON pending.chunk_id = chunks.chunk_id LIMIT 0`;

/**
 * Migrates to the newest schema in one transaction; passes conversations of an earlier version to `keep` before the commit.
 * Throws `io` for a database of a newer Retain.
 */
export function migrate(database: Database, keep: StoreConversations = () => {}): void {
  if (versionOf(database) === MIGRATIONS.length) return;
  transaction(database, () => {
    const done = versionOf(database);
    if (done > MIGRATIONS.length)
      throw new RetainError(
        "io",
        `The index ${database.filename} was made by a newer version of Retain.`,
        "Update Retain: every program that shares this memory (the command, the plugin, an MCP server) needs that version.",
      );
    const missing = MIGRATIONS.slice(done);
    for (const { sql } of missing) if (sql !== undefined) database.run(sql);
    for (const derive of new Set(missing.map(({ afterwards }) => afterwards))) derive?.(database);
    if (done > 0 && done < CACHE_VERSION) keepConversations(database, keep);
    database.run(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function keepConversations(database: Database, keep: StoreConversations): void {
  const { sessions, given } = keptConversations(database);
  if (sessions.length > 0 || given.message > 0) keep(sessions, given);
}

function versionOf(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}
