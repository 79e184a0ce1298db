/**
 * What happens in a chat, as one union that every face draws: the terminal, a page, print mode, a script's JSON lines. Plain
 * data, so that it crosses processes and bundles. Reducing these events is all that a face needs to know of the chat.
 */

import type { ModelEvent, Usage } from "../core/model.ts";
import type { GivenPart } from "../core/sessions/conversation.ts";
import type { Decision, ToolMode, ToolPlan } from "./tool.ts";

/** What a face shows of a conversation that goes on. */
export interface PastMessage {
  readonly role: "user" | "assistant" | "summary";
  /** Without marks. */
  readonly text: string;
  readonly at: string;
  /** Of an assistant's: what it did. */
  readonly tools: readonly { readonly name: string; readonly summary: string; readonly ok: boolean }[];
  readonly interrupted: boolean;
}

/** A choice that a face lets the person make; taking an item is typing `command` and its value. */
export interface Picker {
  readonly title: string;
  /** "/resume" */
  readonly command: string;
  readonly items: readonly {
    readonly value: string;
    readonly label: string;
    readonly detail: string;
    /** Selects it at once ("y"), in a short list. */
    readonly key?: string;
  }[];
  /** The command cannot be undone, or the user named no item: Enter selects nothing until an item is marked. */
  readonly isPermanent?: boolean;
  /** The chat asks without being asked, maybe while the person types: text goes into the input, and nothing is marked at first. */
  readonly isUnprompted?: boolean;
}

export interface MemoryChanges {
  readonly saved: readonly string[];
  readonly superseded: readonly { readonly before: string; readonly after: string }[];
  /** Facts that ended, and nothing took their place. */
  readonly ended: readonly string[];
  /** Ids of facts that were to be replaced or to end, and are not known. */
  readonly unknown: readonly string[];
  /** Known already. */
  readonly skipped: readonly string[];
  readonly refused: readonly { readonly text: string; readonly why: string }[];
  readonly failed: readonly { readonly text: string; readonly why: string }[];
  readonly working: "unchanged" | "saved" | "cleared";
}

export type ChatEvent =
  /** A conversation begins, or goes on: what is on the screen belongs to another one. */
  | {
      readonly type: "session";
      /** null until the first message is stored, and in an incognito session. */
      readonly id: string | null;
      readonly chat: string;
      readonly title: string | null;
      readonly incognito: boolean;
      readonly past: readonly PastMessage[];
    }
  /** The session has got its id, or another title. */
  | { readonly type: "named"; readonly id: string; readonly title: string | null }
  /** Which model answers from now on; null: none, so answers come from memory alone. */
  | { readonly type: "model"; readonly name: string | null; readonly contextTokens: number | null }
  | { readonly type: "tools"; readonly mode: ToolMode }
  /** A person's message is stored. */
  | { readonly type: "user"; readonly text: string }
  /** What the model is given for this turn. */
  | {
      readonly type: "context";
      readonly parts: readonly GivenPart[];
      readonly tokens: number;
      /** Memories that the message brought in. */
      readonly recalled: number;
    }
  | Extract<ModelEvent, { readonly type: "retry" | "thinking" }>
  /** The next piece of the reply, without marks. */
  | { readonly type: "text"; readonly text: string }
  /** A tool is asked for. `summary` is its name where the call makes no sense. */
  | {
      readonly type: "tool";
      readonly id: string;
      readonly name: string;
      readonly summary: string;
    }
  /** The chat waits for `answer(id, decision)`. */
  | {
      readonly type: "approval";
      readonly id: string;
      readonly name: string;
      readonly summary: string;
      readonly preview: ToolPlan["preview"];
      readonly outside: boolean;
      /** Why it is asked about in every mode, where it is. */
      readonly caution?: string;
      /** What "session" would allow; null where it is no choice. */
      readonly pattern: string | null;
    }
  | { readonly type: "answered"; readonly id: string; readonly decision: Decision }
  | {
      readonly type: "result";
      readonly id: string;
      readonly name: string;
      readonly ok: boolean;
      readonly brief: string;
    }
  /** A reply, or a part of one before tools are run, is stored as a message. */
  | {
      readonly type: "message";
      readonly id: number | null;
      readonly text: string;
      readonly interrupted: boolean;
    }
  | ({ readonly type: "memory" } & MemoryChanges)
  /** Tokens of the turn so far, and of the session. */
  | {
      readonly type: "usage";
      readonly turn: Usage;
      /** In dollars, of the session, as far as it is known; null where nothing is. */
      readonly cost: number | null;
      /** False where it was more: a reply was stopped before its tokens were told, or a model's price is not known. */
      readonly costComplete: boolean;
      /** How full the model's context is, in tokens. */
      readonly contextUsed: number;
    }
  /** Older messages were summarised; they stay stored. */
  | { readonly type: "compacted"; readonly messages: number; readonly summary: string }
  /** What a command has to say, as Markdown. */
  | { readonly type: "output"; readonly text: string }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly type: "picker"; readonly picker: Picker }
  | {
      readonly type: "error";
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
    }
  /** The person wants to leave. */
  | { readonly type: "quit" }
  /** Nothing more comes for this line; always the last event of a `send`. */
  | { readonly type: "done"; readonly reason: "finished" | "interrupted" | "failed" | "limit" };

/** A chat, to a face. Every method's events end with "done"; nothing throws but what is a bug. */
export interface ChatFace {
  /** What there is to say before the first line: the session, the model, what was compacted, what is amiss. */
  start(): AsyncIterable<ChatEvent>;
  /**
   * A line that was typed: a message, or a command that starts with `/`. One at a time. Where the signal ends it, what has come
   * is stored first.
   */
  send(line: string, signal: AbortSignal): AsyncIterable<ChatEvent>;
  /** Answers an "approval". One that nobody waits for is ignored. */
  answer(id: string, decision: Decision): void;
  /** Names that complete a beginning of a command or of its argument, with what they do. */
  complete(beginning: string): readonly { readonly value: string; readonly detail: string }[];
  /** Summarises the session and lets go of it. The signal ends the wait for a model: the summary is made without. */
  close(signal: AbortSignal): AsyncIterable<ChatEvent>;
}
