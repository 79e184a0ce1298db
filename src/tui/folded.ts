/**
 * A long paste stands in the input as one character of Unicode's private planes and is shown as "[pasted 1,000 lines]": the
 * cursor steps over it, one backspace takes it away, undo brings it back, and what is sent is the whole text.
 */
import { withoutEscapes } from "./ansi/clean.ts";

const FIRST = 0xf0000;
const COUNT = 0xfffe;
const FOLD = /[\u{f0000}-\u{ffffd}]/gu;

/** More than this is folded. */
const MANY_LINES = 10;
const MANY_CHARACTERS = 800;

export function isFold(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return code >= FIRST && code < FIRST + COUNT;
}

/** What may be typed or pasted: no character that a terminal obeys, none that stands for a paste, whole pairs only. */
export function typable(text: string): string {
  return withoutEscapes(text).replace(FOLD, "").toWellFormed();
}

export function isLong(text: string): boolean {
  return text.length > MANY_CHARACTERS || text.split("\n", MANY_LINES + 1).length > MANY_LINES;
}

/** The character that stands for the paste of this number. */
export function foldOf(index: number): string {
  return String.fromCodePoint(FIRST + (index % COUNT));
}

function pasteOf(fold: string, pastes: readonly string[]): string {
  return pastes[(fold.codePointAt(0) ?? 0) - FIRST] ?? "";
}

/** What a reader sees in its place. */
export function labelOf(fold: string, pastes: readonly string[]): string {
  const text = pasteOf(fold, pastes);
  const lines = text.replace(/\n$/, "").split("\n").length;
  const [count, noun] = lines > 1 ? [lines, "lines"] : [text.length, "characters"];
  return `[pasted ${count.toLocaleString("en")} ${noun}]`;
}

/** The whole text, with every paste in its place. */
export function unfolded(text: string, pastes: readonly string[]): string {
  return text.replace(FOLD, (fold) => pasteOf(fold, pastes));
}
