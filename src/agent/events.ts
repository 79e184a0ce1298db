/**
 * The events of a chat, as one union for every front end: the terminal, a web page, print mode, JSON lines. They are plain data, so
 * they can cross process boundaries. A front end only has to reduce these events.
 */

import type { MemoryChanges } from "../core/facts/memory-changes.ts";
import type { Hint } from "../core/hint.ts";
import type { ModelEvent, Usage } from "../core/model.ts";
import type { GivenPart } from "../core/sessions/conversation.ts";
import type { Decision, Shown, ToolMode, ToolPlan } from "./tool.ts";

/** A file that a message refers to, as shown below the message. */
export interface ShownFile {
  readonly path: string;
  /** null if unknown. */
  readonly bytes: number | null;
  /** Why it isn't attached, or isn't complete; null if it is. */
  readonly problem: string | null;
}

/** An earlier message, as shown when a conversation is resumed. */
export interface PastMessage {
  readonly role: "user" | "assistant" | "summary";
  /** Without marks. */
  readonly text: string;
  readonly at: string;
  /** Files attached to a user's message. */
  readonly files?: readonly ShownFile[];
  /** What an assistant's message was based on. */
  readonly context?: readonly GivenPart[];
  /** Tool calls of an assistant's message. */
  readonly tools: readonly PastCall[];
  readonly interrupted: boolean;
  /** A user's message without a reply: the model doesn't see it. */
  readonly failed?: boolean;
}

export interface PastCall {
  readonly name: string;
  readonly summary: string;
  readonly ok: boolean;
  /** "" if unknown: earlier versions did not store it. */
  readonly brief: string;
  /** null for calls without a result, and for all but the newest. */
  readonly shown: Shown | null;
}

/** A list for the user to select from. Selecting an item sends its command, or else the list's, and its value. */
export interface Picker {
  readonly title: string;
  /** "/resume" */
  readonly command: string;
  readonly items: readonly {
    readonly value: string;
    readonly label: string;
    readonly detail: string;
    readonly command?: string;
    /** In a short list, this key selects it at once ("y"). */
    readonly key?: string;
  }[];
  /** The command cannot be undone, or the user named no item: nothing is selected until the user moves to an item. */
  readonly isPermanent?: boolean;
  /** About an item of another list: Esc returns to that list. */
  readonly isDetail?: boolean;
  /** The chat opened it unasked, maybe while the user types: text goes into the input, and no item is selected at first. */
  readonly isUnprompted?: boolean;
  /** What Esc, or Enter without a selection, sends with `command`. By default Esc only closes the list. */
  readonly skip?: string;
}

/** A command that one key sends while the input is empty. Each front end assigns the keys. */
export interface Offer {
  readonly name: "saved" | "confirm";
  /** What the key does: "undo or edit". */
  readonly label: string;
  /** The line to send. */
  readonly line: string;
}

