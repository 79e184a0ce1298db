/** A pure reducer from a chat's events to what the page shows of it. */
import { isUntyped } from "../../agent/choices.ts";
import { type Offer, OUTSIDE_TRANSCRIPT, type Picker } from "../../agent/events.ts";
import { compactedInWords, type Doing, hasChanged, INTERRUPTED } from "../../agent/in-words.ts";
import type { ToolMode } from "../../agent/tool.ts";
import type { GivenPart } from "../../core/sessions/conversation.ts";
import type { LoggedEvent, PageChatEvent } from "../../serve/page/chat-log.ts";
import { hasMemories, type Item, notice, pastItems, type ToolItem } from "./items.ts";

type EventOf<T extends PageChatEvent["type"]> = Extract<PageChatEvent, { readonly type: T }>;

export type Approval = Omit<EventOf<"approval">, "type">;
export type Retry = Omit<EventOf<"retry">, "type">;

/** A list to choose from. */
export interface OpenPicker {
  /** Differs from that of every other list. */
  readonly key: string;
  readonly picker: Picker;
  /** The list that Esc returns to. */
  readonly back: OpenPicker | null;
}

export interface Status {
  readonly model: string | null;
  readonly contextTokens: number | null;
  readonly contextUsed: number | null;
  readonly cost: number | null;
  readonly costComplete: boolean;
  readonly tools: ToolMode | null;
}

export interface ChatState {
  /** False until the conversation's first event. */
  readonly isLoaded: boolean;
  /** Counts conversations: the items of another one have nothing to do with these. */
  readonly conversation: number;
  readonly session: string | null;
  readonly title: string | null;
  readonly incognito: boolean;
  readonly items: readonly Item[];
  /** The last item is a reply, or thinking, that may still grow. */
  readonly isGrowing: boolean;
  /** The sent message, until it is stored. */
  readonly sent: string | null;
  /** What the current reply is based on. */
  readonly given: readonly GivenPart[];
  readonly approval: Approval | null;
  readonly picker: OpenPicker | null;
  /** The list whose item was selected, while the command runs. */
  readonly previousPicker: OpenPicker | null;
  readonly offers: readonly Offer[];
  /** Memories whose change a button has undone or is about to. */
  readonly handled: ReadonlySet<string>;
  /** null while idle. */
  readonly doing: Doing | null;
  readonly retry: Retry | null;
  /** How the last line ended; null before the first, and while one is answered. */
  readonly end: EventOf<"done">["reason"] | null;
  /** The message of the last turn got no reply. */
  readonly canRetry: boolean;
  /** Whether anything answered the message of this turn. */
  readonly turn: "none" | "asked" | "answered";
  /** A line to edit and send, and the event that brought it. */
  readonly draft: { readonly id: string; readonly text: string } | null;
  readonly isClosed: boolean;
  readonly status: Status;
}

export const INITIAL: ChatState = {
  isLoaded: false,
  conversation: 0,
  session: null,
  title: null,
  incognito: false,
  items: [],
  isGrowing: false,
  sent: null,
  given: [],
  approval: null,
  picker: null,
  previousPicker: null,
  offers: [],
  handled: new Set(),
  doing: "starting",
  retry: null,
  end: null,
  canRetry: false,
  turn: "none",
  draft: null,
  isClosed: false,
  status: {
    model: null,
    contextTokens: null,
    contextUsed: null,
    cost: null,
    costComplete: true,
    tools: null,
  },
};

export function reduce(before: ChatState, { id, event }: LoggedEvent): ChatState {
  const isOutside = (OUTSIDE_TRANSCRIPT as ReadonlySet<string>).has(event.type) || event.type === "dismissed";
  const grows = event.type === "text" || event.type === "thinking";
  const state = isOutside || grows ? before : { ...before, isGrowing: false };
  const status = (change: Partial<Status>) => ({ ...state, status: { ...state.status, ...change } });
  switch (event.type) {
    case "session":
      return onSession(state, event);
    case "named":
      return { ...state, session: event.id, title: event.title };
    case "model":
      return status({ model: event.name, contextTokens: event.contextTokens });
    case "tools":
      return status({ tools: event.mode });
    case "sent":
      return onSent(state, event.line);
    case "user":
      return add(
        { ...state, sent: null, turn: "asked" },
        { kind: "user", text: event.text, files: event.files ?? [] },
      );
    case "unsent":
      return { ...state, sent: null, draft: { id, text: event.text } };
    case "context":
      return { ...state, given: event.parts, doing: "waiting" };
    case "retry":
      return { ...state, retry: event, doing: "waiting" };
    case "thinking":
      return grown({ ...state, doing: "thinking", retry: null }, "thinking", event.text);
    case "text":
      return grown({ ...state, doing: "writing", retry: null, turn: "answered" }, "reply", event.text);
    case "tool":
      return add({ ...state, doing: "working", retry: null, turn: "answered" }, calledItem(event));
    case "tool-output":
      return changeTool(state, event.id, (tool) => ({ ...tool, output: tool.output + event.text }));
    case "approval":
      return { ...state, approval: event };
    case "answered":
      return state.approval?.id === event.id ? { ...state, approval: null } : state;
    case "result": {
      const { ok, brief, shown } = event;
      const end = {
        state: ok ? "ok" : "failed",
        brief,
        shown: shown.text.trim() === "" ? null : shown,
      } as const;
      return changeTool(state, event.id, (tool) => ({ ...tool, ...end, output: "" }));
    }
    case "message":
      return { ...state, doing: "working" };
    case "memory":
      return hasChanged(event) ? add(state, { kind: "memory", changes: event }) : state;
    case "usage": {
      const { cost, costComplete, contextUsed } = event;
      return status({ cost, costComplete, contextUsed });
    }
    case "compacted":
      return add(state, notice(compactedInWords(event)));
    case "output":
      return add(state, { kind: "output", text: event.text });
    case "notice":
      return add(state, { kind: "notice", level: event.level, text: event.text });
    case "error":
      return add(state, { kind: "error", message: event.message, hint: event.hint });
    case "picker": {
      const back = event.picker.isDetail ? state.previousPicker : null;
      return { ...state, picker: { key: id, picker: event.picker, back }, previousPicker: null };
    }
    case "dismissed":
      return { ...state, picker: state.picker?.back ?? null };
    case "draft":
      return { ...state, draft: { id, text: event.text } };
    case "offers":
      return { ...state, offers: event.offers };
    case "quit":
      return state;
    case "closed":
      return { ...state, isClosed: true, doing: null };
    case "done":
      return onDone(state, event.reason);
  }
}

