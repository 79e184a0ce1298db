/** What a person can choose from, in every front end: the options of an approval, and the items of a picker. */
import type { EventOf, Picker } from "./events.ts";
import type { Decision } from "./tool.ts";

type Approval = Pick<EventOf<"approval">, "pattern">;

/** A picker's filter, and the filtered item that the arrows marked; null until they mark one. */
export interface Picking {
  readonly filter: string;
  readonly index: number | null;
}

/** A key answers an approval only this long after it appeared and after the last typed key. */
export const PAUSE_MS = 500;

interface ApprovalOption {
  /** null: asks for a reason first. */
  readonly decision: Decision | null;
  readonly label: string;
}

const DENY: ApprovalOption = { decision: { answer: "deny" }, label: "Deny" };

export function approvalOptions({ pattern }: Approval): readonly ApprovalOption[] {
  return [
    { decision: { answer: "once" }, label: "Allow once" },
    ...(pattern === null
      ? []
      : [{ decision: { answer: "session" }, label: `Allow \`${pattern}\` for this session` } as const]),
    DENY,
    { decision: null, label: "Deny and say why" },
  ];
}

/** The option that is marked first. */
export function denyOption(approval: Approval): number {
  return approvalOptions(approval).indexOf(DENY);
}

/** Single steps wrap around; larger ones stop at the ends. */
export function step(index: number, by: number, count: number): number {
  if (count === 0) return 0;
  if (Math.abs(by) > 1) return Math.max(0, Math.min(count - 1, index + by));
  if (index < 0) return by > 0 ? 0 : count - 1;
  return (((index + by) % count) + count) % count;
}

/** The item that Enter selects: the first, until the arrows mark another. -1: none. */
export function markedItem({ isPermanent, isUnprompted }: Picker, { index }: Picking): number {
  return index ?? (isPermanent || isUnprompted ? -1 : 0);
}

/** The line that selecting the item sends. */
export function lineOf(picker: Picker, { command = picker.command, value }: Picker["items"][number]): string {
  return `${command} ${value}`;
}

/** Whether the line is a choice from this list that its answer names: nobody types such a line ("/forget 3f9a2xw0c1 for good"). */
export function isUntyped(picker: Picker | undefined, line: string): boolean {
  return picker?.isPermanent === true && picker.items.some((item) => lineOf(picker, item) === line);
}

/** The items that contain every word of the filter. */
export function filtered(picker: Picker, filter: string): Picker["items"] {
  const matches = matcher(filter);
  return picker.items.filter(({ label, detail, value }) => matches(`${label} ${detail} ${value}`));
}

/** Whether a text contains every word of the filter. */
export function matcher(filter: string): (text: string) => boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.length === 0 || includesAll(text.toLowerCase(), words);
}

function includesAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

export interface Choice {
  readonly value: string;
  readonly detail: string;
}

/** What could replace the text from `from` to the cursor, and which item is marked. */
export interface Completion {
  readonly from: number;
  readonly items: readonly Choice[];
  /** -1: none, so Enter sends the line as it is. */
  readonly index: number;
}

/** After a space, no argument is marked until part of it is typed, and then only one that begins like this: Enter sends words. */
export function commandCompletion(line: string, items: readonly Choice[]): Completion | null {
  const [only] = items;
  if (only === undefined || (items.length === 1 && only.value === line.trimEnd())) return null;
  return {
    from: 0,
    items,
    index: line.endsWith(" ") ? -1 : markedFor(line, items),
  };
}

function markedFor(line: string, items: readonly Choice[]): number {
  const same = items.findIndex((item) => item.value === line);
  return same >= 0 ? same : items.findIndex((item) => item.value.startsWith(line.toLowerCase()));
}
