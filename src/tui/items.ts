/** What a conversation leaves on the screen, piece by piece. Each is printed once, when it can no longer change. */
import type { ChatEvent, MemoryChanges, PastMessage } from "../agent/events.ts";

export type Item =
  | { readonly kind: "name" }
  | { readonly kind: "about"; readonly model: string | null }
  /** Another conversation begins. */
  | { readonly kind: "divider"; readonly title: string }
  | { readonly kind: "user"; readonly text: string }
  /** A stretch of a reply, in the lines of the screen. The first stretch of a reply stands apart from what is above it. */
  | { readonly kind: "reply"; readonly lines: readonly string[]; readonly isFirst: boolean }
  /** Markdown that came at once: what a command says, a reply of an earlier day. */
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string; readonly seconds: number }
  | { readonly kind: "tool"; readonly summary: string; readonly ok: boolean; readonly brief: string }
  | { readonly kind: "memory"; readonly changes: MemoryChanges }
  | { readonly kind: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly kind: "error"; readonly message: string; readonly hint: string | null }
  /** All of what an approval asks about. */
  | { readonly kind: "preview"; readonly summary: string; readonly preview: Preview };

export type Preview = Extract<ChatEvent, { type: "approval" }>["preview"];

/** So many messages of an earlier day are shown again; the others are counted. */
const SHOWN_AGAIN = 30;

export function pastItems(past: readonly PastMessage[]): Item[] {
  const hidden = Math.max(0, past.length - SHOWN_AGAIN);
  const items = past.slice(hidden).flatMap(pastItem);
  if (hidden === 0) return items;
  return [{ kind: "notice", level: "info", text: `… ${hidden} earlier messages` }, ...items];
}

function pastItem({ role, text, tools, interrupted }: PastMessage): Item[] {
  if (role === "user") return [{ kind: "user", text }];
  if (role === "summary")
    return [{ kind: "notice", level: "info", text: `Summary of what was said before: ${text}` }];
  return [
    ...(text === "" ? [] : [{ kind: "markdown", text } as const]),
    ...tools.map(({ summary, ok }) => ({ kind: "tool", summary, ok, brief: "" }) as const),
    ...(interrupted ? [INTERRUPTED] : []),
  ];
}

export const INTERRUPTED: Item = { kind: "notice", level: "info", text: "Interrupted." };

/** What stands above an item: in the first conversation nothing, in a later one the end of the one before. */
export function above(committed: readonly Item[], index: number, conversation: number): Item | null {
  return committed[index - 1] ?? (conversation === 0 ? null : INTERRUPTED);
}
