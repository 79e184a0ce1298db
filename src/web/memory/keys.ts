/** The keys of the memory view. */
import { type KeyHelp, withControl } from "../keys.ts";

/** The row that a key moves to, from the row `at`, with `page` rows in view. */
export const MOVES: Readonly<Record<string, (at: number, page: number, last: number) => number>> = {
  ArrowDown: (at) => at + 1,
  ArrowUp: (at) => at - 1,
  PageDown: (at, page) => at + page,
  PageUp: (at, page) => at - page,
  Home: () => 0,
  End: (_at, _page, last) => last,
};

export const TO_LIST = "ArrowDown";
export const LEAVE = "Escape";
export const SAVE = "s";

export const MEMORY_KEYS: readonly KeyHelp[] = [
  { keys: [TO_LIST], what: "Go from the search box to the list" },
  { keys: Object.keys(MOVES), what: "Move in the list" },
  { keys: ["Enter"], what: "Open a memory" },
  { keys: [LEAVE], what: "Clear the search box, close a memory" },
  { keys: withControl(SAVE), what: "Save a document or fact" },
];
