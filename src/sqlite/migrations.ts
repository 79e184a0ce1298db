/** The database's shape as an ordered list of named steps. Steps are only ever added. */
import type { Database } from "bun:sqlite";
import { RetainError } from "../core/errors.ts";

interface Migration {
  name: string;
  sql: string;
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
];

/** Reads nothing, and fails on a database whose tables are not the ones above. */
export const SHAPE = "SELECT collection, id, title, fields, ctime, written_hash FROM documents LIMIT 0";

/** Brings the database to the newest shape, in one transaction. Throws `io` for one made by a newer Retain. */
export function migrate(database: Database): void {
  if (versionOf(database) === MIGRATIONS.length) return;
  database
    .transaction(() => {
      const done = versionOf(database);
      if (done > MIGRATIONS.length)
        throw new RetainError(
          "io",
          `The index ${database.filename} was made by a newer version of Retain.`,
          "Update Retain, or delete that file: it is rebuilt from your documents.",
        );
      for (const migration of MIGRATIONS.slice(done)) database.run(migration.sql);
      database.run(`PRAGMA user_version = ${MIGRATIONS.length}`);
    })
    .immediate();
}

function versionOf(database: Database): number {
  return (database.query("PRAGMA user_version").get() as { user_version: number }).user_version;
}
