/** The recent conversations of a chat, for when no older summary is relevant: title, and summary or short excerpts. */

import { readReply } from "../core/marks/marks.ts";
import { answeredMessages, type Message, type SessionSummary } from "../core/sessions/conversation.ts";
import { plural } from "../util/in-words.ts";
import { oneLine, truncate, withoutPeriod } from "../util/text.ts";
import { homeFirst, type Whose } from "./memory-files.ts";
import type { ContextPorts, ContextWorkspace } from "./ports.ts";
import { dayOf, item } from "./recalled.ts";

const MOST_SESSIONS = 3;
/** So many of the newest are looked at, since some may not matter. */
const CANDIDATES = 12;
/** Per session: from its start and from its end. */
const EXCERPTS = 2;
const EXCERPT_CHARACTERS = 160;
/** An excerpt is the beginning of a message; marks are removed from this much of it. */
const READ_CHARACTERS = 2_000;

export interface RecentSession {
  readonly updatedAt: string;
  readonly printed: string;
}

/** The newest that matter, or just the newest if none does. The home workspace's first; oldest first in each. */
export function recentSessions(
  { read, showsSession }: Pick<ContextPorts, "read" | "showsSession">,
  { chat, session }: Whose,
): RecentSession[] {
  const found = homeFirst(read).flatMap(({ sessions }) =>
    sessions
      .list({ chat, limit: CANDIDATES, withoutFailed: true })
      .filter(({ id }) => id !== session && (showsSession?.(id) ?? true))
      .map((summary) => ({ summary, sessions }))
      .reverse(),
  );
  const important = found.filter(({ summary }) => matters(summary));
  const newest = (important.length > 0 ? important : found)
    .toSorted((a, b) => (a.summary.updated_at < b.summary.updated_at ? 1 : -1))
    .slice(0, MOST_SESSIONS);
  return found
    .filter((one) => newest.includes(one))
    .map(({ summary, sessions }) => ({
      updatedAt: summary.updated_at,
      printed: printSession(summary, summary.summary === null ? saidIn(sessions, summary.id) : []),
    }));
}

/** One question and its answer rarely do. */
function matters({ summary, messages }: SessionSummary): boolean {
  return summary !== null || messages > 2;
}

/** Without tool output and failed messages. */
function saidIn(sessions: ContextWorkspace["sessions"], id: string): Message[] {
  return answeredMessages(sessions.messages(id)).filter(
    ({ role }) => role === "user" || role === "assistant",
  );
}

/** "- 2026-11-14, session monday-1, 12 messages: Title", then excerpts. */
function printSession(
  { id, title, summary, updated_at, messages: count }: SessionSummary,
  messages: Message[],
): string {
  const marks = [...dayOf(Date.parse(updated_at) || null), `session ${id}`];
  const named = title ?? excerptOf(messages.find(({ role }) => role === "user")) ?? plural(count, "message");
  if (summary !== null)
    return item(marks, `${title === null ? "" : `${withoutPeriod(oneLine(title))}. `}${summary.trim()}`);
  const shown = messages.filter((_, index) => index < EXCERPTS || index >= messages.length - EXCERPTS);
  const lines = shown.flatMap((message) => {
    const excerpt = excerptOf(message);
    return excerpt === null ? [] : `- ${message.speaker ?? message.role}: ${excerpt}`;
  });
  return item(marks, [oneLine(named), ...lines].join("\n"));
}

/** null if a message contains only marks. */
function excerptOf(message: Message | undefined): string | null {
  const visible = readReply((message?.content ?? "").slice(0, READ_CHARACTERS)).visible;
  return truncate(oneLine(visible.trim()), EXCERPT_CHARACTERS) || null;
}
