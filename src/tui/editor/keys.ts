/**
 * Converts Ink's input to keys. Keys that arrive together (typed ahead, or held down) come as one text with control characters, which
 * is split here.
 */
import type { Key as InkKey } from "ink";

export interface Key {
  /** A character, or a key's name ("return", "up"); empty for several characters at once, which could spell a name. */
  readonly name: string;
  /** The characters to insert; null for other keys. */
  readonly text: string | null;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

const NAMES = {
  upArrow: "up",
  downArrow: "down",
  leftArrow: "left",
  rightArrow: "right",
  pageUp: "pageup",
  pageDown: "pagedown",
  home: "home",
  end: "end",
  return: "return",
  escape: "escape",
  tab: "tab",
  backspace: "backspace",
  delete: "delete",
} as const satisfies Partial<Record<keyof InkKey, string>>;

/** Terminals send the same code for these control keys as for another key. */
const SAME_AS: Readonly<Record<string, string>> = {
  h: "backspace",
  i: "tab",
  j: "newline",
  m: "return",
  "[": "escape",
};

export function keysOf(input: string, key: InkKey): Key[] {
  if (key.eventType === "release" || key.super || key.hyper) return [];
  const { ctrl, shift, meta: alt } = key;
  for (const [flag, name] of Object.entries(NAMES))
    if (key[flag as keyof typeof NAMES]) return [{ name, text: null, ctrl, alt, shift }];
  if (input === "") return [];
  if (ctrl) return [controlKey(input, alt)];
  if (alt) return [{ name: nameOf(input), text: null, ctrl, alt, shift }];
  return [...textKeys(input)];
}

function nameOf(input: string): string {
  return Array.from(input).length === 1 ? input : "";
}

function plainKey(name: string, text: string | null = null): Key {
  return { name, text, ctrl: false, alt: false, shift: false };
}

function controlKey(letter: string, alt: boolean): Key {
  const same = SAME_AS[letter];
  return same === undefined ? { name: letter, text: null, ctrl: true, alt, shift: false } : plainKey(same);
}

function* textKeys(input: string): Generator<Key> {
  for (const piece of input.split(/([\x00-\x1f\x7f])/)) {
    if (piece === "") continue;
    const code = piece.charCodeAt(0);
    if (code === 0x7f) yield plainKey("backspace");
    else if (code >= 0x20) yield plainKey(nameOf(piece), piece);
    else if (code > 0) yield controlKey(String.fromCharCode(code <= 26 ? code + 96 : code + 64), false);
  }
}
