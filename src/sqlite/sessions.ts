/** Conversations. They live in the database alone, so storing one throws where it cannot be stored. */
import type { Database } from "bun:sqlite";
import type {
  Message,
  NewMessage,
  NewSession,
  SessionChange,
  SessionSummary,
  StoredMessage,
} from "../core/conversation.ts";
import { RetainError } from "../core/errors.ts";
import { nameKey } from "../core/names.ts";
import type { SessionStore, SessionsWanted } from "../core/session-ports.ts";
import { shellWord } from "../util/text.ts";
import type { WorkspaceRows } from "./rows.ts";
import { indexSummary, indexTurns, lastTurns, unindexSession } from "./session-index.ts";
import { keepNumber, nextSessionId } from "./session-numbers.ts";
import { rewriteConversations } from "./session-rewrite.ts";
import {
  insertMessages,
  messageOf,
  messagesAround,
  messagesOf,
  SPOKEN,
  sessionOf,
  sessionsWhere,
} from "./session-rows.ts";

const SAID_ANYTHING = `EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND ${SPOKEN})`;

const LEARNED_TO = `ifnull((SELECT max(json_extract(details, '$.learnedTo')) FROM messages
  WHERE session_id = sessions.id AND role = 'system' AND json_valid(details)), 0)`;

export class SqliteSessions implements SessionStore {
  constructor(private readonly workspace: WorkspaceRows) {}

  get unwritable(): string | null {
    return this.workspace.unwritable;
  }

  async begin(
    { chat, title, day, openedBy }: Parameters<SessionStore["begin"]>[0],
    messages: readonly NewMessage[],
  ): Promise<{ id: string; messages: Message[] }> {
    if (messages.length === 0) throw new Error("A session begins with a message");
    return this.workspace.transaction((database) => {
      const id = nextSessionId(database, day);
      const added = addMessages(database, { id, chat, title }, messages);
      database.query("UPDATE sessions SET opened_by = ? WHERE id = ?").run(openedBy, id);
      return { id, messages: added };
    });
  }

  async append(session: NewSession, messages: readonly NewMessage[]): Promise<Message[]> {
    if (messages.length === 0) return [];
    return this.workspace.transaction((database) => {
      checkChat(database, session);
      checkLength(database, session);
      return addMessages(database, session, messages);
    });
  }

  session(id: string): SessionSummary | null {
    return this.workspace.readKept(null, (database) => sessionOf(database, id));
  }

  idsFrom(beginning: string, limit: number): string[] {
    return this.workspace.readKept([], (database) => {
      const query = database.query<{ id: string }, [string, number]>(
        `SELECT id FROM sessions WHERE substr(id, 1, length(?1)) = ?1
         ORDER BY updated_at DESC, id DESC LIMIT ?2`,
      );
      return query.all(beginning, limit).map(({ id }) => id);
    });
  }

  list({ chat, tag, limit = -1 }: SessionsWanted): SessionSummary[] {
    return this.workspace.readKept([], (database) => {
      // The messages of those that are wanted are counted, and of no others.
      const newest = `id IN (SELECT id FROM sessions WHERE chat = ifnull(?, chat) AND ${SAID_ANYTHING}
          ORDER BY updated_at DESC, id DESC LIMIT ?) ORDER BY updated_at DESC, id DESC`;
      if (tag === undefined) return sessionsWhere(database, newest, chat ?? null, limit);
      const tagged = sessionsWhere(database, newest, chat ?? null, -1).filter(({ tags }) =>
        tags.some((one) => nameKey(one) === nameKey(tag)),
      );
      return limit < 0 ? tagged : tagged.slice(0, limit);
    });
  }

