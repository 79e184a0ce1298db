/**
 * What a key does, as a pure function: returns the next state and the effects to perform. The first taker gets the key: quitting, the
 * approval, the picker, the completions, then the input.
 */

import { approvalOptions, denyOption, filtered, lineOf, markedItem, step } from "../../agent/choices.ts";
import type { Picker } from "../../agent/events.ts";
import type { Decision } from "../../agent/tool.ts";
import {
  type AppState,
  hasMemoriesToList,
  inputWidth,
  isArmed,
  isPicking,
  isRunning,
  markedOption,
  NOTHING_PICKED,
  OFFER_KEYS,
  offersIn,
} from "../app-state.ts";
import { type ChatState, runningCall } from "../chat-shape.ts";
import { type ChatAction, reduce } from "../chat-state.ts";
import { type Completions, completionOf } from "../choice.ts";
import { shownCalls } from "../items.ts";
import { editOf } from "./editing-keys.ts";
import { contentOf, type Edit, type Editor, EMPTY, edit, emptied } from "./editor.ts";
import { newer, older } from "./history.ts";
import type { Key } from "./keys.ts";
import { closeSearch, onSearch, openSearch, searched } from "./search.ts";

export type Effect =
  | { readonly type: "send" | "remember"; readonly line: string }
  | { readonly type: "answer"; readonly id: string; readonly decision: Decision }
  | { readonly type: "stop-tool"; readonly id: string }
  | { readonly type: "interrupt" | "leave" | "skip" | "redraw" | "suspend" | "compose" };

export interface Surroundings extends Completions {
  readonly at: number;
  entries(): readonly string[];
}

interface Step {
  readonly state: AppState;
  readonly effects: readonly Effect[];
}

/** Handles keys that arrived together. Only a key that arrived alone can answer an approval. */
export function press(state: AppState, keys: readonly Key[], around: Surroundings): Step {
  const answers = keys.length === 1 && isArmed(state, around.at);
  return keys.reduce<Step>(
    ({ state: before, effects }, key) => {
      const next = pressOne(before, key, around, answers);
      return { state: next.state, effects: [...effects, ...next.effects] };
    },
    { state, effects: [] },
  );
}

/** A paste goes into the input or a picker's filter, and never answers anything. */
export function pasted(state: AppState, text: string, around: Surroundings): AppState {
  if (state.chat.busy?.doing === "closing") return state;
  const reason = state.chat.approval?.reason ?? null;
  if (reason !== null)
    return explained(state, edit(reason, { type: "paste", text: text.replace(/\s+/g, " ") }));
  if (isPicking(state) && !isUnprompted(state))
    return filter(state, state.pick.filter + text.replace(/\s+/g, " "));
  if (state.search !== null) return searched(state, { type: "insert", text: text.replace(/\s+/g, " ") });
  return edited(typing(state, around.at), { type: "paste", text }, around);
}

/** More completions are known now, such as files. Keeps the marked item. */
export function recompleted(state: AppState, around: Completions): AppState {
  const { completion: before, search } = state;
  if (search !== null || (before === null && !/^\/[a-z-]+\s/i.test(state.editor.text))) return state;
  const completion = completionOf(state.editor, around);
  const marked = before?.items[before.index]?.value;
  const index = completion?.items.findIndex(({ value }) => value === marked) ?? -1;
  return { ...state, completion: completion && index >= 0 ? { ...completion, index } : completion };
}

/** Clears the marked option, so that Enter sends the draft again. */
function typing(state: AppState, at: number): AppState {
  return { ...chat(state, { type: "marked", option: null }), lastKeyAt: at };
}

function only(state: AppState, ...effects: readonly Effect[]): Step {
  return { state, effects };
}

function chat(state: AppState, action: ChatAction): AppState {
  return { ...state, chat: reduce(state.chat, action) };
}

