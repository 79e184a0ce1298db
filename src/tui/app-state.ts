/** All that the screen shows: the chat, the input, and what is open over it. */
import type { ChatState } from "./chat-shape.ts";
import { initialState } from "./chat-shape.ts";
import { approvalOptions, type Completion, type Picking } from "./choice.ts";
import { type Editor, EMPTY } from "./editor/editor.ts";
import type { Browsing } from "./editor/history.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** After the screen was wiped: what was printed again, in place of all items before `from`. */
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
  /** In the chat's picker. */
  readonly pick: Picking;
  readonly size: Size;
  /** The next Ctrl-C leaves. */
  readonly leaveHint: boolean;
  /** Nothing but what is finished is shown any more. */
  readonly isOver: boolean;
  /** How often the screen was wiped. */
  readonly redraws: number;
  readonly again: PrintedAgain | null;
  readonly lastKeyAt: number;
  readonly now: number;
}

/** A key answers an approval only this long after the question appeared, and after the last typed key. */
export const PAUSE_MS = 500;

export const NOTHING_PICKED: Picking = { filter: "", index: null };

export function initialApp(size: Size, at: number): AppState {
  return {
    chat: initialState(at),
    editor: EMPTY,
    browsing: null,
    completion: null,
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

/** The option of the approval that Enter takes: Deny, until the arrows mark another. -1 while Enter would send a draft. */
export function markedOption({ chat: { approval }, editor }: AppState): number {
  if (approval === null) return -1;
  return approval.marked ?? (editor.text === "" ? approvalOptions(approval).length - 1 : -1);
}

/** A choice is offered, and nobody is in the middle of writing something else. */
export function isPicking({ chat, editor }: AppState): boolean {
  return chat.picker !== null && editor.text === "";
}

/** The mark before the input, and a column for the cursor after it. */
export function inputWidth({ columns }: Size): number {
  return Math.max(1, columns - 3);
}
