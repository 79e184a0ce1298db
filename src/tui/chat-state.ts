/**
 * A pure reducer from the chat's events to the screen's state. Committed items are printed and never change, so the terminal can
 * scroll and select them. Everything else is live. It reads no clock: times come with the actions.
 */
import { isUntyped } from "../agent/choices.ts";
import { type ChatEvent, type EventOf, OUTSIDE_TRANSCRIPT, type Picker } from "../agent/events.ts";
import { compactedInWords, hasChanged } from "../agent/in-words.ts";
import type { Busy, ChatState, PreviousPicker, Status } from "./chat-shape.ts";
import type { Editor } from "./editor/editor.ts";
import { INTERRUPTED, type Item, pastItems, shownCalls } from "./items.ts";

/** A reply's text arrives as lines (event-pump.ts), other events unchanged. */
export type ChatAction =
  | { readonly type: "event"; readonly event: Exclude<ChatEvent, EventOf<"text">>; readonly at: number }
  /** Finished lines of the reply, and the lines after them that may still change. */
  | {
      readonly type: "reply";
      readonly finished: readonly string[];
      readonly rest: readonly string[];
      readonly at: number;
    }
  /** The reply, or this part of it, is complete. */
  | { readonly type: "reply-end"; readonly finished: readonly string[]; readonly at: number }
  | { readonly type: "sent"; readonly line: string; readonly at: number }
  | { readonly type: "queued"; readonly line: string }
  /** The first queued line is sent, or the last one goes back to the input. */
  | { readonly type: "unqueued"; readonly which: "first" | "last" }
  | { readonly type: "stopping" }
  | { readonly type: "closing"; readonly at: number }
  /** The current state is on the terminal. */
  | { readonly type: "drawn"; readonly at: number }
  /** The picker closes; `left` if one of its items was selected. */
  | { readonly type: "picked"; readonly previous?: PreviousPicker }
  /** Esc returned to the list that this one came from. */
  | { readonly type: "returned" }
  /** The arrows marked an option of the approval. */
  | { readonly type: "marked"; readonly option: number | null }
  /** The user types a reason for denying the call, or no longer does. */
  | { readonly type: "reason"; readonly reason: Editor | null }
  /** Prints all of the approval's preview. */
  | { readonly type: "shown-whole" }
  /** Opens the list of tool calls. */
  | { readonly type: "calls-listed" }
  /** Prints all of a tool call, by its index in `committed`. */
  | { readonly type: "call-shown"; readonly index: number };

export function reduce(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case "event":
      return onEvent(state, action.event, action.at);
    case "reply":
      return onReply(thought(state, action.at), action.finished, action.rest);
    case "reply-end":
      return commit(onReply(thought(state, action.at), action.finished, []));
    case "sent":
      return {
        ...state,
        sent: lineShown(state, action.line),
        busy: busy("recalling", action.at),
        picker: null,
      };
    case "queued":
      return { ...state, queue: [...state.queue, action.line] };
    case "unqueued":
      return { ...state, queue: action.which === "first" ? state.queue.slice(1) : state.queue.slice(0, -1) };
    case "stopping":
      return state.busy === null ? state : { ...state, busy: { ...state.busy, isStopping: true } };
    case "closing":
      return { ...state, busy: busy("closing", action.at), picker: null };
    case "drawn":
      return drawn(state, action.at);
    case "picked":
      return { ...state, picker: null, previousPicker: action.previous ?? null };
    case "returned":
      return { ...state, picker: state.picker?.back?.open ?? null };
    case "marked":
      return { ...state, approval: state.approval && { ...state.approval, marked: action.option } };
    case "reason":
      return { ...state, approval: state.approval && { ...state.approval, reason: action.reason } };
    case "shown-whole":
      return shownWhole(state);
    case "calls-listed":
      return {
        ...state,
        picker: { picker: callPicker(state), isDrawn: false, back: null, printsCalls: true },
      };
    case "call-shown":
      return callShown(state, action.index);
  }
}

/** null if its answer shows what was chosen. */
function lineShown({ previousPicker }: ChatState, line: string): string | null {
  return isUntyped(previousPicker?.open.picker, line) ? null : line;
}