function pressOne(before: AppState, key: Key, around: Surroundings, answers: boolean): Step {
  const { busy } = before.chat;
  if (busy?.doing === "closing")
    return key.ctrl && key.name === "c" ? only(before, { type: "skip" }) : only(before);
  if (key.ctrl && key.name === "c") return onCtrlC(before);
  const state = before.leaveHint ? { ...before, leaveHint: false } : before;
  const running = runningCall(state.chat);
  if (key.ctrl && key.name === "x" && running !== null)
    return only(state, { type: "stop-tool", id: running.id });
  const { approval } = state.chat;
  if (approval !== null && approval.reason !== null && !isForScreen(key))
    return onReason({ ...state, lastKeyAt: around.at }, approval.id, approval.reason, key);
  if (key.ctrl && key.name === "d" && state.editor.text === "" && state.search === null)
    return only(state, { type: "leave" });
  if (key.ctrl && key.name === "l") return only(state, { type: "redraw" });
  if (key.ctrl && key.name === "z") return only(state, { type: "suspend" });
  if (key.ctrl && key.name === "o") return only(showWhole(state));
  if (key.ctrl && key.name === "t" && hasMemoriesToList(state)) return send(state, "/why", around.at);
  const answer = onApproval(state, key);
  if (answer !== null && answers) return answer;
  // Too early to answer, so it does nothing: Up must not load an older line into the input instead.
  if (answer !== null && key.text === null) return only({ ...state, lastKeyAt: around.at });
  return onTyping(typing(state, around.at), key, around);
}

function onTyping(state: AppState, key: Key, around: Surroundings): Step {
  if (isPicking(state) && !(key.text !== null && isUnprompted(state))) return onPicker(state, key, around.at);
  if (state.search !== null) return only(onSearch(state, key));
  if (key.ctrl && key.name === "r") return only(openSearch(state, around.entries()));
  if (key.ctrl && key.name === "g") return only(state, { type: "compose" });
  const offer = offersIn(state).find(({ name }) => key.ctrl && OFFER_KEYS[name] === key.name);
  if (offer !== undefined) return send(state, offer.line, around.at);
  return onCompletion(state, key, around) ?? onInput(state, key, around);
}

function isUnprompted({ chat: { picker } }: AppState): boolean {
  return picker?.picker.isUnprompted === true;
}

function onCtrlC(state: AppState): Step {
  if (isRunning(state)) return interrupt(state);
  if (isPicking(state)) return only(closePicker(state));
  if (state.search !== null) return only(closeSearch(state));
  if (state.editor.text !== "")
    return only({
      ...state,
      editor: edit(state.editor, { type: "clear" }),
      completion: null,
      browsing: null,
    });
  return state.leaveHint ? only(state, { type: "leave" }) : only({ ...state, leaveHint: true });
}

function interrupt(state: AppState): Step {
  return only(chat(state, { type: "stopping" }), { type: "interrupt" });
}

/** null if the key belongs to the input. Text always does, except an option's digit while the input is empty. */
function onApproval(state: AppState, key: Key): Step | null {
  const { approval } = state.chat;
  if (approval === null || key.ctrl || key.alt || key.shift) return null;
  if (key.name === "escape") return interrupt(state);
  const options = approvalOptions(approval);
  const marked = markedOption(state);
  const by = ARROWS[key.name];
  if (by !== undefined) {
    const option = marked < 0 ? denyOption(approval) : step(marked, by, options.length);
    return only(chat(state, { type: "marked", option }));
  }
  const isChosen = (_: unknown, index: number) =>
    key.name === "return" ? index === marked : key.name === String(index + 1) && state.editor.text === "";
  const chosen = options.find(isChosen);
  if (chosen === undefined) return null;
  if (chosen.decision === null) return only(explained(state, EMPTY));
  return only(state, { type: "answer", id: approval.id, decision: chosen.decision });
}

/** Ctrl-L, Ctrl-O and Ctrl-Z work whatever has the keyboard. */
function isForScreen({ ctrl, name }: Key): boolean {
  return ctrl && ["l", "o", "z"].includes(name);
}

