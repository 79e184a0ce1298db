/** What a person is to judge must look like what it is: nothing in it may hide, move the cursor or turn the direction. */

/** Characters that change the order in which others are shown. */
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Control characters as their pictures ("␛"), so that they neither act nor vanish; line ends and tabs stay. */
export function visible(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, picture)
    .replace(/[\u007f-\u009f]/g, (character) => (character === "\u007f" ? "␡" : codeOf(character)))
    .replace(DIRECTION, codeOf);
}

/** As `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll("\n", "␊").replaceAll("\t", "␉"));
}

/** Whether something in it would not be seen as it is. */
export function isPlain(text: string): boolean {
  return visibleLine(text) === text;
}

function picture(character: string): string {
  return String.fromCodePoint(0x2400 + (character.codePointAt(0) ?? 0));
}

function codeOf(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
