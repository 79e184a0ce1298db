/**
 * What was pressed, from what Ink read. Keys that arrive in one piece (typed ahead, or held down) come as one text with control
 * characters in it, so they are taken apart here, once.
 */
import type { Key as InkKey } from "ink";

export interface Key {
  /** A character, or a key's name ("return", "up"); empty for several characters that came at once, which may spell one. */
  readonly name: string;
  /** The characters to insert; null where the key does something else. */
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

/** What a terminal sends for these control keys is another key's. */
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
