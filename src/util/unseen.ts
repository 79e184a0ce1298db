/**
 * Invisible characters: controls, direction marks, zero-width characters, hidden data. One list for everything that a person
 * judges, so that all parts agree.
 */
import { withoutControls } from "./text.ts";

/** Exceptions: joiners, variation selectors and keycaps inside an emoji are visible. */
const IN_A_PICTURE = [
  "(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");

/** Unicode's default-ignorable list covers fillers, tags and selectors; line breaks and tabs stay. */
const UNSEEN = new RegExp(
  `(?!${IN_A_PICTURE})(?![\\t\\n])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb]`,
  "gu",
);

/** Replaces every invisible character by its code point, or by the result of `show`. */
export function unseenShown(text: string, show: (character: string) => string = codePointOf): string {
  return text.replace(UNSEEN, (character) => show(character));
}

/** "⟨U+200B⟩" */
export function codePointOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * Changes the text direction of a terminal, or hides in it. Joiners and variation selectors stay, since Persian, Hindi and emoji
 * need them.
 */
const SPOOFING =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]--[\u200c\u200d\p{Variation_Selector}]]/v;
const ALL_SPOOFING = new RegExp(SPOOFING, "gv");

export function isSpoofing(text: string): boolean {
  return SPOOFING.test(text);
}

/** Replaces every such character by the result of `show`. */
export function replaceSpoofing(text: string, show: (character: string) => string): string {
  return text.replace(ALL_SPOOFING, show);
}

/** Safe for a terminal: moves no cursor, changes no colours, and reads as shown. */
export function terminalSafe(text: string): string {
  return replaceSpoofing(withoutControls(text), (character) => (/[\u2028\u2029]/.test(character) ? " " : ""));
}