function explained(state: AppState, reason: Editor | null): AppState {
  return chat(state, { type: "reason", reason });
}

/** The reason for a denial is one line. */
function onReason(state: AppState, id: string, reason: Editor, key: Key): Step {
  if (key.name === "escape") return only(explained(state, null));
  if (key.name === "return") {
    const text = contentOf(reason).trim();
    const decision: Decision = text === "" ? { answer: "deny" } : { answer: "deny", reason: text };
    return only(explained(state, null), { type: "answer", id, decision });
  }
  const change = key.name === "newline" ? null : editOf(key);
  return only(change === null ? state : explained(state, edit(reason, change)));
}

/** All of the open approval; else of the newest tool call, or of one from a list. Pressed again, the newest. */
function showWhole(state: AppState): AppState {
  if (state.chat.approval !== null) return chat(state, { type: "shown-whole" });
  const calls = shownCalls(state.chat.committed);
  const [newest] = calls;
  if (newest === undefined) return state;
  const isFree = state.chat.picker === null && state.editor.text === "" && state.search === null;
  if (isFree && calls.length > 1) return chat(state, { type: "calls-listed" });
  const closed = state.chat.picker?.printsCalls ? closePicker(state) : state;
  return chat(closed, { type: "call-shown", index: newest.index });
}

function closePicker(state: AppState): AppState {
  return { ...chat(state, { type: "picked" }), pick: NOTHING_PICKED };
}

function filter(state: AppState, text: string): AppState {
  return { ...state, pick: { filter: text, index: null } };
}

const ARROWS: Readonly<Record<string, number>> = { up: -1, down: 1 };
const LIST_KEYS: Readonly<Record<string, number>> = { ...ARROWS, pageup: -10, pagedown: 10 };

function onPicker(state: AppState, key: Key, at: number): Step {
  const { chat: now, pick } = state;
  if (now.picker === null) return only(state);
  const { picker, isDrawn } = now.picker;
  const items = filtered(picker, pick.filter);
  const marked = markedItem(picker, pick);
  const by = key.ctrl ? { p: -1, n: 1 }[key.name] : LIST_KEYS[key.name];
  if (by !== undefined) return only({ ...state, pick: { ...pick, index: step(marked, by, items.length) } });
  const skip = picker.skip === undefined ? null : `${picker.command} ${picker.skip}`;
  const skips = key.name === "escape" || (key.name === "return" && marked < 0 && isDrawn);
  if (skip !== null && skips) return send(closePicker(state), skip, at);
  if (key.name === "escape") return only(goBack(state));
  if (key.name === "backspace") return only(filter(state, Array.from(pick.filter).slice(0, -1).join("")));
  if (key.ctrl && key.name === "u") return only(filter(state, ""));
  const byKey = picker.items.find((one) => one.key !== undefined && one.key === key.name && isDrawn);
  if (byKey !== undefined && pick.filter === "") return select(state, byKey, at);
  if (key.text !== null) return only(filter(state, pick.filter + key.text));
  const item = items[marked];
  if (key.name !== "return" || item === undefined || !isDrawn) return only(state);
  if (now.picker.printsCalls)
    return only(chat(closePicker(state), { type: "call-shown", index: Number(item.value) }));
  return select(state, item, at);
}

/** Sends the item's line, and remembers the list for Esc. */
function select(state: AppState, item: Picker["items"][number], at: number): Step {
  const { pick } = state;
  const { picker: open } = state.chat;
  if (open === null) return only(state);
  const closed = chat(state, { type: "picked", previous: { open, pick } });
  return send({ ...closed, pick: NOTHING_PICKED }, lineOf(open.picker, item), at);
}

/** Closes the picker, or returns to the list that it came from. */
function goBack(state: AppState): AppState {
  const back = state.chat.picker?.back ?? null;
  return back === null ? closePicker(state) : { ...chat(state, { type: "returned" }), pick: back.pick };
}

