/**
 * The input's editor as a pure reducer: text, cursor, kills, undo. The cursor is never inside a grapheme. Long pastes are folded
 * (folded.ts); `contentOf` is the text to send.
 */

import { foldOf, isLong, typable, unfolded } from "../folded.ts";
import {
  after,
  before,
  boundaryFrom,
  lineEnd,
  lineStart,
  runBefore,
  wordAfter,
  wordBefore,
} from "./motion.ts";
import { cellOf, placeAt, rowsOf } from "./rows.ts";

interface Snapshot {
  readonly text: string;
  readonly cursor: number;
}

export interface Editor extends Snapshot {
  /** All folded pastes; the text may contain their fold characters. */
  readonly pastes: readonly string[];
  /** Cut texts, unfolded, newest last. */
  readonly kills: readonly string[];
  /** States before the last edits, newest last. */
  readonly past: readonly Snapshot[];
  /** The column that up and down aim for; null after any other movement. */
  readonly goal: number | null;
  /** The last edit: consecutive letters are one undo step, consecutive cuts are one cut. */
  readonly last: "type" | "cut" | "yank" | "other";
}

export type Edit =
  | { readonly type: "insert" | "paste" | "set"; readonly text: string }
  /** Replaces the text from `from` to the cursor. */
  | { readonly type: "replace"; readonly from: number; readonly text: string }
  | { readonly type: "up" | "down"; readonly width: number }
  | { readonly type: Motion | Cut | "backspace" | "delete" | "yank" | "yank-older" | "undo" | "clear" };

type Motion = "left" | "right" | "word-left" | "word-right" | "line-start" | "line-end";
type Cut = "cut-to-start" | "cut-to-end" | "cut-run-before" | "cut-word-before" | "cut-word-after";

const KEPT_KILLS = 20;
const KEPT_STATES = 200;

export const EMPTY: Editor = {
  text: "",
  cursor: 0,
  pastes: [],
  kills: [],
  past: [],
  goal: null,
  last: "other",
};

/** The text to send, with all pastes unfolded. */
export function contentOf(editor: Editor): string {
  return unfolded(editor.text, editor.pastes);
}

/** Empties the editor after sending, but keeps the cut texts. */
export function emptied(editor: Editor): Editor {
  return { ...EMPTY, kills: editor.kills };
}

/** Returns the same editor if nothing changes, so that the caller can use the key otherwise, such as Up on the first row. */
export function edit(editor: Editor, action: Edit): Editor {
  const { text, cursor } = editor;
  switch (action.type) {
    case "insert":
      return insert(editor, typable(action.text), action.text.length === 1 ? "type" : "other");
    case "paste":
      return paste(editor, typable(action.text));
    case "set":
      return set(editor, typable(action.text));
    case "replace":
      return replace(editor, action.from, typable(action.text));
    case "clear":
      return text === "" ? editor : changed(editor, "", 0);
    case "up":
    case "down":
      return byRow(editor, action.type === "up" ? -1 : 1, action.width);
    case "left":
      return moved(editor, before(text, cursor));
    case "right":
      return moved(editor, after(text, cursor));
    case "word-left":
      return moved(editor, wordBefore(text, cursor));
    case "word-right":
      return moved(editor, wordAfter(text, cursor));
    case "line-start":
      return moved(editor, lineStart(text, cursor));
    case "line-end":
      return moved(editor, lineEnd(text, cursor));
    case "backspace":
      return without(editor, before(text, cursor), cursor);
    case "delete":
      return without(editor, cursor, after(text, cursor));
    case "cut-to-start":
      return cut(editor, startOfCut(text, cursor), cursor);
    case "cut-to-end":
      return cut(editor, cursor, endOfCut(text, cursor));
    case "cut-run-before":
      return cut(editor, runBefore(text, cursor), cursor);
    case "cut-word-before":
      return cut(editor, wordBefore(text, cursor), cursor);
    case "cut-word-after":
      return cut(editor, cursor, wordAfter(text, cursor));
    case "yank":
      return paste(editor, editor.kills.at(-1) ?? "", "yank");
    case "yank-older":
      return yankOlder(editor);
    case "undo":
      return undo(editor);
  }
}

