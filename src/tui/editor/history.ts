/** What was typed before, walked with Up and Down. What was being written stays below, as a shell does it. */
import { type Editor, edit } from "./editor.ts";

export interface InputHistory {
  /** Oldest first. */
  entries(): readonly string[];
  add(text: string): void;
}

export interface Browsing {
  readonly entries: readonly string[];
  /** Which one is shown. */
  readonly index: number;
  /** What was in the input before. */
  readonly draft: Editor;
}

/** null where there is nothing older. */
export function older(
  editor: Editor,
  browsing: Browsing | null,
  entries: () => readonly string[],
): { readonly editor: Editor; readonly browsing: Browsing } | null {
  const from = browsing ?? start(editor, entries());
  const index = from.index - 1;
  const entry = from.entries[index];
  if (entry === undefined) return null;
  return { editor: edit(editor, { type: "set", text: entry }), browsing: { ...from, index } };
}

/** The draft, and no browsing any more, below the newest; null where nothing is browsed. */
export function newer(
  editor: Editor,
  browsing: Browsing | null,
): { readonly editor: Editor; readonly browsing: Browsing | null } | null {
  if (browsing === null) return null;
  const index = browsing.index + 1;
  const entry = browsing.entries[index];
  if (entry === undefined) return { editor: browsing.draft, browsing: null };
  return { editor: edit(editor, { type: "set", text: entry }), browsing: { ...browsing, index } };
}

function start(editor: Editor, entries: readonly string[]): Browsing {
  return { entries, index: entries.length, draft: editor };
}
