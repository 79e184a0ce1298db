/** Lists to choose from: completions, pickers, and the options of an approval. */
import type { Picker } from "../agent/events.ts";
import type { Decision } from "../agent/tool.ts";
import { openReference } from "../core/text/file-references.ts";
import type { Approval, Picking } from "./chat-shape.ts";

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

export interface Completions {
  /** Of a command or its argument. */
  complete(beginning: string): readonly Choice[];
  /** References to files whose path contains this. */
  files(part: string): readonly Choice[];
}

/** Of a command, if the text is one line that begins with a slash; else of the file reference before the cursor. */
export function completionOf(
  { text, cursor }: { readonly text: string; readonly cursor: number },
  { complete, files }: Completions,
): Completion | null {
  if (text.startsWith("/") && !text.includes("\n"))
    return cursor === text.length ? commandCompletion(text, complete) : null;
  const open = openReference(text.slice(0, cursor));
  if (open === null) return null;
  // Stays open without items, since the list of files may still be loading.
  const items = files(open.path);
  return { from: open.from, items, index: items.length === 0 ? -1 : 0 };
}

/** After a space, no argument is marked until part of it is typed, and then only one that begins like this: Enter sends words. */
function commandCompletion(line: string, complete: Completions["complete"]): Completion | null {
  const items = complete(line);
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

interface ApprovalOption {
  /** null: asks for a reason first. */
  readonly decision: Decision | null;
  readonly label: string;
}

const DENY: ApprovalOption = { decision: { answer: "deny" }, label: "Deny" };

export function approvalOptions({ pattern }: Pick<Approval, "pattern">): readonly ApprovalOption[] {
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
