/** Input history with Up and Down. The draft stays at the end, as in a shell. */
import { type Editor, edit } from "./editor.ts";

export interface InputHistory {
  /** Oldest first. */
  entries(): readonly string[];
  add(text: string): void;
}

export interface Browsing {
  readonly entries: readonly string[];
  /** The shown entry. */
  readonly index: number;
  /** The input before browsing. */
  readonly draft: Editor;
}

/** A search in the history (search.ts). */
export interface Search {
  /** Newest first, each once. */
  readonly entries: readonly string[];
  /** The input before the search. */
  readonly draft: Editor;
}

/** null if there is no older entry. */
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

/** After the newest entry, returns to the draft and ends browsing. null if not browsing. */
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
