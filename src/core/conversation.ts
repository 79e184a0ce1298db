/** A conversation: a session of a chat, and its messages. */
export type Role = "user" | "assistant" | "system";

export interface NewSession {
  readonly id: string;
  readonly chat: string;
  readonly title: string | null;
}

export interface NewMessage {
  readonly role: Role;
  /** Who says it, by name; null where nobody said. */
  readonly speaker: string | null;
  readonly content: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly token_count: number | null;
}

export interface Message {
  readonly id: number;
  readonly role: Role;
  readonly speaker: string | null;
  readonly content: string;
  readonly timestamp: string;
}

/** A message with the conversation that it is part of. */
export interface StoredMessage extends Message {
  readonly session: string;
  readonly chat: string;
}

export interface SessionSummary {
  readonly id: string;
  readonly chat: string;
  readonly title: string | null;
  readonly summary: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly messages: number;
}
