/** Conversations in a real database: of a throwaway store, or of a sandbox's home workspace. */
import { mkdirSync } from "node:fs";
import type { LocalSessions } from "../../src/backends/sessions/local-sessions.ts";
import type { Message, NewMessage } from "../../src/core/sessions/conversation.ts";
import type { WorkspaceDatabase } from "../../src/sqlite/database/database.ts";
import type { Sandbox } from "./sandbox.ts";
import { sessionsAt } from "./sessions-at.ts";

const START = Date.UTC(2026, 1, 18, 9, 30);

/** Messages of a user and an assistant in turn, a minute apart. */
export function talk(...texts: string[]): NewMessage[] {
  return texts.map((content, index) =>
    said(index % 2 === 0 ? "user" : "assistant", content, { minute: index }),
  );
}

export function said(
  role: NewMessage["role"],
  content: string,
  { minute = 0, ...rest }: Partial<NewMessage> & { minute?: number } = {},
): NewMessage {
  const timestamp = new Date(START + minute * 60_000).toISOString();
  return { role, speaker: null, content, timestamp, token_count: null, ...rest };
}

export const DAY = "2026-02-18";
export const ME = { chat: "main", title: null, day: DAY, openedBy: null };

/** A session of the sandbox's home workspace, or of another; returns its id. */
export async function conversation(
  sandbox: Sandbox,
  messages: readonly NewMessage[],
  more: { chat?: string; title?: string; root?: string; openedBy?: string } = {},
): Promise<string> {
  const { root, ...session } = more;
  return withSessions(
    sandbox,
    async (sessions) => (await sessions.begin({ ...ME, ...session }, messages)).id,
    root,
  );
}

export async function withSessions<T>(
  sandbox: Sandbox,
  work: (sessions: LocalSessions, database: WorkspaceDatabase) => Promise<T>,
  root = sandbox.memory,
): Promise<T> {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  using at = sessionsAt(root);
  return await work(at.sessions, at.database);
}

export function contents(messages: readonly Message[]): string[] {
  return messages.map(({ content }) => content);
}
