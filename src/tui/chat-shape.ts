/** The chat's state on the screen, and its initial value. The reducer is in chat-state.ts. */
import type { Picking } from "../agent/choices.ts";
import type { EventOf, Offer, Picker } from "../agent/events.ts";
import type { Doing } from "../agent/in-words.ts";
import type { ToolMode } from "../agent/tool.ts";
import type { Editor } from "./editor/editor.ts";
import type { Item } from "./items.ts";

interface RunningTool {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  /** The lines that have arrived. */
  readonly output: string;
}

export interface Approval extends Omit<EventOf<"approval">, "type"> {
  /** When it was first visible; null until then. */
  readonly drawnAt: number | null;
  /** Its full preview was printed above. */
  readonly isWhole: boolean;
  /** The option marked with the arrows; null before that, and again after typing. */
  readonly marked: number | null;
  /** The reason for denying it, while the user types one. */
  readonly reason: Editor | null;
}

export interface OpenPicker {
  readonly picker: Picker;
  /** It has been visible. */
  readonly isDrawn: boolean;
  /** The list that Esc returns to; null if Esc closes it. */
  readonly back: PreviousPicker | null;
  /** Its values are indexes of tool calls in `committed`: selecting one prints it instead of sending a command. */
  readonly printsCalls?: boolean;
}

/** A list in which an item was selected. */
export interface PreviousPicker {
  readonly open: OpenPicker;
  /** Its filter and selection. */
  readonly pick: Picking;
}

export interface Status {
  readonly model: string | null;
  /** The model's context window, in tokens. */
  readonly contextTokens: number | null;
  readonly contextUsed: number | null;
  readonly recalled: number;
  readonly cost: number | null;
  readonly costComplete: boolean;
  readonly title: string | null;
  readonly incognito: boolean;
  readonly tools: ToolMode | null;
}

/** The current activity and its start time. */
export interface Busy {
  readonly doing: Doing;
  readonly since: number;
  /** The user has asked to stop it. */
  readonly isStopping: boolean;
}

export interface ChatState {
  /** Counts conversations, since items of an earlier one are not printed again. */
  readonly conversation: number;
  readonly committed: readonly Item[];
  /** Items held back until the model is known, since the line with its name comes first; null afterwards. */
  readonly opening: readonly Item[] | null;
  /** The sent line, until the chat has stored it. */
  readonly sent: string | null;
  readonly thinking: { readonly text: string; readonly since: number } | null;
  /** The part of the reply that may still change; null if there is no current reply. */
  readonly reply: { readonly lines: readonly string[]; readonly isFirst: boolean } | null;
  readonly tools: readonly RunningTool[];
  readonly approval: Approval | null;
  readonly picker: OpenPicker | null;
  /** The list whose selected item is being worked on. */
  readonly previousPicker: PreviousPicker | null;
  /** Commands that a key sends. */
  readonly offers: readonly Offer[];
  /** Lines entered while the chat was busy. */
  readonly queue: readonly string[];
  readonly busy: Busy | null;
  readonly retry: (Omit<EventOf<"retry">, "type"> & { readonly at: number }) | null;
  readonly status: Status;
}

/** The tool call that runs; null if none does, or if it waits for approval. */
export function runningCall({ tools, approval }: ChatState): RunningTool | null {
  return tools.find(({ id }) => id !== approval?.id) ?? null;
}

export function initialState(at: number, incognito: boolean): ChatState {
  return {
    conversation: 0,
    committed: [{ kind: "name" }],
    opening: [],
    sent: null,
    thinking: null,
    reply: null,
    tools: [],
    approval: null,
    picker: null,
    previousPicker: null,
    offers: [],
    queue: [],
    busy: { doing: "starting", since: at, isStopping: false },
    retry: null,
    status: {
      model: null,
      contextTokens: null,
      contextUsed: null,
      recalled: 0,
      cost: null,
      costComplete: true,
      title: null,
      incognito,
      tools: null,
    },
  };
}