function busy(doing: Busy["doing"], since: number): Busy {
  return { doing, since, isStopping: false };
}

/** Moves the current work to another stage. */
function now(state: ChatState, doing: Busy["doing"]): ChatState {
  return state.busy === null || state.busy.doing === "closing"
    ? state
    : { ...state, busy: { ...state.busy, doing } };
}

/** Commits items, after the sent line that they answer. */
function append(state: ChatState, items: readonly Item[]): ChatState {
  const added: readonly Item[] = state.sent === null ? items : [{ kind: "user", text: state.sent }, ...items];
  if (added.length === 0) return state;
  if (state.opening !== null) return { ...state, sent: null, opening: [...state.opening, ...added] };
  return { ...state, sent: null, committed: [...state.committed, ...added] };
}

/** Ends the current reply, then commits the items. */
function commit(state: ChatState, ...items: readonly Item[]): ChatState {
  const { reply } = state;
  if (reply === null) return append(state, items);
  const rest: Item[] = reply.lines.length === 0 ? [] : [{ kind: "reply", ...reply }];
  return append({ ...state, reply: null }, [...rest, ...items]);
}

/** Prints the line with the model's name, then the items held back for it. */
function opened(state: ChatState): ChatState {
  if (state.opening === null) return state;
  const about: Item = { kind: "about", model: state.status.model };
  return { ...state, opening: null, committed: [...state.committed, about, ...state.opening] };
}

function thought(state: ChatState, at: number): ChatState {
  if (state.thinking === null) return state;
  const { text, since } = state.thinking;
  const seconds = Math.round(Math.max(0, at - since) / 1000);
  return { ...commit(state, { kind: "thinking", text, seconds }), thinking: null };
}

function onReply(state: ChatState, finished: readonly string[], rest: readonly string[]): ChatState {
  const isFirst = state.reply?.isFirst ?? true;
  const next = finished.length === 0 ? state : append(state, [{ kind: "reply", lines: finished, isFirst }]);
  const reply = { lines: rest, isFirst: isFirst && finished.length === 0 };
  return now({ ...next, reply, retry: null }, "writing");
}

function onEvent(before: ChatState, event: Exclude<ChatEvent, EventOf<"text">>, at: number): ChatState {
  const state =
    event.type === "thinking" || OUTSIDE_TRANSCRIPT.has(event.type) ? before : thought(before, at);
  const status = (change: Partial<Status>): ChatState => ({
    ...state,
    status: { ...state.status, ...change },
  });
  switch (event.type) {
    case "session":
      return onSession(state, event);
    case "named":
      return status({ title: event.title });
    case "model":
      return opened(status({ model: event.name, contextTokens: event.contextTokens }));
    case "tools":
      return status({ tools: event.mode });
    case "user":
      return commit(
        { ...state, sent: null },
        { kind: "user", text: event.text, ...(event.files && { files: event.files }) },
      );
    case "unsent":
      return { ...state, sent: null };
    case "context":
      return now(status({ recalled: event.recalled }), "waiting");
    case "retry":
      return now({ ...state, retry: { ...event, at } }, "waiting");
    case "thinking": {
      const thinking = {
        text: (state.thinking?.text ?? "") + event.text,
        since: state.thinking?.since ?? at,
      };
      return now({ ...state, thinking, retry: null }, "thinking");
    }
    case "tool":
      return now({ ...state, tools: [...state.tools, { ...event, output: "" }], retry: null }, "working");
    case "tool-output": {
      const { id, text } = event;
      const tools = state.tools.map((tool) =>
        tool.id === id ? { ...tool, output: tool.output + text } : tool,
      );
      return { ...state, tools };
    }
    case "approval": {
      const approval = { ...event, drawnAt: null, isWhole: false, marked: null, reason: null };
      return { ...state, approval };
    }
    case "answered":
      return state.approval?.id === event.id ? { ...state, approval: null } : state;
    case "result":
      return onResult(state, event);
    case "message":
      return now(commit(state), "working");
    case "memory":
      return hasChanged(event) ? commit(state, { kind: "memory", changes: event }) : state;
    case "usage":
      return status({
        cost: event.cost,
        costComplete: event.costComplete,
        contextUsed: event.contextUsed,
      });
    case "compacted":
      return commit(state, notice(compactedInWords(event)));
    case "output":
      return commit(state, { kind: "markdown", text: event.text });
    case "notice":
      return commit(state, { kind: "notice", level: event.level, text: event.text });
    case "picker":
      return {
        ...state,
        picker: {
          picker: event.picker,
          isDrawn: false,
          back: event.picker.isDetail ? state.previousPicker : null,
        },
        previousPicker: null,
      };
    case "draft":
      return state;
    case "offers":
      return { ...state, offers: event.offers };
    case "error":
      return commit(state, { kind: "error", message: event.message, hint: event.hint });
    case "quit":
      return state;
    case "done":
      return onDone(state, event.reason);
  }
}

