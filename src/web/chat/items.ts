/** The pieces of a conversation on the page, in order. A piece can change until the next one follows it. */
import type { PastMessage, ShownFile } from "../../agent/events.ts";
import { FAILED, INTERRUPTED, summaryInWords } from "../../agent/in-words.ts";
import type { Shown } from "../../agent/tool.ts";
import type { MemoryChanges } from "../../core/facts/memory-changes.ts";
import type { GivenPart } from "../../core/sessions/conversation.ts";

export interface ToolItem {
  readonly kind: "tool";
  /** null for a call of an earlier conversation. */
  readonly id: string | null;
  readonly summary: string;
  readonly state: "running" | "ok" | "failed";
  readonly brief: string;
  /** What it has printed so far, while it runs. */
  readonly output: string;
  /** null if there is nothing to see. */
  readonly shown: Shown | null;
}

export type Item =
  | { readonly kind: "user"; readonly text: string; readonly files: readonly ShownFile[] }
  /** A line that starts with a slash. */
  | { readonly kind: "command"; readonly text: string }
  | { readonly kind: "reply"; readonly text: string }
  /** A command's output, as Markdown. */
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | ToolItem
  | { readonly kind: "memory"; readonly changes: MemoryChanges }
  /** What the reply above was based on. */
  | { readonly kind: "given"; readonly parts: readonly GivenPart[] }
  | { readonly kind: "notice"; readonly level: "info" | "warning"; readonly text: string }
  | { readonly kind: "error"; readonly message: string; readonly hint: string | null };

export function notice(text: string): Item {
  return { kind: "notice", level: "info", text };
}

export function hasMemories(parts: readonly GivenPart[]): boolean {
  return parts.some(({ memories = [] }) => memories.length > 0);
}

export function pastItems(past: readonly PastMessage[]): Item[] {
  return past.flatMap((message, index) => pastItem(message, past[index + 1]?.role !== "assistant"));
}

/** The steps of one reply share a context, which is shown below the last one. */
function pastItem(message: PastMessage, isLastStep: boolean): Item[] {
  const { role, text, files = [], tools, context = [], interrupted, failed } = message;
  if (role === "user") return [{ kind: "user", text, files }, ...(failed ? [notice(FAILED)] : [])];
  if (role === "summary") return [notice(summaryInWords(text))];
  return [
    ...(text === "" ? [] : [{ kind: "reply", text } as const]),
    ...tools.map(({ summary, ok, brief, shown }): ToolItem => {
      return { kind: "tool", id: null, summary, state: ok ? "ok" : "failed", brief, output: "", shown };
    }),
    ...(interrupted ? [notice(INTERRUPTED)] : []),
    ...(isLastStep && hasMemories(context) ? [{ kind: "given", parts: context } as const] : []),
  ];
}
