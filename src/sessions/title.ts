/** Makes a session's title from its first message. */
import { readReply } from "../core/marks/marks.ts";
import { storable } from "../core/secrets/storable.ts";
import { firstLineOf, sentencesIn, shortened } from "./prose.ts";

const LONGEST_TITLE = 60;

/** A first sentence up to this length, such as "Hi!", is skipped. */
const GREETING_LENGTH = 12;

/** null if nothing is left without marks, private parts, code and a command's name. */
export function titleOf(firstUserText: string): string | null {
  const said = readReply(storable(firstUserText, false)).visible.trim();
  const text = said.replace(/^\/[\p{L}\p{N}_-]+(?:\s+|$)/u, "");
  const sentences = sentencesIn(text);
  const telling = sentences.find((sentence) => Array.from(sentence).length > GREETING_LENGTH);
  const line = telling ?? sentences[0] ?? firstLineOf(text);
  if (line === null || line === undefined) return null;
  return shortened(line.replace(/(?<!\.)[.。:：]$/, ""), LONGEST_TITLE);
}
