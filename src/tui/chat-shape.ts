/** What the screen knows of the chat, and how that begins. What may happen to it is in chat-state.ts. */
import type { ChatEvent, Picker } from "../agent/events.ts";
import type { ToolMode } from "../agent/tool.ts";
import type { Item } from "./items.ts";

export type EventOf<T extends ChatEvent["type"]> = Extract<ChatEvent, { readonly type: T }>;

export interface RunningTool {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
}

export interface Approval extends Omit<EventOf<"approval">, "type"> {
  /** When a person could first see it; null until then. */
  readonly drawnAt: number | null;
  /** All of it was printed above. */
  readonly isWhole: boolean;
  /** The option that the arrows marked; null until they do, and again once something is typed. */
  readonly marked: number | null;
}

export interface OpenPicker {
  readonly picker: Picker;
  /** A person could see it. */
  readonly isDrawn: boolean;
}

export interface Status {
  readonly model: string | null;
  /** What the model takes, in tokens. */
  readonly contextTokens: number | null;
  readonly contextUsed: number | null;
  readonly recalled: number;
  readonly cost: number | null;
  readonly costComplete: boolean;
  readonly title: string | null;
  readonly incognito: boolean;
  readonly tools: ToolMode | null;
}

/** What is going on, since when. */
export interface Busy {
  readonly doing: "starting" | "recalling" | "waiting" | "thinking" | "writing" | "working" | "closing";
  readonly since: number;
  /** The person wants it to end. */
  readonly isStopping: boolean;
}

export interface ChatState {
  /** Counts conversations: what was committed in another one does not come back. */
  readonly conversation: number;
  readonly committed: readonly Item[];
  /** Until it is known which model answers: what is to follow the line that says so. */
  readonly opening: readonly Item[] | null;
  /** A line that is on its way, until the chat has stored it. */
  readonly sent: string | null;
  readonly thinking: { readonly text: string; readonly since: number } | null;
  /** What of the reply may still change; null where no reply is under way. */
  readonly reply: { readonly lines: readonly string[]; readonly isFirst: boolean } | null;
  readonly tools: readonly RunningTool[];
  readonly approval: Approval | null;
  readonly picker: OpenPicker | null;
  /** Lines that were typed while something was going on. */
  readonly queue: readonly string[];
  readonly busy: Busy | null;
  readonly retry: (Omit<EventOf<"retry">, "type"> & { readonly at: number }) | null;
  readonly status: Status;
}

export function initialState(at: number): ChatState {
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
      incognito: false,
      tools: null,
    },
  };
}