function moved(editor: Editor, cursor: number): Editor {
  return cursor === editor.cursor ? editor : { ...editor, cursor, goal: null, last: "other" };
}

function changed(editor: Editor, text: string, cursor: number, last: Editor["last"] = "other"): Editor {
  const continues = last === "type" && editor.last === "type";
  const past = continues
    ? editor.past
    : [...editor.past.slice(1 - KEPT_STATES), { text: editor.text, cursor: editor.cursor }];
  return { ...editor, text, cursor: boundaryFrom(text, cursor), past, goal: null, last };
}

function insert(editor: Editor, added: string, last: Editor["last"]): Editor {
  if (added === "") return editor;
  const { text, cursor } = editor;
  return changed(editor, text.slice(0, cursor) + added + text.slice(cursor), cursor + added.length, last);
}

function paste(editor: Editor, pasted: string, last: Editor["last"] = "other"): Editor {
  if (!isLong(pasted)) return insert(editor, pasted, last);
  const pastes = [...editor.pastes, pasted];
  return insert({ ...editor, pastes }, foldOf(editor.pastes.length), last);
}

/** Replaces the whole text, such as with one from history. */
function set(editor: Editor, text: string): Editor {
  if (!isLong(text)) return changed(editor, text, text.length);
  const fold = foldOf(editor.pastes.length);
  return changed({ ...editor, pastes: [...editor.pastes, text] }, fold, fold.length);
}

function replace(editor: Editor, from: number, added: string): Editor {
  const { text, cursor } = editor;
  return changed(editor, text.slice(0, from) + added + text.slice(cursor), from + added.length);
}

function without(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  return changed(editor, editor.text.slice(0, from) + editor.text.slice(to), from);
}

/** At a line's edge, cuts the newline, so that pressing the key again continues. */
function startOfCut(text: string, cursor: number): number {
  const start = lineStart(text, cursor);
  return start === cursor ? before(text, cursor) : start;
}

function endOfCut(text: string, cursor: number): number {
  const end = lineEnd(text, cursor);
  return end === cursor ? after(text, cursor) : end;
}

function cut(editor: Editor, from: number, to: number): Editor {
  if (from === to) return editor;
  const piece = unfolded(editor.text.slice(from, to), editor.pastes);
  const joined = (last: string) => (from < editor.cursor ? piece + last : last + piece);
  const kills =
    editor.last === "cut"
      ? [...editor.kills.slice(0, -1), joined(editor.kills.at(-1) ?? "")]
      : [...editor.kills.slice(1 - KEPT_KILLS), piece];
  return { ...without(editor, from, to), kills, last: "cut" };
}

/** Replaces the text just yanked with the previous cut. */
function yankOlder(editor: Editor): Editor {
  const before = editor.past.at(-1);
  if (editor.last !== "yank" || before === undefined || editor.kills.length < 2) return editor;
  const kills = [editor.kills.at(-1) ?? "", ...editor.kills.slice(0, -1)];
  return paste({ ...editor, ...before, past: editor.past.slice(0, -1), kills }, kills.at(-1) ?? "", "yank");
}

function undo(editor: Editor): Editor {
  const before = editor.past.at(-1);
  if (before === undefined) return editor;
  return { ...editor, ...before, past: editor.past.slice(0, -1), goal: null, last: "other" };
}

function byRow(editor: Editor, step: 1 | -1, width: number): Editor {
  const rows = rowsOf(editor.text, width, editor.pastes);
  const cell = cellOf(rows, editor.cursor);
  const target = rows[cell.row + step];
  if (target === undefined) return editor;
  const goal = editor.goal ?? cell.column;
  return { ...editor, cursor: placeAt(target, goal), goal, last: "other" };
}
