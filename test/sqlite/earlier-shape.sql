-- The database as it was before messages had details: made by the first five migrations, and never changed again.
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
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
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
PRAGMA user_version = 5;
