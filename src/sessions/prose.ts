/** The text of a conversation as the user saw it, without marks; and its sentences, without code and markup. */

import { readReply } from "../core/marks/marks.ts";
import { answeredFrom, type Message } from "../core/sessions/conversation.ts";
import { type LineKind, linesOf } from "../core/text/markdown.ts";
import { blocksOf } from "../core/text/markdown-blocks.ts";
import { plainInline } from "../core/text/plain-text.ts";
import { sentencesOf } from "../core/text/sentences.ts";
import { withoutControls } from "../util/text.ts";

export type Said = Pick<Message, "role" | "content">;

/** Whether the user or the model said it. Other messages are tool results and Retain's own summaries. */
export function isSpoken({ role }: Pick<Message, "role">): boolean {
  return role === "user" || role === "assistant";
}

/** What people see of a message, including an answer from memory. */
export function shownText(message: Pick<Message, "role" | "content" | "details">): string {
  return answeredFrom(message.details) ?? visibleText(message);
}

/** "" if nothing visible is left. */
export function visibleText({ role, content }: Said): string {
  return (role === "assistant" ? readReply(content).visible : content).trim();
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const LIST_MARKER = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?/gm;

/** The sentences in order, each on one line, without tables and code. */
export function sentencesIn(markdown: string): string[] {
  const text = withoutControls(markdown);
  return blocksOf(text)
    .filter(({ kind }) => kind === "text" || kind === "item" || kind === "heading")
    .flatMap(({ start, end }) => {
      const plain = plainInline(text.slice(start, end).replace(LIST_MARKER, ""));
      return sentencesOf(plain).map((sentence) => plain.slice(sentence.start, sentence.end));
    })
    .filter((sentence) => SAYS_SOMETHING.test(sentence));
}

/** The first line with a letter or digit, in any kind of block; null if there is none. */
export function firstLineOf(text: string): string | null {
  const isFence = (kind: LineKind) => kind === "fence" || kind === "fence-end";
  const line = linesOf(withoutControls(text)).find(
    (one) => SAYS_SOMETHING.test(one.text) && !isFence(one.kind),
  );
  return line === undefined ? null : plainInline(line.text) || null;
}

/** Cuts to this many characters, between words if possible, with "…" at the cut. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length - 1).join("");
  const space = cut.search(/\s\S*$/);
  const whole = space > cut.length / 2 ? cut.slice(0, space) : cut;
  return `${whole.replace(/[\s,;:–—-]+$/, "")}…`;
}
