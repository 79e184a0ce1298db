/**
 * What others wrote, made safe to show. A reply must not move the cursor; a command that is asked about must not hide anything
 * either, so there every character that would not be seen is written out.
 */
import type { ChatEvent } from "../agent/events.ts";
import { withoutEscapes } from "./ansi-clean.ts";

/** A joiner inside an emoji is seen: it is one picture. */
const UNSEEN =
  /(?!(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d\p{Extended_Pictographic})[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** On one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** With everything that would not be seen as its code point: "rm⟨U+200B⟩". */
export function revealed(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(UNSEEN, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** Names for the chat, which come back to it as they were. */
const KEPT = new Set(["id", "value", "command", "type", "kind"]);

/** An event whose texts can be printed. What an approval shows is revealed rather than cleaned. */
export function harmlessEvent<E extends ChatEvent>(event: E): E {
  return mapTexts(event, event.type === "approval" ? revealed : withoutEscapes);
}

function mapTexts<T>(value: T, change: (text: string) => string): T;
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, KEPT.has(key) ? item : mapTexts(item, change)]),
  );
}
