/** Lists to choose from: completions, pickers, and the options of an approval. */
import type { Picker } from "../agent/events.ts";
import type { Decision } from "../agent/tool.ts";
import type { Approval } from "./chat-shape.ts";

export interface Choice {
  readonly value: string;
  readonly detail: string;
}

/** Completions of the line, and which one is marked. */
export interface Completion {
  readonly items: readonly Choice[];
  /** -1: none, so Enter sends the line as it is. */
  readonly index: number;
}

/** After a space, no argument is marked until part of it is typed. */
export function completionOf(
  line: string,
  complete: (beginning: string) => readonly Choice[],
): Completion | null {
  if (!line.startsWith("/") || line.includes("\n")) return null;
  const items = complete(line);
  const [only] = items;
  if (only === undefined || (items.length === 1 && only.value === line.trimEnd())) return null;
  return {
    items,
    index: line.endsWith(" ")
      ? -1
      : Math.max(
          0,
          items.findIndex((item) => item.value === line),
        ),
  };
}

export interface ApprovalOption {
  readonly decision: Decision;
  readonly label: string;
}

/** Deny is always last. */
export function approvalOptions({ pattern }: Pick<Approval, "pattern">): readonly ApprovalOption[] {
  return [
    { decision: "once", label: "Allow once" },
    ...(pattern === null
      ? []
      : [{ decision: "session", label: `Allow for this session: ${pattern}` } as const]),
    { decision: "no", label: "Deny" },
  ];
}

/** Single steps wrap around; larger ones stop at the ends. */
export function step(index: number, by: number, count: number): number {
  if (count === 0) return 0;
  if (Math.abs(by) > 1) return Math.max(0, Math.min(count - 1, index + by));
  if (index < 0) return by > 0 ? 0 : count - 1;
  return (((index + by) % count) + count) % count;
}

/** A picker's filter, and the filtered item that the arrows marked; null until they mark one. */
export interface Picking {
  readonly filter: string;
  readonly index: number | null;
}

/** The item that Enter selects: the first, until the arrows mark another. -1: none. */
export function markedItem({ isPermanent, isUnprompted }: Picker, { index }: Picking): number {
  return index ?? (isPermanent || isUnprompted ? -1 : 0);
}

/** The items that contain every word of the filter. */
export function filtered(picker: Picker, filter: string): Picker["items"] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return picker.items;
  return picker.items.filter(({ label, detail, value }) => {
    const text = `${label} ${detail} ${value}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
