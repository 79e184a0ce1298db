/**
 * Folds a long paste into one private-use character, shown as "[pasted 1,000 lines]". The cursor steps over it, one backspace removes
 * it, undo restores it, and the whole text is sent.
 */
import { withoutEscapes } from "./ansi/clean.ts";

const FIRST = 0xf0000;
const COUNT = 0xfffe;
const FOLD = /[\u{f0000}-\u{ffffd}]/gu;

/** Longer pastes are folded. */
const MANY_LINES = 10;
const MANY_CHARACTERS = 800;

export function isFold(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= FIRST && code < FIRST + COUNT;
}

/** Removes escape sequences, fold characters and lone surrogates from typed or pasted text. */
export function typable(text: string): string {
  return withoutEscapes(text).replace(FOLD, "").toWellFormed();
}

export function isLong(text: string): boolean {
  return text.length > MANY_CHARACTERS || text.split("\n", MANY_LINES + 1).length > MANY_LINES;
}

/** The fold character of this paste. */
export function foldOf(index: number): string {
  return String.fromCodePoint(FIRST + (index % COUNT));
}

function pasteOf(fold: string, pastes: readonly string[]): string {
  return pastes[(fold.codePointAt(0) ?? 0) - FIRST] ?? "";
}

/** The label shown for a fold. */
export function labelOf(fold: string, pastes: readonly string[]): string {
  const text = pasteOf(fold, pastes);
  const lines = text.replace(/\n$/, "").split("\n").length;
  const [count, noun] = lines > 1 ? [lines, "lines"] : [text.length, "characters"];
  return `[pasted ${count.toLocaleString("en")} ${noun}]`;
}

/** The whole text, with folds replaced by their pastes. */
export function unfolded(text: string, pastes: readonly string[]): string {
  return text.replace(FOLD, (fold) => pasteOf(fold, pastes));
}
