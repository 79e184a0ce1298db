/**
 * What others wrote, made safe to show. A reply must not move the cursor; a command that is asked about must not hide anything
 * either, so there every character that would not be seen is written out.
 */
import type { ChatEvent } from "../../agent/events.ts";
import { unseenShown } from "../../util/unseen.ts";
import { withoutEscapes } from "./clean.ts";

/** On one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** With everything that would not be seen as its code point: "rm⟨U+200B⟩". */
function revealed(text: string): string {
  return unseenShown(text.replace(/\r\n/g, "\n"));
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
