/** Stores conversations. Throws if something can't be stored. */
import type {
  Message,
  NewMessage,
  NewSession,
  SessionChange,
  SessionSummary,
  StoredMessage,
} from "../sessions/conversation.ts";

export interface SessionsWanted {
  /** Default: all chats. */
  readonly chat?: string;
  readonly tag?: string;
  readonly limit?: number;
  /** Leave out sessions in which every message failed. */
  readonly withoutFailed?: boolean;
}

export interface SessionStore {
  /** Why nothing can be stored ("the disk is read-only"), or null. */
  readonly unwritable: string | null;
  /**
   * Creates a session with its first messages in one step. Its id is `session_20260218_001`: the day, given by the caller
   * ("2026-02-18"), and the next number unused on that day. Needs at least one message.
   */
  begin(
    session: { chat: string; title: string | null; day: string; openedBy: string | null },
    messages: readonly NewMessage[],
  ): Promise<{ id: string; messages: Message[] }>;
  /** Appends messages to a session, creating it if new. Durable and searchable on return. */
  append(session: NewSession, messages: readonly NewMessage[]): Promise<Message[]>;
  /** null if there is none. */
  session(id: string): SessionSummary | null;
  /** Ids with this prefix, newest first. */
  idsFrom(beginning: string, limit: number): string[];
  /** Newest first, without sessions that have no spoken turn. */
  list(wanted: SessionsWanted): SessionSummary[];
  /** Throws `not_found`. */
  change(id: string, change: SessionChange): Promise<void>;
  /**
   * Claims a session for this process (`openedBy`), unless another has it; returns the holder. Ignores a holder that `isGone`.
   * Throws `not_found`.
   */
  claim(id: string, openedBy: string, isGone: (holder: string) => boolean): Promise<string>;
  /** Releases a session if this process holds it. */
  release(id: string, openedBy: string): Promise<void>;
  /** Sessions that no process has open, with turns that no summary covers; oldest first. Empty if nothing can be stored. */
  unsummarised(isGone: (holder: string) => boolean): SessionSummary[];
  /** Sessions with messages since this time (ISO 8601) that no model has learned from; oldest first. */
  unlearned(since: string): SessionSummary[];
  /** Removes the session, its messages and its index entries. Returns false if there is none. */
  remove(id: string): Promise<boolean>;
  /** A session's chat; null if there is no such session. */
  chatOf(session: string): string | null;
  /** null if there is none. */
  message(id: number): StoredMessage | null;
  /** Turns around a message, including it, oldest first. */
  around(message: StoredMessage, count: number): Message[];
  /** All messages, oldest first, including tool and system messages. */
  messages(session: string): Message[];
  /** Files whose text passes `holds`, as paths below the workspace, or absolute for a project. */
  holding(holds: (text: string) => boolean): string[];
  /**
   * Edits every text of conversations, to erase something: messages with details, titles, tags, summaries and search text.
   * Returns the number of changed sessions.
   */
  rewrite(edit: (content: string) => string): Promise<number>;
}
