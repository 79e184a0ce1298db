/** Where conversations are kept: what cannot be stored throws. */
import type {
  Message,
  NewMessage,
  NewSession,
  SessionChange,
  SessionSummary,
  StoredMessage,
} from "../sessions/conversation.ts";

export interface SessionsWanted {
  /** Of this chat; of all by default. */
  readonly chat?: string;
  readonly tag?: string;
  readonly limit?: number;
}

export interface SessionStore {
  /** Why nothing can be stored here ("the disk is read-only"); null where it can. */
  readonly unwritable: string | null;
  /**
   * A new session with its first messages, in one step. Its id is `session_20260218_001`: the day, which the caller tells
   * ("2026-02-18"), and the next number that no session of that day has had. It begins with a message at least.
   */
  begin(
    session: { chat: string; title: string | null; day: string; openedBy: string | null },
    messages: readonly NewMessage[],
  ): Promise<{ id: string; messages: Message[] }>;
  /** Adds messages to the end of a session, which is made if it is new. Durable and searchable on return. */
  append(session: NewSession, messages: readonly NewMessage[]): Promise<Message[]>;
  /** null where there is none of this id. */
  session(id: string): SessionSummary | null;
  /** Ids that begin with this, the newest first. */
  idsFrom(beginning: string, limit: number): string[];
  /** The newest first. Sessions in which nothing was said are left out. */
  list(wanted: SessionsWanted): SessionSummary[];
  /** Throws `not_found`. */
  change(id: string, change: SessionChange): Promise<void>;
  /**
   * Takes a session for this process (as `openedBy` names it), unless another one has it; returns who has it then. A holder that
   * `isGone` is passed over. Throws `not_found`.
   */
  claim(id: string, openedBy: string, isGone: (holder: string) => boolean): Promise<string>;
  /** Lets go of a session that this process has; of another's nothing happens. */
  release(id: string, openedBy: string): Promise<void>;
  /**
   * Sessions that nobody has open, in which something was said that no summary covers; the oldest first. None where nothing
   * can be stored.
   */
  unsummarised(isGone: (holder: string) => boolean): SessionSummary[];
  /** Sessions with messages from this moment (ISO 8601) on that no model has read to learn from; the oldest first. */
  unlearned(since: string): SessionSummary[];
  /** Removes the session, its messages and everything that is indexed of it. False where there is none. */
  remove(id: string): Promise<boolean>;
  /** The chat that a session belongs to; null where there is no such session. */
  chatOf(session: string): string | null;
  /** null where there is none of this number. */
  message(id: number): StoredMessage | null;
  /** What was said in a session around one of its messages, that one included, oldest first. */
  around(message: StoredMessage, count: number): Message[];
  /** All of a session, oldest first, tools' and system messages included. */
  messages(session: string): Message[];
  /** The files whose text `holds` passes, as paths below the workspace or, of a project, absolute ones. */
  holding(holds: (text: string) => boolean): string[];
  /**
   * Changes every text of conversations, for one that nothing may hold any more: messages with their details, titles, tags,
   * summaries, and what is searched of them. Returns how many sessions were changed.
   */
  rewrite(edit: (content: string) => string): Promise<number>;
}
