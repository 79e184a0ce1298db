/** Ctrl-R: searches the input history. While it is open, the input holds the query, and the matches are listed below it. */

import { matcher, step } from "../../agent/choices.ts";
import type { AppState } from "../app-state.ts";
import { editOf } from "./editing-keys.ts";
import { type Edit, edit, emptied } from "./editor.ts";
import type { Key } from "./keys.ts";

const MOST_MATCHES = 100;

/** Not during an approval, which takes the room of the list. */
export function openSearch(state: AppState, entries: readonly string[]): AppState {
  if (state.chat.approval !== null) return state;
  const search = { entries: [...new Set(entries.toReversed())], draft: state.editor };
  return matched({ ...state, search, editor: emptied(state.editor), browsing: null });
}

/** Restores the draft. */
export function closeSearch(state: AppState): AppState {
  return { ...state, editor: state.search?.draft ?? state.editor, search: null, completion: null };
}

/** Edits the query. */
export function searched(state: AppState, change: Edit): AppState {
  return matched({ ...state, editor: edit(state.editor, change) });
}

const STEPS: Readonly<Record<string, number>> = { up: -1, down: 1, pageup: -10, pagedown: 10 };
/** As in a shell, Ctrl-R goes to an older match and Ctrl-S back. */
const CTRL_STEPS: Readonly<Record<string, number>> = { r: 1, n: 1, s: -1, p: -1 };

/** Enter and Tab put the marked match into the input, without sending it. */
export function onSearch(state: AppState, key: Key): AppState {
  const { completion } = state;
  if (key.name === "escape" || (key.ctrl && key.name === "g")) return closeSearch(state);
  const by = key.ctrl ? CTRL_STEPS[key.name] : STEPS[key.name];
  if (by !== undefined && completion !== null)
    return {
      ...state,
      completion: { ...completion, index: step(completion.index, by, completion.items.length) },
    };
  if (key.name === "return" || key.name === "tab") {
    const text = completion?.items[completion.index]?.value;
    const closed = closeSearch(state);
    return text === undefined ? closed : { ...closed, editor: edit(closed.editor, { type: "set", text }) };
  }
  const change = key.name === "newline" ? null : editOf(key);
  return change === null ? state : searched(state, change);
}

function matched(state: AppState): AppState {
  const entries = state.search?.entries.filter(matcher(state.editor.text)) ?? [];
  const items = entries.slice(0, MOST_MATCHES).map((value) => ({ value, detail: "" }));
  return { ...state, completion: { from: 0, items, index: items.length === 0 ? -1 : 0 } };
}