export type ChatEvent =
  /** A conversation starts or is resumed. Whatever is on the screen belongs to the previous one. */
  | {
      readonly type: "session";
      /** null until the first message is stored, and in an incognito session. */
      readonly id: string | null;
      readonly chat: string;
      readonly title: string | null;
      readonly incognito: boolean;
      readonly past: readonly PastMessage[];
    }
  /** The session got its id, or a new title. */
  | { readonly type: "named"; readonly id: string; readonly title: string | null }
  /** The model from now on; null: none, so answers come from memory alone. */
  | { readonly type: "model"; readonly name: string | null; readonly contextTokens: number | null }
  | { readonly type: "tools"; readonly mode: ToolMode }
  /** The user's message is stored. */
  | { readonly type: "user"; readonly text: string; readonly files?: readonly ShownFile[] }
  /** The message was neither stored nor sent; an "error" says why. The front end puts the text back into the input. */
  | { readonly type: "unsent"; readonly text: string }
  /** The context that the model gets for this turn. */
  | {
      readonly type: "context";
      readonly parts: readonly GivenPart[];
      readonly tokens: number;
      /** How many memories the message recalled. */
      readonly recalled: number;
    }
  | Extract<ModelEvent, { readonly type: "retry" | "thinking" }>
  /** The next piece of the reply, without marks. */
  | { readonly type: "text"; readonly text: string }
  /** The model calls a tool. `summary` is the tool's name if the call is invalid. */
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
      /** Why every mode asks about it, if so. */
      readonly caution?: string;
      /** What "session" would allow; null if "session" is not offered. */
      readonly pattern: string | null;
    }
  | { readonly type: "answered"; readonly id: string; readonly decision: Decision }
  /** The next lines of a running call's output, without secrets. They end early if the output is long: "result" has the rest. */
  | { readonly type: "tool-output"; readonly id: string; readonly text: string }
  | {
      readonly type: "result";
      readonly id: string;
      readonly name: string;
      readonly ok: boolean;
      readonly brief: string;
      /** Without secrets, and without the middle if it is long. */
      readonly shown: Shown;
    }
  /** A reply, or the part of it before its tools run, is stored as a message. */
  | {
      readonly type: "message";
      readonly id: number | null;
      readonly text: string;
      readonly interrupted: boolean;
    }
  | ({ readonly type: "memory" } & MemoryChanges)
  /** Tokens of the turn so far, and the session's cost. */
  | {
      readonly type: "usage";
      readonly turn: Usage;
      /** The session's cost in dollars, as far as known; null if unknown. */
      readonly cost: number | null;
      /** False if the real cost is higher: a reply was stopped before its usage arrived, or a model's price is unknown. */
      readonly costComplete: boolean;
      /** Tokens in the model's context. */
      readonly contextUsed: number;
    }
  /** Older messages were summarised; they stay stored. */
  | {
      readonly type: "compacted";
      readonly messages: number;
      readonly summary: string;
      /** Messages that the model still sees verbatim. */
      readonly kept: number;
      /** The conversation's size for the model, estimated. */
      readonly tokens: { readonly before: number; readonly after: number };
      /** Facts saved from the summarised messages. */
      readonly facts: number;
    }
  /** A command's output, as Markdown. */
  | { readonly type: "output"; readonly text: string }
  | { readonly type: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly type: "picker"; readonly picker: Picker }
  /** A line for the user to edit and send: the front end puts it into the input. */
  | { readonly type: "draft"; readonly text: string }
  /** The offers from now on; they replace the previous ones. */
  | { readonly type: "offers"; readonly offers: readonly Offer[] }
  | {
      readonly type: "error";
      readonly code: string;
      readonly message: string;
      readonly hint: string | null;
    }
  /** The user wants to quit. */
  | { readonly type: "quit" }
  /** Always the last event of a `send`. */
  | { readonly type: "done"; readonly reason: "finished" | "interrupted" | "failed" | "limit" };

/** Events that add nothing to the transcript, so they don't end the current reply or thinking. */
export const OUTSIDE_TRANSCRIPT: ReadonlySet<ChatEvent["type"]> = new Set([
  "named",
  "model",
  "tools",
  "context",
  "usage",
  "retry",
  "tool-output",
  "picker",
  "draft",
  "offers",
  "quit",
]);

/** One type of event: `EventOf<"approval">`. */
export type EventOf<T extends ChatEvent["type"]> = Extract<ChatEvent, { readonly type: T }>;

/** An event inside the chat, which renders its hints for the front end: see `Chat`. */
export type DraftEvent =
  | Exclude<ChatEvent, { readonly type: "error" | "notice" }>
  | (Omit<EventOf<"error">, "hint"> & { readonly hint: Hint | null })
  | (Omit<EventOf<"notice">, "text"> & { readonly text: Hint });

export interface SendOptions {
  /** The part of the line that the user wrote, without piped text; by default all of it. Only there does `@` attach files. */
  readonly own?: string;
}

/** A chat, as a front end sees it. Every method's events end with "done"; only bugs throw. */
export interface ChatFace {
  /** Events before the first line: the session, the model, compacted notes, incidents. */
  start(): AsyncIterable<ChatEvent>;
  /**
   * Sends a line: a message, or a command that starts with `/`. One at a time. If the signal aborts it, the partial reply is
   * stored first. Files that it names with `@` are attached.
   */
  send(line: string, signal: AbortSignal, options?: SendOptions): AsyncIterable<ChatEvent>;
  /** Answers an "approval". Ignored if none with this id is pending. */
  answer(id: string, decision: Decision): void;
  /** Stops the running tool call with this id; the reply continues. Ignored if it isn't running. */
  stopTool(id: string): void;
  /** Completions of a partial command or argument, with their descriptions. */
  complete(beginning: string): readonly { readonly value: string; readonly detail: string }[];
  /** Calls the listener when `complete` may return more than before. */
  onCompletions?(listener: () => void): void;
  /** Summarises and releases the session. If the signal aborts, it stops waiting for the model and summarises without it. */
  close(signal: AbortSignal): AsyncIterable<ChatEvent>;
}