  async change(id: string, { title, tags, summary, coversTo }: SessionChange): Promise<void> {
    await this.workspace.transaction((database) => {
      requireSession(database, id);
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
          to: coversTo ?? (summary === undefined ? null : lastNumber(database, id)),
        });
      indexSummary(database, id);
    });
  }

  async claim(id: string, openedBy: string, isGone: (holder: string) => boolean): Promise<string> {
    return this.workspace.transaction((database) => {
      const { openedBy: holder } = requireSession(database, id);
      if (holder !== null && holder !== openedBy && !isGone(holder)) return holder;
      database.query("UPDATE sessions SET opened_by = ? WHERE id = ?").run(openedBy, id);
      return openedBy;
    });
  }

  async release(id: string, openedBy: string): Promise<void> {
    await this.workspace.transaction((database) =>
      database.query("UPDATE sessions SET opened_by = NULL WHERE id = ? AND opened_by = ?").run(id, openedBy),
    );
  }

  unsummarised(isGone: (holder: string) => boolean): SessionSummary[] {
    if (this.unwritable !== null) return [];
    const open = this.workspace.readKept([], (database) =>
      sessionsWhere(
        database,
        `EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND id > summarised_to AND ${SPOKEN})
         ORDER BY updated_at, id`,
      ),
    );
    return open.filter(({ openedBy }) => openedBy === null || isGone(openedBy));
  }

  unlearned(since: string): SessionSummary[] {
    if (this.unwritable !== null) return [];
    return this.workspace.readKept([], (database) =>
      sessionsWhere(
        database,
        `updated_at >= ?1 AND EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND ${SPOKEN}
           AND timestamp >= ?1 AND id > ${LEARNED_TO}) ORDER BY updated_at, id`,
        since,
      ),
    );
  }

  async remove(id: string): Promise<boolean> {
    return this.workspace.transaction((database) => {
      if (sessionOf(database, id) === null) return false;
      unindexSession(database, id);
      database.query("DELETE FROM messages WHERE session_id = ?").run(id);
      database.query("DELETE FROM sessions WHERE id = ?").run(id);
      keepNumber(database, id);
      return true;
    });
  }

  chatOf(session: string): string | null {
    return this.workspace.readKept(null, (database) => {
      const query = database.query<{ chat: string }, [string]>("SELECT chat FROM sessions WHERE id = ?");
      return query.get(session)?.chat ?? null;
    });
  }

  message(id: number): StoredMessage | null {
    return this.workspace.readKept(null, (database) => messageOf(database, id));
  }

  around(message: StoredMessage, count: number): Message[] {
    return this.workspace.readKept([], (database) => messagesAround(database, message, count));
  }

  messages(session: string): Message[] {
    return this.workspace.readKept([], (database) => messagesOf(database, session));
  }

  async rewrite(edit: (text: string) => string): Promise<number> {
    return this.workspace.transaction((database) => rewriteConversations(database, edit));
  }
}

function addMessages(database: Database, session: NewSession, messages: readonly NewMessage[]): Message[] {
  database
    .query(
      `INSERT INTO sessions (id, chat, title, tags, created_at, updated_at)
       VALUES ($id, $chat, $title, $tags, $created, $updated)
       ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
    )
    .run({
      id: session.id,
      chat: session.chat,
      title: session.title,
      tags: JSON.stringify(session.tags ?? []),
      created: session.created_at ?? messages[0]?.timestamp ?? "",
      updated: session.updated_at ?? messages.at(-1)?.timestamp ?? "",
    });
  const before = lastTurns(database, session.id);
  const added = insertMessages(database, session, messages);
  indexTurns(database, session, before, added);
  return added;
}

function requireSession(database: Database, id: string): SessionSummary {
  const session = sessionOf(database, id);
  if (session !== null) return session;
  throw new RetainError(
    "not_found",
    `There is no session ${JSON.stringify(id)}.`,
    "'retain sessions list' lists them.",
  );
}

/** Throws `conflict` for a session of another chat: what is said in one chat is not to be found in another. */
function checkChat(database: Database, { id, chat }: NewSession): void {
  const known = database.query<{ chat: string }, [string]>("SELECT chat FROM sessions WHERE id = ?").get(id);
  if (known === null || known.chat === chat) return;
  throw new RetainError(
    "conflict",
    `The session ${id} belongs to the chat ${known.chat}, not to ${chat}. Nothing was stored.`,
    `Name its chat: --chat ${shellWord(known.chat)}, or take another session.`,
  );
}

function checkLength(database: Database, { id, follows }: NewSession): void {
  if (follows === undefined) return;
  const query = database.query<{ count: number }, [string]>(
    "SELECT count(*) AS count FROM messages WHERE session_id = ?",
  );
  if (query.get(id)?.count === follows) return;
  throw new RetainError("conflict", `The session ${id} went on meanwhile. Nothing was stored.`);
}

/** 0 where nothing was said. */
function lastNumber(database: Database, session: string): number {
  const query = database.query<{ last: number | null }, [string]>(
    "SELECT max(id) AS last FROM messages WHERE session_id = ?",
  );
  return query.get(session)?.last ?? 0;
}