function notice(text: string): Item {
  return { kind: "notice", level: "info", text };
}

/** Switches to another conversation, with a divider above it unless it is the first one. */
function onSession(state: ChatState, event: EventOf<"session">): ChatState {
  const { title, incognito } = event;
  const status = { ...state.status, title, incognito, recalled: 0, contextUsed: null };
  const items = pastItems(event.past);
  if (state.opening !== null) return { ...state, status, opening: [...state.opening, ...items] };
  const divider: Item = {
    kind: "divider",
    title: title ?? (incognito ? "Incognito session" : "New session"),
  };
  return {
    ...commit({ ...state, committed: [] }, divider, ...items),
    conversation: state.conversation + 1,
    status,
  };
}

function onResult(state: ChatState, { id, name, ok, brief, shown }: EventOf<"result">): ChatState {
  const summary = state.tools.find((tool) => tool.id === id)?.summary ?? name;
  const next = commit(state, {
    kind: "tool",
    summary,
    ok,
    brief,
    shown: shown.text.trim() === "" ? null : shown,
  });
  return { ...next, tools: state.tools.filter((tool) => tool.id !== id) };
}

/** If the chat could not be opened: prints what was held back, without the model, which is unknown. */
function unopened(state: ChatState): ChatState {
  const { opening, committed } = state;
  return opening === null ? state : { ...state, opening: null, committed: [...committed, ...opening] };
}

/** Commits everything that is still live: an unstored line, a partial reply, interrupted tools. */
function onDone(before: ChatState, reason: EventOf<"done">["reason"]): ChatState {
  const state = unopened(before);
  const tools = state.tools.map(
    ({ summary }): Item => ({ kind: "tool", summary, ok: false, brief: "stopped", shown: null }),
  );
  const end = reason === "interrupted" ? [INTERRUPTED] : [];
  return {
    ...commit(state, ...tools, ...end),
    tools: [],
    approval: null,
    previousPicker: null,
    busy: null,
    retry: null,
  };
}

function drawn(state: ChatState, at: number): ChatState {
  const { approval, picker } = state;
  if (approval?.drawnAt !== null && picker?.isDrawn !== false) return state;
  return {
    ...state,
    approval: approval === null ? null : { ...approval, drawnAt: approval.drawnAt ?? at },
    picker: picker === null ? null : { ...picker, isDrawn: true },
  };
}

function shownWhole(state: ChatState): ChatState {
  const { approval } = state;
  if (approval === null || approval.isWhole) return state;
  const { summary, preview } = approval;
  return {
    ...commit(state, { kind: "preview", summary, preview }),
    approval: { ...approval, isWhole: true },
  };
}

const MOST_CALLS = 50;

function callPicker({ committed }: ChatState): Picker {
  const items = shownCalls(committed)
    .slice(0, MOST_CALLS)
    .map(({ index, call }) => ({ value: String(index), label: call.summary, detail: call.brief }));
  return { title: "Show all of a tool call", command: "", items };
}

/** Not `commit`, which would end a reply that is being written. */
function callShown(state: ChatState, index: number): ChatState {
  const call = state.committed[index];
  if (call?.kind !== "tool" || state.sent !== null) return state;
  return append(state, [{ kind: "preview", summary: call.summary, preview: call.shown }]);
}
