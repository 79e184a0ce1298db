/**
 * Conversations. They live in the database alone, so storing one throws where it cannot be stored. A turn says little
 * without the turns around it: it is indexed together with those.
 */
import type { Database } from "bun:sqlite";
import type { Message, NewMessage, NewSession } from "../core/conversation.ts";
import { putMemory } from "./chunks.ts";
import type { WorkspaceDatabase } from "./database.ts";

export class SqliteSessions {
  constructor(private readonly workspace: WorkspaceDatabase) {}

  /** Adds messages to the end of a session, which is made if it is new. Durable and searchable on return. */
  async append(session: NewSession, messages: readonly NewMessage[]): Promise<Message[]> {
    const [first] = messages;
    const last = messages.at(-1);
    if (first === undefined || last === undefined) return [];
    return this.workspace.transaction((database) => {
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
}

/** The newest messages of a session, oldest first. */
function lastMessages(database: Database, session: string, count: number): Message[] {
  return database
    .query<Message, [string, number]>(
      "SELECT id, role, speaker, content, timestamp FROM messages WHERE session_id = ? ORDER BY id DESC LIMIT ?",
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
      chunks: [{ heading: "", text: turn.content, line: 1 }],
      neighbours: neighboursOf(
        turn.content,
        turns[index - 1]?.content ?? "",
        turns[index + 1]?.content ?? "",
      ),
    });
  }
}

/** A turn up to this long is understood from what is next to it; a longer one speaks for itself. */
const SHORT_TURN = 400;

/** The end of what came before, and the beginning of what came after. */
function neighboursOf(content: string, before: string, after: string): string {
  if (content.length > SHORT_TURN) return "";
  return `${before.slice(-SHORT_TURN)}\n${after.slice(0, SHORT_TURN)}`;
}

/** Every turn of a session, for an index that is built anew. */
export function indexSession(database: Database, session: NewSession): void {
  indexTurns(database, session, [], lastMessages(database, session.id, -1));
}
