/** The state of the screen: the chat, the input, and open lists. */

import { type Completion, denyOption, PAUSE_MS, type Picking } from "../agent/choices.ts";
import type { Offer } from "../agent/events.ts";
import type { ChatState } from "./chat-shape.ts";
import { initialState } from "./chat-shape.ts";
import { type Editor, EMPTY } from "./editor/editor.ts";
import type { Browsing, Search } from "./editor/history.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** After Ctrl-L cleared the screen: the lines printed again, instead of all items before `from`. */
export interface PrintedAgain {
  readonly conversation: number;
  readonly from: number;
  readonly lines: readonly string[];
}

export interface AppState {
  readonly chat: ChatState;
  readonly editor: Editor;
  readonly browsing: Browsing | null;
  readonly completion: Completion | null;
  /** Set while the input history is searched. */
  readonly search: Search | null;
  /** The filter and selection in the chat's picker. */
  readonly pick: Picking;
  readonly size: Size;
  /** The next Ctrl-C quits. */
  readonly leaveHint: boolean;
  /** The chat has ended: only finished items are shown. */
  readonly isOver: boolean;
  /** How often the screen was cleared. */
  readonly redraws: number;
  readonly again: PrintedAgain | null;
  readonly lastKeyAt: number;
  readonly now: number;
}

export const NOTHING_PICKED: Picking = { filter: "", index: null };

export function initialApp(size: Size, at: number, incognito: boolean): AppState {
  return {
    chat: initialState(at, incognito),
    editor: EMPTY,
    browsing: null,
    completion: null,
    search: null,
    pick: NOTHING_PICKED,
    size,
    leaveHint: false,
    isOver: false,
    redraws: 0,
    again: null,
    lastKeyAt: Number.NEGATIVE_INFINITY,
    now: at,
  };
}

/** Whether a key may answer the approval. */
export function isArmed({ chat, lastKeyAt }: AppState, at: number): boolean {
  const drawnAt = chat.approval?.drawnAt ?? null;
  return drawnAt !== null && at - Math.max(drawnAt, lastKeyAt) >= PAUSE_MS;
}

/** The option that Enter selects: Deny, until the arrows mark another. -1 while Enter would send the draft. */
export function markedOption({ chat: { approval }, editor }: AppState): number {
  if (approval === null) return -1;
  return approval.marked ?? (editor.text === "" ? denyOption(approval) : -1);
}

/** Whether a picker is open and has the keyboard: not while the input contains text, or searches. */
export function isPicking({ chat, editor, search }: AppState): boolean {
  return chat.picker !== null && editor.text === "" && search === null;
}

/** Whether a reply, or another activity that a key can stop, runs. */
export function isRunning({ chat: { busy } }: AppState): boolean {
  return busy !== null && busy.doing !== "starting" && !busy.isStopping;
}

/** Whether the chat is idle and its last reply used memories that can be listed. */
export function hasMemoriesToList({ chat, editor }: AppState): boolean {
  const { busy, approval, picker, status } = chat;
  return busy === null && approval === null && picker === null && editor.text === "" && status.recalled > 0;
}

/** Leaves two columns for the prompt mark and one for the cursor. */
export function inputWidth({ columns }: Size): number {
  return Math.max(1, columns - 3);
}

/** The key that, with Ctrl, sends an offer's line. */
export const OFFER_KEYS: Readonly<Record<Offer["name"], string>> = { saved: "s", confirm: "v" };

/** The offers whose keys work now: their lists need an empty input. */
export function offersIn({ chat, editor, search }: AppState): readonly Offer[] {
  const isFree = chat.busy === null && chat.picker === null && editor.text === "" && search === null;
  return isFree ? chat.offers : [];
}
