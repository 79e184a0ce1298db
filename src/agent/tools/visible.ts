/** Makes text safe to show for approval: no character may be invisible, move the cursor or change the text direction. */
import { codePointOf, unseenShown } from "../../util/unseen.ts";

/** Shows control characters as pictures ("␛") and other invisible ones as code points. */
export function visible(text: string): string {
  return unseenShown(text, picture);
}

/** Like `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text.replaceAll("\n", "␊").replaceAll("\t", "␉"));
}

/** Whether every character shows as itself, on one line. */
export function isPlain(text: string): boolean {
  return visibleLine(text) === text;
}

function picture(character: string): string {
  if (character === "\u007f") return "␡";
  return character < " " ? String.fromCodePoint(0x2400 + character.charCodeAt(0)) : codePointOf(character);
}
