/** The pieces of a conversation on the screen. Each is printed once, when it can no longer change. */

import type { EventOf, PastMessage, ShownFile } from "../agent/events.ts";
import * as words from "../agent/in-words.ts";
import type { Shown } from "../agent/tool.ts";
import type { MemoryChanges } from "../core/facts/memory-changes.ts";

export type Item =
  | { readonly kind: "name" }
  | { readonly kind: "about"; readonly model: string | null }
  /** A new conversation begins. */
  | { readonly kind: "divider"; readonly title: string }
  | { readonly kind: "user"; readonly text: string; readonly files?: readonly ShownFile[] }
  /** A part of a reply, as screen lines. The first part has an empty line above it. */
  | { readonly kind: "reply"; readonly lines: readonly string[]; readonly isFirst: boolean }
  /** Markdown that arrived as a whole: a command's output, or an earlier reply. */
  | { readonly kind: "markdown"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string; readonly seconds: number }
  | ToolItem
  | { readonly kind: "memory"; readonly changes: MemoryChanges }
  | { readonly kind: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly kind: "error"; readonly message: string; readonly hint: string | null }
  /** All of an approval's preview, or of a call's output or diff. */
  | { readonly kind: "preview"; readonly summary: string; readonly preview: Preview };

interface ToolItem {
  readonly kind: "tool";
  readonly summary: string;
  readonly ok: boolean;
  readonly brief: string;
  /** null if there is nothing to see. */
  readonly shown: Shown | null;
}

export type Preview = EventOf<"approval">["preview"] | Shown;

/** How many messages of a resumed conversation are shown; the others are only counted. */
const SHOWN_AGAIN = 30;

export function pastItems(past: readonly PastMessage[]): Item[] {
  const hidden = Math.max(0, past.length - SHOWN_AGAIN);
  const items = past.slice(hidden).flatMap(pastItem);
  if (hidden === 0) return items;
  return [{ kind: "notice", level: "info", text: `… ${hidden} earlier messages` }, ...items];
}

function pastItem({ role, text, files, tools, interrupted, failed }: PastMessage): Item[] {
  if (role === "user") return [{ kind: "user", text, ...(files && { files }) }, ...(failed ? [FAILED] : [])];
  if (role === "summary") return [{ kind: "notice", level: "info", text: words.summaryInWords(text) }];
  return [
    ...(text === "" ? [] : [{ kind: "markdown", text } as const]),
    ...tools.map(({ summary, ok, brief, shown }) => ({ kind: "tool", summary, ok, brief, shown }) as const),
    ...(interrupted ? [INTERRUPTED] : []),
  ];
}

const FAILED: Item = { kind: "notice", level: "info", text: words.FAILED };

export const INTERRUPTED: Item = { kind: "notice", level: "info", text: words.INTERRUPTED };

/** The tool calls that have something to show, newest first, with their indexes. */
export function shownCalls(
  committed: readonly Item[],
): readonly { readonly index: number; readonly call: ToolItem }[] {
  return committed
    .flatMap((item, index) => (item.kind === "tool" && item.shown !== null ? [{ index, call: item }] : []))
    .reverse();
}

/** The item above another one. Above the first item: nothing, or the end of the previous conversation. */
export function above(committed: readonly Item[], index: number, conversation: number): Item | null {
  return committed[index - 1] ?? (conversation === 0 ? null : INTERRUPTED);
}
