/**
 * Conversations. They live in the database alone, so storing one throws where it cannot be stored. A turn says little
 * without the turns around it: it is indexed together with those.
 */
import type { Database } from "bun:sqlite";
import type { Message, NewMessage, NewSession, SessionSummary, StoredMessage } from "../core/conversation.ts";
import { RetainError } from "../core/errors.ts";
import { readReply } from "../core/marks.ts";
import type { SessionStore } from "../core/ports.ts";
import { shellWord } from "../util/text.ts";
import { putMemory } from "./chunks.ts";
import type { WorkspaceRows } from "./rows.ts";

const MESSAGE = "id, role, speaker, content, timestamp";

export class SqliteSessions implements SessionStore {
  constructor(private readonly workspace: WorkspaceRows) {}

  async append(session: NewSession, messages: readonly NewMessage[]): Promise<Message[]> {
    const [first] = messages;
    const last = messages.at(-1);
    if (first === undefined || last === undefined) return [];
    return this.workspace.transaction((database) => {
      checkChat(database, session);
      database
        .query(
          `INSERT INTO sessions (id, chat, title, created_at, updated_at) VALUES ($id, $chat, $title, $created, $updated)
           ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
        )
        .run({ ...session, created: first.timestamp, updated: last.timestamp });
      const insert = database.query<
        Message,
        [string, string, string, string | null, string, string, number | null]
      >(
        `INSERT INTO messages (session_id, chat, role, speaker, content, timestamp, token_count)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id, role, speaker, content, timestamp`,
      );
      const before = lastMessages(database, session.id, 2);
      const added = messages.map(
        ({ role, speaker, content, timestamp, token_count }) =>
          insert.get(session.id, session.chat, role, speaker, content, timestamp, token_count) as Message,
      );
      indexTurns(database, session, before, added);
      return added;
    });
  }

  chatOf(session: string): string | null {
    return this.workspace.read(null, (database) => {
      const query = database.query<{ chat: string }, [string]>("SELECT chat FROM sessions WHERE id = ?");
      return query.get(session)?.chat ?? null;
    });
  }

  message(id: number): StoredMessage | null {
    return this.workspace.read(null, (database) =>
      database
        .query<StoredMessage, [number]>(
          `SELECT ${MESSAGE}, session_id AS session, chat FROM messages WHERE id = ?`,
        )
        .get(id),
    );
  }

  around({ id, session }: StoredMessage, count: number): Message[] {
    return this.workspace.read([], (database) => {
      const query = (compare: string, order: string) =>
        database
          .query<Message, [string, number, number]>(
            `SELECT ${MESSAGE} FROM messages WHERE session_id = ? AND id ${compare} ? ORDER BY id ${order} LIMIT ?`,
          )
          .all(session, id, compare === "<=" ? count + 1 : count);
      return [...query("<=", "DESC").reverse(), ...query(">", "ASC")];
    });
  }

  recent(count: number, chat?: string): SessionSummary[] {
    return this.workspace.read([], (database) =>
      database
        .query<SessionSummary, [string | null, number]>(
          `SELECT id, chat, title, summary, created_at, updated_at,
             (SELECT count(*) FROM messages WHERE session_id = sessions.id) AS messages
           FROM sessions WHERE chat = ifnull(?1, chat) ORDER BY updated_at DESC, id DESC LIMIT ?2`,
        )
        .all(chat ?? null, count),
    );
  }

  messages(session: string): Message[] {
    return this.workspace.read([], (database) => lastMessages(database, session, -1));
  }

  async rewrite(edit: (content: string) => string): Promise<number> {
    return this.workspace.transaction((database) => {
      const found = database
        .query<StoredMessage, []>(`SELECT ${MESSAGE}, session_id AS session, chat FROM messages`)
        .all();
      const changed = found.filter(({ content }) => edit(content) !== content);
      for (const { id, content } of changed)
        database.query("UPDATE messages SET content = ? WHERE id = ?").run(edit(content), id);
      for (const id of new Set(changed.map(({ session }) => session))) {
        const query = database.query<NewSession, [string]>(
          "SELECT id, chat, title FROM sessions WHERE id = ?",
        );
        const session = query.get(id);
        if (session !== null) indexSession(database, session);
      }
      return changed.length;
    });
  }
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

/** The newest messages of a session, oldest first. */
function lastMessages(database: Database, session: string, count: number): Message[] {
  return database
    .query<Message, [string, number]>(
      `SELECT ${MESSAGE} FROM messages WHERE session_id = ? ORDER BY id DESC LIMIT ?`,
    )
    .all(session, count)
    .reverse();
}

/** The turn before the new ones is indexed again: it has a neighbour now. */
function indexTurns(
  database: Database,
  session: NewSession,
  before: readonly Message[],
  added: readonly Message[],
): void {
  const turns = [...before, ...added];
  const start = Math.max(0, before.length - 1);
  for (let index = start; index < turns.length; index++) {
    const turn = turns[index] as Message;
    const said = shown(turn);
    const at = Date.parse(turn.timestamp);
    putMemory(database, {
      kind: "message",
      source: String(turn.id),
      scope: session.chat,
      tags: [],
      session: session.id,
      speaker: turn.speaker,
      at: Number.isNaN(at) ? null : at,
      trust: turn.role === "user" ? "stated" : "inferred",
      importance: 0.5,
      chunks: [{ heading: "", text: said, line: 1 }],
      neighbours: neighboursOf(said, shown(turns[index - 1]), shown(turns[index + 1])),
    });
  }
}

/** What a person saw of it: what is marked in a reply is kept, and found, elsewhere. */
function shown(turn: Message | undefined): string {
  if (turn === undefined) return "";
  return turn.role === "assistant" ? readReply(turn.content).visible.trim() : turn.content;
}

/** A turn up to this long is understood from what is next to it; a longer one speaks for itself. */
const SHORT_TURN = 400;

/** The end of what came before, and the beginning of what came after. */
function neighboursOf(content: string, before: string, after: string): string {
  if (content.length > SHORT_TURN) return "";
  return `${before.slice(-SHORT_TURN)}\n${after.slice(0, SHORT_TURN)}`;
}

/** Every turn of every session, for an index that is built anew. */
export function indexConversations(database: Database): void {
  const sessions = database.query<NewSession, []>("SELECT id, chat, title FROM sessions").all();
  for (const session of sessions) indexSession(database, session);
}

/** Every turn of a session. */
function indexSession(database: Database, session: NewSession): void {
  indexTurns(database, session, [], lastMessages(database, session.id, -1));
}
