/** Changes every text of conversations, for one that nothing may hold any more. */
import type { Database } from "bun:sqlite";
import { editedDetailsJson } from "./session-details.ts";
import { indexSession, indexSummary } from "./session-index.ts";
import { tagsOf } from "./session-rows.ts";

type Edit = (text: string) => string;

interface MessageTexts {
  readonly id: number;
  readonly session: string;
  readonly chat: string;
  readonly content: string;
  readonly details: string;
}

interface SessionTexts {
  readonly id: string;
  readonly title: string | null;
  readonly summary: string | null;
  readonly tags: string;
}

/** Returns how many messages and sessions were changed. */
export function rewriteConversations(database: Database, edit: Edit): number {
  return rewriteMessages(database, edit) + rewriteSessions(database, edit);
}

function rewriteMessages(database: Database, edit: Edit): number {
  const found = database
    .query<MessageTexts, []>("SELECT id, session_id AS session, chat, content, details FROM messages")
    .all();
  const update = database.query("UPDATE messages SET content = ?, details = ? WHERE id = ?");
  const sessions = new Map<string, string>();
  let changed = 0;
  for (const { id, session, chat, content, details } of found) {
    const said = edit(content);
    const rest = details === "{}" ? details : editedDetailsJson(details, edit);
    if (said === content && rest === details) continue;
    update.run(said, rest, id);
    changed++;
    if (said !== content) sessions.set(session, chat);
  }
  for (const [id, chat] of sessions) indexSession(database, { id, chat });
  return changed;
}

function rewriteSessions(database: Database, edit: Edit): number {
  const found = database.query<SessionTexts, []>("SELECT id, title, summary, tags FROM sessions").all();
  const update = database.query("UPDATE sessions SET title = ?, summary = ?, tags = ? WHERE id = ?");
  let changed = 0;
  for (const { id, title, summary, tags } of found) {
    const words = tagsOf(tags);
    const after = {
      title: title === null ? null : edit(title),
      summary: summary === null ? null : edit(summary),
      tags: words.some((tag) => edit(tag) !== tag) ? JSON.stringify(words.map(edit)) : tags,
    };
    if (after.title === title && after.summary === summary && after.tags === tags) continue;
    update.run(after.title, after.summary, after.tags, id);
    indexSummary(database, id);
    changed++;
  }
  return changed;
}
