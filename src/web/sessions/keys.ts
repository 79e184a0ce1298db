/** The keys of the list of conversations. */
import type { KeyHelp } from "../keys.ts";

export const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

export const SESSIONS_KEYS: readonly KeyHelp[] = [
  { keys: Object.keys(STEPS), what: "Move between the search box and the list" },
  { keys: ["Enter"], what: "Open a conversation, or the message that was found" },
];
