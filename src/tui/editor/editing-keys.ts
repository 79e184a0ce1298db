/** Key bindings of the editor: those of a shell and of a text field. */
import type { Edit } from "./editor.ts";
import type { Key } from "./keys.ts";

const PLAIN: Readonly<Record<string, Edit>> = {
  left: { type: "left" },
  right: { type: "right" },
  home: { type: "line-start" },
  end: { type: "line-end" },
  backspace: { type: "backspace" },
  delete: { type: "delete" },
  newline: { type: "insert", text: "\n" },
};

const CTRL: Readonly<Record<string, Edit>> = {
  a: { type: "line-start" },
  b: { type: "left" },
  d: { type: "delete" },
  e: { type: "line-end" },
  f: { type: "right" },
  k: { type: "cut-to-end" },
  u: { type: "cut-to-start" },
  w: { type: "cut-run-before" },
  y: { type: "yank" },
  _: { type: "undo" },
  left: { type: "word-left" },
  right: { type: "word-right" },
  backspace: { type: "cut-word-before" },
  delete: { type: "cut-word-after" },
  return: { type: "insert", text: "\n" },
};

const ALT: Readonly<Record<string, Edit>> = {
  b: { type: "word-left" },
  d: { type: "cut-word-after" },
  f: { type: "word-right" },
  y: { type: "yank-older" },
  left: { type: "word-left" },
  right: { type: "word-right" },
  backspace: { type: "cut-word-before" },
  delete: { type: "cut-word-after" },
  return: { type: "insert", text: "\n" },
};

/** null if the key is not an editing key. */
export function editOf(key: Key): Edit | null {
  if (key.text !== null) return { type: "insert", text: key.text };
  if (key.alt) return ALT[key.name] ?? null;
  if (key.ctrl) return CTRL[key.name] ?? null;
  if (key.shift && key.name === "return") return { type: "insert", text: "\n" };
  return PLAIN[key.name] ?? null;
}
