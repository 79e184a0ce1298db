/** Conversations as rows, for reading and searching. They are derived from the session files and updated under the lock. */
import { nameKey } from "../../core/documents/names.ts";
import type { FileStamp } from "../../core/ports/documents.ts";
import type { SessionsWanted } from "../../core/ports/sessions.ts";
import type { Message, SessionSummary, StoredMessage } from "../../core/sessions/conversation.ts";
import type { FiledChange, FiledSession } from "../../core/sessions/session-file.ts";
import type { Database } from "../driver.ts";
import type { WorkspaceRows } from "../rows.ts";
import {
  indexSession,
  indexSummary,
  indexTurns,
  lastTurns,
  unindexMessages,
  unindexSession,
} from "./session-index.ts";
import {
  ANSWERED,
  insertMessages,
  markFailure,
  messageOf,
  messagesAround,
  messagesOf,
  SPOKEN,
  sessionOf,
  sessionsWhere,
} from "./session-rows.ts";

const having = (turns: string) =>
  `EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND ${turns})`;

const LEARNED_TO = `ifnull((SELECT max(json_extract(details, '$.learnedTo')) FROM messages
  WHERE session_id = sessions.id AND role = 'system' AND json_valid(details)), 0)`;

/** The file state that the rows reflect. */
export interface KnownFile extends FileStamp {
  readonly name: string;
  /** null if nothing in it could be imported. */
  readonly session: string | null;
  readonly seenAt: number;
  /** The problem, or null. */
  readonly problem: string | null;
}

export class SqliteSessions {
  constructor(private readonly workspace: WorkspaceRows) {}

  get unwritable(): string | null {
    return this.workspace.unwritable;
  }

  files(): Map<string, KnownFile> {
    return this.workspace.read(new Map(), knownFiles);
  }

  lastNumber(): number {
    return this.workspace.read(0, lastNumber);
  }

  /** The number of messages. */
  length(id: string): number {
    return this.workspace.read(0, (database) => {
      const query = database.query("SELECT count(*) FROM messages WHERE session_id = ?");
      return (query.values(id) as [[number]])[0][0];
    });
  }

  session(id: string): SessionSummary | null {
    return this.workspace.read(null, (database) => sessionOf(database, id));
  }

  idsFrom(beginning: string, limit: number): string[] {
    return this.workspace.read([], (database) => {
      const query = database.query<{ id: string }, [string, number]>(
        `SELECT id FROM sessions WHERE substr(id, 1, length(?1)) = ?1
         ORDER BY updated_at DESC, id DESC LIMIT ?2`,
      );
      return query.all(beginning, limit).map(({ id }) => id);
    });
  }

  list({ chat, tag, limit = -1, withoutFailed = false }: SessionsWanted): SessionSummary[] {
    return this.workspace.read([], (database) => {
      // Counts messages only of the wanted sessions.
      const newest = `id IN (SELECT id FROM sessions WHERE chat = ifnull(?, chat) AND ${having(withoutFailed ? ANSWERED : SPOKEN)}
          ORDER BY updated_at DESC, id DESC LIMIT ?) ORDER BY updated_at DESC, id DESC`;
      if (tag === undefined) return sessionsWhere(database, newest, chat ?? null, limit);
      const tagged = sessionsWhere(database, newest, chat ?? null, -1).filter(({ tags }) =>
        tags.some((one) => nameKey(one) === nameKey(tag)),
      );
      return limit < 0 ? tagged : tagged.slice(0, limit);
    });
  }

  unsummarised(isGone: (holder: string) => boolean): SessionSummary[] {
    const open = this.workspace.read([], (database) =>
      sessionsWhere(
        database,
        `${having(`id > summarised_to AND ${SPOKEN}`)}
         ORDER BY updated_at, id`,
      ),
    );
    return open.filter(({ openedBy }) => openedBy === null || isGone(openedBy));
  }

  unlearned(since: string): SessionSummary[] {
    return this.workspace.read([], (database) =>
      sessionsWhere(
        database,
        `updated_at >= ?1 AND EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND ${SPOKEN}
           AND timestamp >= ?1 AND id > ${LEARNED_TO}) ORDER BY updated_at, id`,
        since,
      ),
    );
  }

  message(id: number): StoredMessage | null {
    return this.workspace.read(null, (database) => messageOf(database, id));
  }

  around(message: StoredMessage, count: number): Message[] {
    return this.workspace.read([], (database) => messagesAround(database, message, count));
  }

  messages(session: string): Message[] {
    return this.workspace.read([], (database) => messagesOf(database, session));
  }

  /** Records which process has a session open. Needs the lock, like all methods below. */
  open(id: string, openedBy: string | null): void {
    this.workspace.enqueue((database) =>
      database.query("UPDATE sessions SET opened_by = ? WHERE id = ?").run(openedBy, id),
    );
  }