/** Everything that is shown belongs to another conversation. It is the beginning of a line's answer, so "done" follows. */
function onSession(before: ChatState, { id, title, incognito, past }: EventOf<"session">): ChatState {
  const { model, contextTokens, tools } = before.status;
  return {
    ...INITIAL,
    ...{ session: id, title, incognito, isLoaded: true, conversation: before.conversation + 1 },
    items: pastItems(past),
    canRetry: past.at(-1)?.failed === true,
    status: { ...INITIAL.status, model, contextTokens, tools },
  };
}

/** `/edit` with an id alone only brings the text to edit. */
const HANDLES = /^\/(?:(?:undo|forget) (?=\S+$)|edit (?=\S+ ))(\S+)/;

function onSent(before: ChatState, line: string): ChatState {
  const { picker, handled } = before;
  const [, id] = HANDLES.exec(line) ?? [];
  const state: ChatState = {
    ...before,
    ...{ doing: "recalling", end: null, canRetry: false, turn: "none", draft: null, given: [] },
    ...{ picker: null, previousPicker: picker },
    ...(id !== undefined && { handled: new Set([...handled, id]) }),
  };
  if (isUntyped(picker?.picker, line)) return state;
  return line.startsWith("/") ? add(state, { kind: "command", text: line }) : { ...state, sent: line };
}

/** Ends whatever is still open: an unstored message, a stopped call. */
function onDone(state: ChatState, reason: EventOf<"done">["reason"]): ChatState {
  const { given, turn, sent } = state;
  const items = state.items.map((item): Item => {
    const isRunning = item.kind === "tool" && item.state === "running";
    return isRunning ? { ...item, state: "failed", brief: "stopped" } : item;
  });
  const ends: Item[] = [
    ...(sent === null ? [] : [{ kind: "user", text: sent, files: [] } as const]),
    ...(turn === "answered" && hasMemories(given) ? [{ kind: "given", parts: given } as const] : []),
    ...(reason === "interrupted" ? [notice(INTERRUPTED)] : []),
  ];
  return {
    ...state,
    items: [...items, ...ends],
    ...{ sent: null, given: [], approval: null, previousPicker: null, doing: null, retry: null, end: reason },
    canRetry: state.canRetry || (reason === "failed" && turn === "asked"),
  };
}

function add(state: ChatState, ...items: readonly Item[]): ChatState {
  return { ...state, items: [...state.items, ...items] };
}

function grown(state: ChatState, kind: "reply" | "thinking", text: string): ChatState {
  const last = state.items.at(-1);
  if (!state.isGrowing || last?.kind !== kind) return { ...add(state, { kind, text }), isGrowing: true };
  return { ...state, items: [...state.items.slice(0, -1), { kind, text: last.text + text }] };
}

function calledItem({ id, summary }: EventOf<"tool">): ToolItem {
  return { kind: "tool", id, summary, state: "running", brief: "", output: "", shown: null };
}

function changeTool(state: ChatState, id: string, change: (tool: ToolItem) => ToolItem): ChatState {
  const index = state.items.findLastIndex((item) => item.kind === "tool" && item.id === id);
  const tool = state.items[index];
  return tool?.kind === "tool" ? { ...state, items: state.items.with(index, change(tool)) } : state;
}

/** Nothing was said yet; there may be notices. */
export function isEmpty({ items, sent }: ChatState): boolean {
  return sent === null && items.every(({ kind }) => kind === "notice");
}

/** Offers that no button in the conversation makes. */
export function otherOffers({ offers, items, handled }: ChatState): readonly Offer[] {
  const isOpen = (item: Item) =>
    item.kind === "memory" && item.changes.changed?.some(({ id }) => !handled.has(id));
  return items.some(isOpen) ? offers.filter(({ name }) => name !== "saved") : offers;
}

/** The lines that the user has sent in this conversation, oldest first. */
export function sentLines({ items }: Pick<ChatState, "items">): string[] {
  return items.flatMap((item) => (item.kind === "user" || item.kind === "command" ? item.text : []));
}
