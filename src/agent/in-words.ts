/** Words for events, the same in every front end. */
import { plural } from "../util/in-words.ts";
import type { EventOf } from "./events.ts";

export const INTERRUPTED = "Interrupted.";

/** Below a user's message without a reply. */
export const FAILED = "Failed, so the model does not see it. /retry sends the last failed message again.";

/** What the chat is doing. */
export const DOING = {
  starting: "Starting",
  recalling: "Recalling",
  waiting: "Waiting for the model",
  thinking: "Thinking",
  writing: "Writing",
  working: "Working",
  closing: "Summarising",
} as const;

export type Doing = keyof typeof DOING;

export function compactedInWords({ messages, kept, tokens, facts }: EventOf<"compacted">): string {
  const shorter = `${tokens.before.toLocaleString("en")} → ${tokens.after.toLocaleString("en")} tokens`;
  return `Summarised ${plural(messages, "older message")} (still stored). ${plural(kept, "message")} kept verbatim, ${shorter}, ${plural(facts, "fact")} saved.`;
}

export function summaryInWords(summary: string): string {
  return `Summary of the earlier conversation: ${summary}`;
}

/** Whether it changed anything that is worth a line. */
export function hasChanged({ working, ...changes }: EventOf<"memory">): boolean {
  const isFilled = (list: unknown) => Array.isArray(list) && list.length > 0;
  return working !== "unchanged" || Object.values(changes).some(isFilled);
}

/** "$0.0123+" */
export function costInWords(cost: number, isComplete: boolean): string {
  return `$${cost.toFixed(4)}${isComplete ? "" : "+"}`;
}

/** "83% context left" */
export function contextInWords(used: number, of: number | null): string {
  if (of === null || of === 0) return `context ${used} tokens`;
  return `${Math.max(0, 100 - Math.round((100 * used) / of))}% context left`;
}