  /** Adds messages that were appended to the session's file; the session may be new. */
  add(session: Omit<FiledSession, "summary" | "summarisedTo">, file: KnownFile): void {
    this.workspace.enqueue((database) => {
      const { id, messages } = session;
      putFile(database, file);
      ensureSession(database, session);
      const before = lastTurns(database, id);
      insertMessages(database, session, messages);
      indexTurns(database, session, before, messages);
    });
  }

  /** Updates title, tags, summary and a failed message from the file. */
  change(id: string, change: FiledChange, file: KnownFile): void {
    const { title, tags, summary, covers_to } = change;
    this.workspace.enqueue((database) => {
      putFile(database, file);
      markFailure(database, change);
      database
        .query(
          `UPDATE sessions SET title = ifnull($title, title), tags = ifnull($tags, tags),
             summary = ifnull($summary, summary), summarised_to = ifnull($to, summarised_to) WHERE id = $id`,
        )
        .run({
          id,
          title: title ?? null,
          tags: tags === undefined ? null : JSON.stringify(tags),
          summary: summary ?? null,
          to: covers_to ?? null,
        });
      indexSummary(database, id);
    });
  }

  /** Replaces the rows of a file. */
  replace(session: FiledSession, file: KnownFile): void {
    this.workspace.enqueue((database) => importSession(database, session, file));
  }

  /** Removes a session and its file. */
  drop(file: KnownFile): void {
    this.workspace.enqueue((database) => dropFile(database, file));
  }
}

export function knownFiles(database: Database): Map<string, KnownFile> {
  const rows = database
    .query<KnownFile, []>(
      "SELECT name, session_id AS session, size, mtime, ctime, inode, seen_at AS seenAt, problem FROM session_files",
    )
    .all();
  return new Map(rows.map((row) => [row.name, row]));
}

/** The highest message number that is, or as far as known was, in use. */
export function lastNumber(database: Database): number {
  const query = database.query("SELECT seq FROM sqlite_sequence WHERE name = 'messages'");
  return (query.values() as [number][])[0]?.[0] ?? 0;
}

/** Whether another session already uses one of these message numbers. */
export function areNumbersTaken(database: Database, { id, messages }: FiledSession): boolean {
  const numbers = JSON.stringify(messages.map((message) => message.id));
  const query = database.query(
    "SELECT 1 FROM messages WHERE session_id <> ? AND id IN (SELECT value FROM json_each(?)) LIMIT 1",
  );
  return query.values(id, numbers).length > 0;
}

/** Replaces the rows of a session with its file's content. */
export function importSession(database: Database, session: FiledSession, file: KnownFile): void {
  const { id, messages } = session;
  putFile(database, file);
  ensureSession(database, session);
  putDetails(database, session);
  const kept = new Set(messages.map((message) => message.id));
  const known = database.query<{ id: number }, [string]>("SELECT id FROM messages WHERE session_id = ?");
  const gone = known.all(id).filter((message) => !kept.has(message.id));
  unindexMessages(
    database,
    gone.map((message) => message.id),
  );
  database.query("DELETE FROM messages WHERE session_id = ?").run(id);
  insertMessages(database, session, messages);
  indexSession(database, session);
  indexSummary(database, id);
}

export function dropFile(database: Database, { name, session }: KnownFile): void {
  database.query("DELETE FROM session_files WHERE name = ?").run(name);
  if (session === null) return;
  unindexSession(database, session);
  database.query("DELETE FROM messages WHERE session_id = ?").run(session);
  database.query("DELETE FROM sessions WHERE id = ?").run(session);
}

export function putFile(database: Database, file: KnownFile): void {
  database
    .query(
      `INSERT OR REPLACE INTO session_files (name, session_id, size, mtime, ctime, inode, seen_at, problem)
       VALUES ($name, $session, $size, $mtime, $ctime, $inode, $seenAt, $problem)`,
    )
    .run({ ...file });
}

/** Creates the row of a new session; for a known one, only updates its time. */
function ensureSession(
  database: Database,
  { id, chat, title, tags, created_at, updated_at }: Omit<FiledSession, "summary" | "summarisedTo">,
): void {
  database
    .query(
      `INSERT INTO sessions (id, chat, title, tags, created_at, updated_at)
       VALUES ($id, $chat, $title, $tags, $created, $updated)
       ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
    )
    .run({ id, chat, title, tags: JSON.stringify(tags), created: created_at, updated: updated_at });
}

function putDetails(database: Database, session: Omit<FiledSession, "messages">): void {
  const { id, chat, title, tags, summary, summarisedTo, created_at } = session;
  database
    .query(
      `UPDATE sessions SET chat = $chat, title = $title, tags = $tags, summary = $summary, summarised_to = $to,
         created_at = $created WHERE id = $id`,
    )
    .run({
      ...{ id, chat, title, tags: JSON.stringify(tags), summary },
      ...{ to: summarisedTo, created: created_at },
    });
}
