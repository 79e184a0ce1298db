/**
 * Makes untrusted text safe to show. A reply must not move the cursor. A command that needs approval must not hide anything either,
 * so its invisible characters are shown as code points.
 */
import type { ChatEvent } from "../../agent/events.ts";
import { unseenShown } from "../../util/unseen.ts";
import { withoutEscapes } from "./clean.ts";

export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Shows invisible characters as code points: "rm⟨U+200B⟩". */
function revealed(text: string): string {
  return unseenShown(text.replace(/\r\n/g, "\n"));
}

/** Fields that go back to the chat, so they must not change. */
const KEPT = new Set(["id", "value", "command", "type", "kind"]);

/** Makes an event's texts printable. For an approval, invisible characters are shown instead of removed. */
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
