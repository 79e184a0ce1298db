/**
 * Imports sessions under their ids. A session with the same messages already exists, a longer one continues the stored one, and
 * one with different messages is skipped. Each session is stored atomically.
 */
import { basename, extname } from "node:path";
import { isNewName } from "../core/documents/names.ts";
import { RetainError } from "../core/errors.ts";
import { checked } from "../core/facts/memory-paths.ts";
import { command } from "../core/hint.ts";
import { storable } from "../core/secrets/storable.ts";
import type { Message, NewMessage, NewSession } from "../core/sessions/conversation.ts";
import { titleOf } from "../sessions/title.ts";
import { plural } from "../util/in-words.ts";
import { oneLine } from "../util/text.ts";
import type { Migration } from "./ports.ts";
import { isSessionFile } from "./recognise.ts";
import type { ItemRef } from "./report.ts";
import { parseSession, type SourceMessage, type SourceSession } from "./session-file.ts";

interface SessionFolder {
  readonly path: string;
  readonly files: readonly string[] | null;
  /** Chats with their own memory in the same directory: a session with that name belongs to them. */
  readonly chats: ReadonlySet<string>;
}

export async function importSessions(
  migration: Migration,
  { path: folder, files, chats }: SessionFolder,
): Promise<void> {
  const { source, outcomes, progress } = migration;
  const entries = source.entries(folder).filter(isSessionFile);
  const wanted = entries.filter(({ path }) => files?.includes(path) ?? true);
  for (const [index, { path, name }] of wanted.entries()) {
    const bare = basename(name, extname(name));
    const item: ItemRef = { kind: "sessions", name: bare, file: path };
    try {
      const session = parseSession(source.session(path), name);
      if (session === null) outcomes.leave(path, "it is not a session");
      else if (session.messages.length === 0 && session.problems.length === 0)
        outcomes.leave(path, "it has no messages");
      else await importSession(migration, { session, bare, chats, changedAt: source.changedAt(path) }, path);
    } catch (error) {
      outcomes.failed(item, error);
    }
    progress("sessions", index + 1, wanted.length);
  }
}

interface ReadSession {
  readonly session: SourceSession;
  /** The file's name, used as the id of a session without one. */
  readonly bare: string;
  readonly chats: ReadonlySet<string>;
  readonly changedAt: Date;
}

async function importSession(migration: Migration, read: ReadSession, file: string): Promise<void> {
  const { sessions, outcomes } = migration;
  const { session, bare } = read;
  const id = checked("session", session.id ?? bare);
  const item: ItemRef = { kind: "sessions", name: id, file };
  for (const { line, why } of session.problems) outcomes.skipped({ ...item, line }, why);
  if (session.messages.length === 0) return;
  const messages = storableMessages(read);
  for (let attempt = 1; ; attempt++) {
    const stored = sessions.messages(id);
    if (!isSameAsFarAsBoth(stored, messages)) return outcomes.skipped(item, ...conflict(id));
    const rest = messages.slice(stored.length);
    if (rest.length === 0) return outcomes.existing(item);
    try {
      await sessions.append(newSession(migration, read, { id, messages, before: stored.length }), rest);
      return outcomes.imported(item, { messages: rest.length, why: remark(session, rest, stored.length) });
    } catch (error) {
      const isLate = error instanceof RetainError && error.code === "conflict";
      if (!isLate || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Retries if another process adds to the session at the same time. */
const ATTEMPTS = 8;

function newSession(
  { sessions, chat: ownChat }: Migration,
  { session, chats }: ReadSession,
  { id, messages, before }: { id: string; messages: readonly NewMessage[]; before: number },
): NewSession {
  const named = session.chat ?? (chats.has(id) ? id : null);
  const chat = named !== null && isNewName("id", named) ? named : ownChat;
  return {
    id,
    chat: sessions.chatOf(id) ?? chat,
    title: session.title === null ? titleFrom(session) : oneLine(kept(session.title)),
    tags: session.tags.map(kept),
    created_at: session.created_at ?? messages[0]?.timestamp,
    updated_at: session.updated_at ?? messages.at(-1)?.timestamp,
    follows: before,
  };
}

/** Whether the messages both have are equal. Ignores times, which may be made up. */
function isSameAsFarAsBoth(stored: readonly Message[], messages: readonly NewMessage[]): boolean {
  return stored.every((message, index) => {
    const other = messages[index];
    return other === undefined || (other.role === message.role && other.content === message.content);
  });
}

function conflict(id: string): [why: string, hint: string] {
  return [
    "The workspace has a session with this id but different messages.",
    `Compare: ${command("sessions show", id)}`,
  ];
}

function remark({ messages }: SourceSession, rest: readonly NewMessage[], before: number): string | null {
  const altered = rest.filter(({ content }, index) => content !== messages[before + index]?.content).length;
  const parts = [
    ...(before === 0 ? [] : [`continued with ${plural(rest.length, "message")}`]),
    ...(altered === 0 ? [] : [`secrets or private parts removed from ${plural(altered, "message")}`]),
  ];
  return parts.length === 0 ? null : parts.join("; ");
}

function storableMessages({ session, bare, changedAt }: ReadSession): NewMessage[] {
  let last = session.created_at ?? dayIn(session.id ?? bare) ?? changedAt.toISOString();
  return session.messages.map(({ role, speaker, content, timestamp, token_count }: SourceMessage) => {
    last = timestamp ?? last;
    return { role, speaker: speaker && kept(speaker), content: kept(content), timestamp: last, token_count };
  });
}

/** Replaces lone surrogates, which a database can't store, with U+FFFD. */
function kept(text: string): string {
  return storable(text, false).toWellFormed();
}

/** "session_20260218_001" is from 18 February 2026. */
function dayIn(name: string): string | null {
  const [, year, month, day] = /(?<!\d)(20\d\d)-?(\d\d)-?(\d\d)(?!\d)/.exec(name) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function titleFrom({ messages }: SourceSession): string | null {
  const said = messages.find(({ role }) => role === "user") ?? messages[0];
  return said === undefined ? null : titleOf(said.content);
}
