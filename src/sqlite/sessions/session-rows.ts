/** Reads session and message rows and adds messages. */
import type { Message, NewSession, SessionSummary, StoredMessage } from "../../core/sessions/conversation.ts";
import { fromDetailsJson } from "../../core/sessions/message-details.ts";
import { type FiledChange, failureIn, withFailure } from "../../core/sessions/session-file.ts";
import type { Database } from "../driver.ts";

/** Spoken turns. The rest are tool results and messages that Retain inserted. */
export const SPOKEN = "role IN ('user', 'assistant')";

/** The `failed` of a message's details, or NULL. Only a user's message can have it. */
const FAILED = `CASE WHEN role = 'user' AND details <> '{}' AND json_valid(details)
  THEN json_extract(details, '$.failed') END`;

/** Turns that belong to the conversation: requests include them. */
export const ANSWERED = `${SPOKEN} AND ${FAILED} IS NULL`;

/** Turns that a conversation shows, and that its length counts. */
export const COUNTED = `${SPOKEN} AND ${FAILED} IS NOT 'retried'`;

const MESSAGE = "id, role, speaker, content, timestamp, token_count, details";
const SESSION = `id, chat, title, summary, tags, created_at, updated_at, opened_by AS openedBy,
  (SELECT count(*) FROM messages WHERE session_id = sessions.id AND ${COUNTED}) AS messages,
  NOT EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND ${ANSWERED})
    AND EXISTS (SELECT 1 FROM messages WHERE session_id = sessions.id AND ${SPOKEN}) AS failed`;

type Stored<Row> = Omit<Row, "details"> & { details: string };
type SessionRow = Omit<SessionSummary, "tags" | "failed"> & { tags: string; failed: number };

export function messageOf(database: Database, id: number): StoredMessage | null {
  const row = database
    .query<Stored<StoredMessage>, [number]>(
      `SELECT ${MESSAGE}, session_id AS session, chat FROM messages WHERE id = ?`,
    )
    .get(id);
  return row === null ? null : withDetails(row);
}

/** `which` is a condition on messages. Returns the newest, in chronological order; -1 for all. */
export function messagesOf(
  database: Database,
  session: string,
  { which = "1", count = -1 }: { which?: string; count?: number } = {},
): Message[] {
  return database
    .query<Stored<Message>, [string, number]>(
      `SELECT ${MESSAGE} FROM messages WHERE session_id = ? AND ${which} ORDER BY id DESC LIMIT ?`,
    )
    .all(session, count)
    .reverse()
    .map(withDetails);
}

/** Turns up to and including a message, and after it. */
export function messagesAround(database: Database, { id, session }: StoredMessage, count: number): Message[] {
  const query = (compare: string, order: string, limit: number) =>
    database
      .query<Stored<Message>, [string, number, number]>(
        `SELECT ${MESSAGE} FROM messages WHERE session_id = ? AND id ${compare} ? AND ${SPOKEN}
         ORDER BY id ${order} LIMIT ?`,
      )
      .all(session, id, limit)
      .map(withDetails);
  return [...query("<=", "DESC", count + 1).reverse(), ...query(">", "ASC", count)];
}

export function insertMessages(
  database: Database,
  { id, chat }: Pick<NewSession, "id" | "chat">,
  messages: readonly Message[],
): void {
  const insert = database.query(
    `INSERT OR REPLACE INTO messages (id, session_id, chat, role, speaker, content, timestamp, token_count, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const { id: number, role, speaker, content, timestamp, token_count, details } of messages)
    insert.run(number, id, chat, role, speaker, content, timestamp, token_count, JSON.stringify(details));
}

/** Marks a message as failed or sent again. */
export function markFailure(database: Database, change: FiledChange): void {
  const [id, failed] = failureIn(change) ?? [];
  const message = id === undefined ? null : messageOf(database, id);
  if (message === null) return;
  const details = JSON.stringify(withFailure(message.details, failed));
  database.query("UPDATE messages SET details = ? WHERE id = ?").run(details, message.id);
}

function withDetails<Row extends Message>({ details, ...row }: Stored<Row>): Row {
  return { ...row, details: fromDetailsJson(details) } as unknown as Row;
}

export function sessionOf(database: Database, id: string): SessionSummary | null {
  return sessionsWhere(database, "id = ?", id)[0] ?? null;
}

/** `condition` may end with an order and a limit. */
export function sessionsWhere(
  database: Database,
  condition: string,
  ...values: (string | number | null)[]
): SessionSummary[] {
  return database
    .query<SessionRow, (string | number | null)[]>(`SELECT ${SESSION} FROM sessions WHERE ${condition}`)
    .all(...values)
    .map(({ tags, failed, ...row }) => ({
      ...row,
      tags: tagsOf(tags),
      ...(failed && { failed: true as const }),
    }));
}

/** Empty if the row is damaged. */
export function tagsOf(json: string): string[] {
  try {
    const tags: unknown = JSON.parse(json);
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
  } catch {
    return [];
  }
}
