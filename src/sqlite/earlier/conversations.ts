/** Reads conversations from the rows of an earlier version, which kept them only in the database, to save them as files. */
import type { FiledSession, GivenNumbers } from "../../core/sessions/session-file.ts";
import type { Database } from "../driver.ts";
import { messagesOf, tagsOf } from "../sessions/session-rows.ts";

type SessionRow = Omit<FiledSession, "tags" | "messages"> & { readonly tags: string };

export function keptConversations(database: Database): { sessions: FiledSession[]; given: GivenNumbers } {
  const rows = database
    .query<SessionRow, []>(
      `SELECT id, chat, title, tags, created_at, updated_at, summary, summarised_to AS summarisedTo FROM sessions
       ORDER BY id`,
    )
    .all();
  const sessions = rows.map((row) => ({
    ...row,
    tags: tagsOf(row.tags),
    messages: messagesOf(database, row.id),
  }));
  return { sessions, given: givenNumbers(database) };
}

/** `state` holds the last number of each day: "session:20260218" is 4. */
function givenNumbers(database: Database): GivenNumbers {
  const [sequence] = database.query("SELECT seq FROM sqlite_sequence WHERE name = 'messages'").values() as [
    number,
  ][];
  const [last] = database
    .query("SELECT key, value FROM state WHERE key LIKE 'session:%' ORDER BY key DESC LIMIT 1")
    .values() as [string, string][];
  const session =
    last === undefined ? "" : `session_${last[0].slice("session:".length)}_${last[1].padStart(3, "0")}`;
  return { message: sequence?.[0] ?? 0, session };
}
