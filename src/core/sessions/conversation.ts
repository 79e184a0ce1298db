/** A conversation: a session of a chat, and its messages. */
import type { Thinking, ToolCall, ToolResult, Usage } from "../model.ts";

/** "system" is what Retain itself put between the turns: a summary of older messages. "tool" holds results of tools. */
export type Role = "user" | "assistant" | "system" | "tool";

export interface NewSession {
  readonly id: string;
  readonly chat: string;
  readonly title: string | null;
  /** Of a session that comes from elsewhere, as it is made; by default none, and when its messages were said. */
  readonly tags?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
  /** How many messages it has to have by now, for one who goes on where another stopped: else `conflict` is thrown. */
  readonly follows?: number;
}

/** One part of the context that a reply was given: enough to tell later what it was based on. */
export interface GivenPart {
  readonly name: string;
  readonly title: string;
  readonly tokens: number;
  /** Of recalled memories, which: "fact 3f9a2xw0c1". */
  readonly memories?: readonly string[];
}

/** What a message is besides its text. Kept as JSON; fields that are not there did not apply. */
export interface MessageDetails {
  /** Of an assistant's message: the tools it asked for. */
  readonly calls?: readonly ToolCall[];
  readonly thinking?: readonly Thinking[];
  readonly context?: readonly GivenPart[];
  readonly model?: string;
  readonly usage?: Usage;
  /** The reply was stopped, or broke off. */
  readonly interrupted?: boolean;
  /** Of a tool's message. */
  readonly results?: readonly ToolResult[];
  /** Of a system message: its text stands for every message up to this one, which stays stored. */
  readonly compactsTo?: number;
  /** Of a system message: what was said up to this one has been looked through for what is worth keeping. */
  readonly retainedTo?: number;
  /** Of a system message: a model has read everything up to this message to learn from it. */
  readonly learnedTo?: number;
}

export interface NewMessage {
  readonly role: Role;
  /** Who says it, by name; null where nobody said. */
  readonly speaker: string | null;
  readonly content: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly token_count: number | null;
  readonly details?: MessageDetails;
}

export interface Message {
  readonly id: number;
  readonly role: Role;
  readonly speaker: string | null;
  readonly content: string;
  readonly timestamp: string;
  readonly token_count: number | null;
  readonly details: MessageDetails;
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
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  /** What was said: results of tools and summaries do not count. */
  readonly messages: number;
  /** The process that has it open, as "host:pid" and when it began; null where none has. */
  readonly openedBy: string | null;
}

/** What may be changed of a session; what is not there stays. */
export interface SessionChange {
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Also indexed, as a memory of its own. */
  readonly summary?: string;
  /** The number of the last message that the summary covers; by default, with a summary, the last one there is. */
  readonly coversTo?: number;
}
