/** A conversation: a session of a chat, and its messages. */
import type { Thinking, ToolCall, ToolResult, Usage } from "../model.ts";

/**
 * "system": added by Retain between turns, such as a summary of older messages. "tool": tool results; the text is the user's reason
 * for denying the call.
 */
export type Role = "user" | "assistant" | "system" | "tool";

export interface NewSession {
  readonly id: string;
  readonly chat: string;
  readonly title: string | null;
  /** For an imported session. By default, no tags, and the times of its messages. */
  readonly tags?: readonly string[];
  readonly created_at?: string;
  readonly updated_at?: string;
  /** How many messages the session must already have; throws `conflict` otherwise, so that two writers don't both append. */
  readonly follows?: number;
}

/** One part of a reply's context: enough to explain later what the reply was based on. */
export interface GivenPart {
  readonly name: string;
  readonly title: string;
  readonly tokens: number;
  /** The recalled memories: "fact 3f9a2xw0c1". */
  readonly memories?: readonly string[];
  /** How well each of `memories` matched the message, in the same order. Replies of earlier versions have none. */
  readonly scores?: readonly number[];
}

/** A file that a user's message refers to, as the model got it. */
export interface AttachedFile {
  /** Relative to the working directory of that time. */
  readonly path: string;
  /** The file's size. */
  readonly bytes: number;
  /** With a line about which part it is. */
  readonly text: string;
  /** Only the first part was attached. */
  readonly isCut: boolean;
}

/** A message's data besides its text, stored as JSON. Absent fields do not apply. */
export interface MessageDetails {
  /** Tool calls of an assistant's message. */
  readonly calls?: readonly ToolCall[];
  readonly thinking?: readonly Thinking[];
  readonly context?: readonly GivenPart[];
  readonly model?: string;
  /** The text of an answer from memory. It only repeats memories, so it is shown, but not indexed, summarised or sent to models. */
  readonly answer?: string;
  readonly usage?: Usage;
  /** The reply was stopped or cut off. */
  readonly interrupted?: boolean;
  /** A user's message without a reply: requests leave it out. "retried": a later message was sent instead of it. */
  readonly failed?: "unanswered" | "retried";
  /** Files attached to a user's message. */
  readonly files?: readonly AttachedFile[];
  /** Results in a tool message. */
  readonly results?: readonly ToolResult[];
  /** In a system message: its text replaces every message up to this one; they stay stored. */
  readonly compactsTo?: number;
  /** In a system message: auto-retain has processed everything up to this message. */
  readonly retainedTo?: number;
  /** In a system message: learning has read everything up to this message. */
  readonly learnedTo?: number;
}

/** The model name of an answer that came from memory alone. Its content is empty. */
export const BY_MEMORY = "none";

/** What is shown as such an answer; if an earlier version stored it, the memories that it quoted. null for any other message. */
export function answeredFrom({ model, answer = "", context = [] }: MessageDetails): string | null {
  if (model !== BY_MEMORY) return null;
  if (answer !== "") return answer;
  const quoted = context.flatMap(({ memories = [] }) => memories);
  return quoted.length === 0
    ? "(Answered without a model.)"
    : `(Answered from memory: ${quoted.join(", ")}.)`;
}

export interface NewMessage {
  readonly role: Role;
  /** The speaker's name; null if unknown. */
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

/** A message with its session and chat. */
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
  /** The number of messages, without tool results, summaries and failed messages that were sent again. */
  readonly messages: number;
  /** Every message failed. */
  readonly failed?: true;
  /** The process that has it open, as "host:pid" with its start time; null if none. */
  readonly openedBy: string | null;
}

/** Changes to a session; absent fields stay as they are. */
export interface SessionChange {
  readonly title?: string;
  readonly tags?: readonly string[];
  /** Also indexed as a separate memory. */
  readonly summary?: string;
  /** The id of the last message that the summary covers; with a summary, the last message by default. */
  readonly coversTo?: number;
  /** The id of a user's message that got no reply. */
  readonly failed?: number;
  /** The id of a failed message that was sent again. */
  readonly retried?: number;
}

/** Without failed messages that were sent again. */
export function shownMessages(messages: readonly Message[]): Message[] {
  return messages.filter(({ details }) => details.failed !== "retried");
}

/** What the model took part in: without failed messages and their turns, up to the next message of the user. */
export function answeredMessages(messages: readonly Message[]): Message[] {
  let isFailed = false;
  return messages.filter(({ role, details }) => {
    if (role === "user") isFailed = details.failed !== undefined;
    return role === "system" || !isFailed;
  });
}
