/** What a person is to judge must look like what it is: nothing in it may hide, move the cursor or turn the direction. */
import { codePointOf, unseenShown } from "../../util/unseen.ts";

/** Control characters as their pictures ("␛") and others as their code points, so that they neither act nor vanish. */
export function visible(text: string): string {
  return unseenShown(text, picture);
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
  if (character === "\u007f") return "␡";
  return character < " " ? String.fromCodePoint(0x2400 + character.charCodeAt(0)) : codePointOf(character);
}
