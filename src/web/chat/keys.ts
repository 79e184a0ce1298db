/** The keys of the chat. */
import type { KeyHelp } from "../keys.ts";

export const SEND = "Enter";
export const COMPLETE = "Tab";
export const OLDER = "ArrowUp";
export const NEWER = "ArrowDown";
export const STOP = "Escape";

/** Steps in the list of completions. */
export const COMPLETION_STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Steps in a list to choose from. */
export const PICKER_STEPS: Readonly<Record<string, number>> = {
  ...COMPLETION_STEPS,
  PageUp: -10,
  PageDown: 10,
};

export const CHAT_KEYS: readonly KeyHelp[] = [
  { keys: [SEND], what: "Send the message, select in a list" },
  { keys: [`Shift ${SEND}`], what: "Start a new line" },
  { keys: [COMPLETE], what: "Complete a command after /, or a file after @" },
  { keys: [OLDER, NEWER], what: "Recall lines that you sent (while the input is empty)" },
  { keys: Object.keys(PICKER_STEPS), what: "Move in a list" },
  { keys: ["1", "2", "…"], what: "Answer an approval (while the input is empty)" },
  { keys: [STOP], what: "Stop the reply, close a list" },
];
