/** The prompt for a summary, and the parser of the answer. */
import prompt from "../../prompts/summarize.md" with { type: "text" };
import { readReply } from "../core/marks/marks.ts";
import { storable } from "../core/secrets/storable.ts";
import { blocksOf } from "../core/text/markdown-blocks.ts";
import { harmlessTags } from "../util/harmless-tags.ts";
import { withoutMiddle } from "../util/text.ts";
import { type Said, sentencesIn, shortened, visibleText } from "./prose.ts";

/** Characters of the conversation: about 8,000 tokens, which fit any model. */
const MOST_ASKED = 24_000;
/** Characters of one message. */
const MOST_MESSAGE = 2_000;
/** The end of a conversation matters more than its beginning. */
const SHARE_OF_BEGINNING = 1 / 3;

const MOST_SENTENCES = 3;
const LONGEST_SUMMARY = 600;

export function summaryQuestion(messages: readonly Said[]): string {
  const lines = messages
    .map((message) => ({ role: message.role, text: visibleText(message) }))
    .filter(({ text }) => text !== "")
    .map(({ role, text }) => JSON.stringify({ role, text: withoutMiddle(text, MOST_MESSAGE) }));
  const conversation = withoutFence(fitting(lines, MOST_ASKED).join("\n"));
  return prompt.replace("{{conversation}}", () => conversation);
}

/** Escapes the fence's tags, so that no message can close its fence. */
export const withoutFence = harmlessTags(["conversation"]);

/** The first and last lines that fit, with the number of omitted ones in between. */
function fitting(lines: readonly string[], room: number): string[] {
  const beginning = countFitting(lines, room * SHARE_OF_BEGINNING);
  const rest = lines.slice(beginning);
  const end = countFitting(rest.toReversed(), room * (1 - SHARE_OF_BEGINNING));
  const left = rest.length - end;
  if (left === 0) return [...lines];
  return [...lines.slice(0, beginning), JSON.stringify({ left_out: left }), ...rest.slice(left)];
}

function countFitting(lines: readonly string[], room: number): number {
  let used = 0;
  for (const [index, line] of lines.entries()) {
    used += line.length;
    if (used > room) return index;
  }
  return lines.length;
}

/** The answer's first sentences, without marks, secrets and markup; null if it has none. */
export function summaryIn(answer: string): string | null {
  const text = readReply(storable(answer, false)).visible;
  // Skips a title such as "# Summary".
  const [first] = blocksOf(text);
  const sentences = sentencesIn(first?.kind === "heading" ? text.slice(first.end) : text);
  let summary = "";
  for (const sentence of sentences.slice(0, MOST_SENTENCES)) {
    const longer = summary === "" ? shortened(sentence, LONGEST_SUMMARY) : `${summary} ${sentence}`;
    if (Array.from(longer).length > LONGEST_SUMMARY) break;
    summary = longer;
  }
  return summary === "" ? null : summary;
}
