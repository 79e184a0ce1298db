/** What a conversation says, as a person saw it: without marks, and sentence by sentence without code and markup. */

import { readReply } from "../core/marks/marks.ts";
import type { Message } from "../core/sessions/conversation.ts";
import { type LineKind, linesOf } from "../core/text/markdown.ts";
import { blocksOf } from "../core/text/markdown-blocks.ts";
import { plainInline } from "../core/text/plain-text.ts";
import { sentencesOf } from "../core/text/sentences.ts";
import { withoutControls } from "../util/text.ts";

export type Said = Pick<Message, "role" | "content">;

/** Whether a person or the model said it; the rest are results of tools and Retain's own summaries. */
export function isSpoken({ role }: Pick<Message, "role">): boolean {
  return role === "user" || role === "assistant";
}

/** "" where nothing is left to see. */
export function visibleText({ role, content }: Said): string {
  return (role === "assistant" ? readReply(content).visible : content).trim();
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const LIST_MARKER = /^[ \t]*(?:>[ \t]?)*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+)?/gm;

/** In order, each on one line. Tables and code say nothing that a sentence could stand for. */
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

/** The first line that says something, whatever it is a part of; null where none does. */
export function firstLineOf(text: string): string | null {
  const isFence = (kind: LineKind) => kind === "fence" || kind === "fence-end";
  const line = linesOf(withoutControls(text)).find(
    (one) => SAYS_SOMETHING.test(one.text) && !isFence(one.kind),
  );
  return line === undefined ? null : plainInline(line.text) || null;
}

/** At most so many characters, cut between words where there are any, with "…" where something is missing. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  const cut = characters.slice(0, length - 1).join("");
  const space = cut.search(/\s\S*$/);
  const whole = space > cut.length / 2 ? cut.slice(0, space) : cut;
  return `${whole.replace(/[\s,;:–—-]+$/, "")}…`;
}
