/** Ctrl-L: clears the screen and prints as much of the conversation again as fits. */
import type { AppState } from "./app-state.ts";
import { above } from "./items.ts";
import { itemLines } from "./views/item.ts";
import type { Look } from "./views/look.ts";
import { frameOf } from "./views/screen.ts";

export function redrawn(state: AppState, look: Look): AppState {
  const { chat, size } = state;
  const room = Math.max(0, size.rows - 2 - frameOf(state, look).lines.length);
  let lines: string[] = [];
  for (let index = chat.committed.length - 1; index >= 0 && lines.length < room; index--) {
    const item = chat.committed[index];
    if (item !== undefined)
      lines = [
        ...itemLines(item, above(chat.committed, index, chat.conversation), size.columns, look),
        ...lines,
      ];
  }
  const { conversation, committed } = chat;
  const again = { conversation, from: committed.length, lines: room === 0 ? [] : lines.slice(-room) };
  return { ...state, again, redraws: state.redraws + 1 };
}
