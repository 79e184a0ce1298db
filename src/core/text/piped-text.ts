/** A message with piped text: a person's own words, then the piped text between tags. */
import { harmlessTags } from "../../util/harmless-tags.ts";

const withoutInputTag = harmlessTags(["input"]);
const WITH_PIPED = /^(?<own>.*?)\n\n<input>\n(?<piped>.*)\n<\/input>$/su;

export function withPiped(own: string, piped: string): string {
  return `${own}\n\n<input>\n${withoutInputTag(piped)}\n</input>`;
}

/** null if the message has no piped text. */
export function partsWithPiped(message: string): { readonly own: string; readonly piped: string } | null {
  const { own, piped } = WITH_PIPED.exec(message)?.groups ?? {};
  return own === undefined || piped === undefined ? null : { own, piped };
}
