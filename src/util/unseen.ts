/**
 * Characters that are there and not seen: controls, what turns the direction of text, what has no width, what carries hidden
 * data. One list for all that a person is to judge, so that what one part refuses another does not let through.
 */
import { withoutControls } from "./text.ts";

/** Those by which a picture is made of several characters are seen: the joiner between two, the form of one, a keycap. */
const IN_A_PICTURE = [
  "(?<=\\p{Extended_Pictographic}|\\p{Emoji_Modifier}|\\ufe0f)\\u200d(?=\\p{Extended_Pictographic})",
  "(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f]",
  "(?<=[0-9#*])\\ufe0f(?=\\u20e3)",
].join("|");

/** Unicode's own list of what is shown as nothing holds fillers, tags and selectors; line ends and tabs stay. */
const UNSEEN = new RegExp(
  `(?!${IN_A_PICTURE})(?![\\t\\n])[\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\ufff9-\\ufffb]`,
  "gu",
);

/** With every character that would not be seen written out: as its code point, or as `show` has it. */
export function unseenShown(text: string, show: (character: string) => string = codePointOf): string {
  return text.replace(UNSEEN, (character) => show(character));
}

/** "⟨U+200B⟩" */
export function codePointOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * Turns the direction of a terminal's text, or hides in it. Joiners and variation selectors stay: Persian, Hindi and emoji are
 * written with them.
 */
const SPOOFING =
  /[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\ufff9-\ufffb]--[\u200c\u200d\p{Variation_Selector}]]/v;
const ALL_SPOOFING = new RegExp(SPOOFING, "gv");

export function isSpoofing(text: string): boolean {
  return SPOOFING.test(text);
}

/** Every such character as `show` has it. */
export function replaceSpoofing(text: string, show: (character: string) => string): string {
  return text.replace(ALL_SPOOFING, show);
}

/** As a terminal may show it: it moves no cursor, changes no colours, and reads as it is. */
export function terminalSafe(text: string): string {
  return replaceSpoofing(withoutControls(text), (character) => (/[\u2028\u2029]/.test(character) ? " " : ""));
}
