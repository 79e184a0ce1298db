/** A session's title, made of the words that it began with. */
import { readReply } from "../core/marks/marks.ts";
import { storable } from "../core/secrets/storable.ts";
import { firstLineOf, sentencesIn, shortened } from "./prose.ts";

const LONGEST_TITLE = 60;

/** "Hi!" says less of a conversation than what follows it. */
const GREETING_LENGTH = 12;

/** null where nothing is left once marks, private parts, code and a command's name are out. */
export function titleOf(firstUserText: string): string | null {
  const said = readReply(storable(firstUserText, false)).visible.trim();
  const text = said.replace(/^\/[\p{L}\p{N}_-]+(?:\s+|$)/u, "");
  const sentences = sentencesIn(text);
  const telling = sentences.find((sentence) => Array.from(sentence).length > GREETING_LENGTH);
  const line = telling ?? sentences[0] ?? firstLineOf(text);
  if (line === null || line === undefined) return null;
  return shortened(line.replace(/(?<!\.)[.。:：]$/, ""), LONGEST_TITLE);
}
