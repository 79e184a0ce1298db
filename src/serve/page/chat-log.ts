/**
 * What a chat showed since its conversation began, so that a browser can follow it from any point. A reply arrives in many pieces:
 * they are one entry that grows, and an id says how much of it was sent.
 */
import type { ChatEvent, EventOf } from "../../agent/events.ts";

/** What browsers reduce: the chat's own events, and what other tabs did. */
export type PageChatEvent =
  | ChatEvent
  /** A line was sent, by whichever tab. Events up to "done" answer it. */
  | { readonly type: "sent"; readonly line: string }
  /** The open list was closed without a choice. */
  | { readonly type: "dismissed" }
  /** The chat is over: its session is summarised and released. */
  | { readonly type: "closed" };

export interface LoggedEvent {
  /** "12.340": the entry, and how many characters of its text were sent with this event. */
  readonly id: string;
  readonly event: PageChatEvent;
}

type Growing = EventOf<"text" | "thinking" | "tool-output">;

/** Sent once for a chat, but true for its later conversations too. */
const STANDING = ["model", "tools"] as const;
const ID = /^(\d{1,15})\.(\d{1,15})$/;

export class ChatLog {
  #entries: PageChatEvent[] = [];
  /** The number of the first entry. */
  #first = 1;

  /** Returns what to send to those who follow. A "session" begins a new log. */
  append(event: PageChatEvent): LoggedEvent[] {
    if (event.type === "session") {
      const standing = STANDING.flatMap((type) => this.#entries.findLast((one) => one.type === type) ?? []);
      this.#first += this.#entries.length;
      this.#entries = [event, ...standing];
      return this.since(null);
    }
    const last = this.#entries.at(-1);
    const grown = last === undefined ? null : joined(last, event);
    if (grown === null) this.#entries.push(event);
    else this.#entries[this.#entries.length - 1] = grown;
    return [{ id: this.#idOf(this.#entries.length - 1), event }];
  }

  /** What follows the event with this id; everything, beginning with "session", if the id is unknown. */
  since(id: string | null): LoggedEvent[] {
    const [, number = "", sent = ""] = ID.exec(id ?? "") ?? [];
    const index = Number(number) - this.#first;
    const entry = this.#entries[index];
    if (number === "" || entry === undefined || Number(sent) > lengthOf(entry)) return this.#from(0);
    if (!isGrowing(entry) || entry.text.length === Number(sent)) return this.#from(index + 1);
    const rest = { ...entry, text: entry.text.slice(Number(sent)) };
    return [{ id: this.#idOf(index), event: rest }, ...this.#from(index + 1)];
  }

  #from(index: number): LoggedEvent[] {
    return this.#entries.slice(index).map((event, offset) => ({ id: this.#idOf(index + offset), event }));
  }

  #idOf(index: number): string {
    const entry = this.#entries[index];
    return `${this.#first + index}.${entry === undefined ? 0 : lengthOf(entry)}`;
  }
}

function isGrowing(event: PageChatEvent): event is Growing {
  return event.type === "text" || event.type === "thinking" || event.type === "tool-output";
}

function lengthOf(event: PageChatEvent): number {
  return isGrowing(event) ? event.text.length : 0;
}

/** null unless the second continues the first. */
function joined(first: PageChatEvent, next: PageChatEvent): PageChatEvent | null {
  if (!isGrowing(first) || !isGrowing(next) || first.type !== next.type) return null;
  if (first.type === "tool-output" && next.type === "tool-output" && first.id !== next.id) return null;
  return { ...first, text: first.text + next.text };
}
