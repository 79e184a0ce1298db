/** Follows the events of a turn, and offers commands on the memories that it changed or showed. */

import type { ChangedMemory } from "../core/facts/memory-changes.ts";
import { BY_MEMORY, type Message } from "../core/sessions/conversation.ts";
import type { Conversation } from "./conversation.ts";
import type { DraftEvent, Offer } from "./events.ts";
import type { ChatPorts } from "./ports.ts";

/** What a turn did, as far as its events say. */
export interface TurnNews {
  readonly changed: ChangedMemory[];
  /** Tools may have saved facts: they report that to the model, not to the chat. */
  usedTools: boolean;
}

/** Passes the events on. */
export async function* followed<T>(
  events: AsyncGenerator<DraftEvent, T>,
  news: TurnNews,
): AsyncGenerator<DraftEvent, T> {
  for (;;) {
    const next = await events.next();
    if (next.done) return next.value;
    const event = next.value;
    if (event.type === "memory") news.changed.push(...(event.changed ?? []));
    if (event.type === "result" && event.ok) news.usedTools = true;
    yield event;
  }
}

/** The facts that tools saved after this message. */
export async function savedByTools(
  { facts }: Pick<ChatPorts, "facts">,
  session: string,
  after: number,
): Promise<ChangedMemory[]> {
  return (await facts.list())
    .filter(({ source }) => source.session === session && source.message !== null && source.message > after)
    .map(({ id, text }) => ({ id, text, change: "saved" }));
}

/** The facts that the last answer quoted, if no model wrote it. */
export function quotedIn({ said }: Pick<Conversation, "said">): string[] {
  const last = said.findLast(({ role }) => role === "assistant");
  return last?.details.model === BY_MEMORY ? factsUsedBy(last) : [];
}

/** The ids of the facts that a reply was based on, in their order. */
export function factsUsedBy({ details: { context = [] } }: Pick<Message, "details">): string[] {
  const memories = context.flatMap((part) => part.memories ?? []);
  return memories.flatMap((name) => (name.startsWith("fact ") ? name.slice("fact ".length) : []));
}

/** `shown`: ids of facts that the chat has shown, of which the unconfirmed ones can be confirmed. */
export async function offersFor(
  { facts }: Pick<ChatPorts, "facts">,
  changed: readonly ChangedMemory[],
  shown: readonly string[],
): Promise<Offer[]> {
  const waiting =
    shown.length === 0
      ? []
      : (await facts.list({ unconfirmed: true })).filter(({ id }) => shown.includes(id));
  const [only, ...others] = waiting;
  return [
    ...(changed.length === 0 ? [] : [{ name: "saved", label: "undo or edit", line: "/saved" } as const]),
    ...(only === undefined
      ? []
      : others.length === 0
        ? [{ name: "confirm", label: "confirm the fact", line: `/confirm ${only.id}` } as const]
        : [{ name: "confirm", label: `review ${waiting.length} facts`, line: "/review" } as const]),
  ];
}