/** Sends at once, or queues the line while the chat is busy. */
function send(state: AppState, line: string, at: number): Step {
  return state.chat.busy === null
    ? only(chat(state, { type: "sent", line, at }), { type: "send", line })
    : only(chat(state, { type: "queued", line }));
}

/** null if the key isn't for the list. */
function onCompletion(state: AppState, key: Key, around: Surroundings): Step | null {
  const { completion } = state;
  if (completion === null || completion.items.length === 0 || key.shift || key.alt) return null;
  const { from, items, index } = completion;
  const by = key.ctrl ? { p: -1, n: 1 }[key.name] : ARROWS[key.name];
  if (by !== undefined)
    return only({ ...state, completion: { ...completion, index: step(index, by, items.length) } });
  if (key.name === "escape") return only({ ...state, completion: null });
  const item = items[key.name === "tab" ? Math.max(0, index) : index];
  const { text, cursor } = state.editor;
  const typed = text.slice(from, cursor).trimEnd();
  const takes = key.name === "tab" || (key.name === "return" && item?.value !== typed);
  if (!takes || item === undefined) return null;
  const space = /^\s/.test(text.slice(cursor)) ? "" : " ";
  return only(edited(state, { type: "replace", from, text: item.value + space }, around));
}

function onInput(state: AppState, key: Key, around: Surroundings): Step {
  if (key.name === "escape" && isRunning(state)) return interrupt(state);
  if (key.name === "return" && !key.shift && !key.alt && !key.ctrl) return onEnter(state, around);
  if (key.name === "up" || (key.ctrl && key.name === "p")) return only(up(state, around));
  if (key.name === "down" || (key.ctrl && key.name === "n")) return only(down(state));
  const change = editOf(key);
  return only(change === null ? state : edited(state, change, around));
}

function edited(state: AppState, change: Edit, around: Surroundings): AppState {
  const editor = edit(state.editor, change);
  const { editor: before } = state;
  if (editor.text === before.text && editor.cursor === before.cursor) return { ...state, editor };
  const isOpen = editor.text !== before.text && state.browsing === null;
  return { ...state, editor, completion: isOpen ? completionOf(editor, around) : null };
}

/** Sends the line. After a backslash, inserts a newline instead. */
function onEnter(state: AppState, around: Surroundings): Step {
  const { editor } = state;
  if (editor.text[editor.cursor - 1] === "\\")
    return only(edited(edited(state, { type: "backspace" }, around), { type: "insert", text: "\n" }, around));
  const line = contentOf(editor).trimEnd();
  if (line.trim() === "") return only(state);
  const next = send({ ...state, editor: emptied(editor), browsing: null, completion: null }, line, around.at);
  return leavesTrace(next.state.chat)
    ? { ...next, effects: [{ type: "remember", line }, ...next.effects] }
    : next;
}

/** False in an incognito conversation, and while `/incognito` is queued: lines typed then belong to it. */
function leavesTrace({ status, sent, queue }: ChatState): boolean {
  return !status.incognito && ![sent ?? "", ...queue].some((line) => /^\/incognito\b/i.test(line));
}

function up(state: AppState, { entries }: Surroundings): AppState {
  const editor = edit(state.editor, { type: "up", width: inputWidth(state.size) });
  if (editor !== state.editor) return { ...state, editor };
  const waiting = state.chat.queue.at(-1);
  if (waiting !== undefined && editor.text === "")
    return {
      ...chat(state, { type: "unqueued", which: "last" }),
      editor: edit(editor, { type: "set", text: waiting }),
    };
  return { ...state, ...older(editor, state.browsing, entries), completion: null };
}

function down(state: AppState): AppState {
  const editor = edit(state.editor, { type: "down", width: inputWidth(state.size) });
  if (editor !== state.editor) return { ...state, editor };
  return { ...state, ...newer(editor, state.browsing), completion: null };
}
