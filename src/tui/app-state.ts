/** All that the screen shows: the chat, the input, and what is open over it. */
import type { ChatState } from "./chat-shape.ts";
import { initialState } from "./chat-shape.ts";
import type { Completion } from "./choice.ts";
import { type Editor, EMPTY } from "./editor.ts";
import type { Browsing } from "./history.ts";

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
  readonly pick: { readonly filter: string; readonly index: number };
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

/** So long nobody must have typed before a key is taken for an answer rather than for the rest of a sentence. */
export const PAUSE_MS = 500;

export const NOTHING_PICKED = { filter: "", index: 0 };

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

/** Whether a key answers the approval: it was on the screen before the key, and nobody was typing then. */
export function isArmed({ chat, lastKeyAt }: AppState, at: number): boolean {
  const drawnAt = chat.approval?.drawnAt ?? null;
  return drawnAt !== null && at >= drawnAt && at - lastKeyAt >= PAUSE_MS;
}

/** A choice is offered, and nobody is in the middle of writing something else. */
export function isPicking({ chat, editor }: AppState): boolean {
  return chat.picker !== null && editor.text === "";
}

/** The mark before the input, and a column for the cursor after it. */
export function inputWidth({ columns }: Size): number {
  return Math.max(1, columns - 3);
}
