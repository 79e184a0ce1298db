/**
 * The parts of a conversation that may be retained: the person's and the assistant's own words, without tool output, recalled text,
 * private parts, marks, secrets and small talk. Turns are numbered from the start of the conversation, so that a repeated stretch
 * is recognized.
 */

import { asks, isChitChat } from "../core/language/chit-chat.ts";
import { readReply, withoutInjected } from "../core/marks/marks.ts";
import type { Episode, Turn } from "../core/ports/backend.ts";
import { withoutPrivate } from "../core/secrets/private.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import type { Message } from "../core/sessions/conversation.ts";
import { withoutControls } from "../util/text.ts";

export type SaidMessage = Pick<Message, "id" | "role" | "content" | "timestamp" | "details">;

/** A person's message and the reply, in any number of steps. Anything before the first such message is an exchange too. */
export interface Exchange {
  readonly messages: readonly SaidMessage[];
  /** The number of its last message. */
  readonly last: number;
}

export function exchangesOf(messages: readonly SaidMessage[]): Exchange[] {
  const groups: SaidMessage[][] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const open = groups.at(-1);
    if (open === undefined || message.role === "user") groups.push([message]);
    else open.push(message);
  }
  return groups.map((group) => ({ messages: group, last: group.at(-1)?.id ?? 0 }));
}

/** The number of the last processed message; 0 if there is none. */
export function retainedTo(messages: readonly Pick<Message, "details">[]): number {
  return messages.reduce((most, { details }) => Math.max(most, details.retainedTo ?? 0), 0);
}

/** A person's or agent's own words, including secrets. */
export function ownText(content: string): string {
  return withoutControls(readReply(withoutInjected(withoutPrivate(content))).visible).trim();
}

/** A person's or agent's own words, without secrets. */
export function retainable(content: string): string {
  return redactSecrets(ownText(content)).trim();
}

interface NumberedTurn extends Turn {
  /** The index of its exchange. */
  readonly exchange: number;
}

/** All retainable turns, in order. Later exchanges don't affect earlier turns, so a turn's number never changes. */
function turnsOf(exchanges: readonly Exchange[]): NumberedTurn[] {
  const turns: NumberedTurn[] = [];
  let asked = false;
  for (const [exchange, { messages }] of exchanges.entries()) {
    for (const role of ["user", "assistant"] as const) {
      const own = messages.filter((message) => message.role === role);
      const content = own
        .map((message) => retainable(message.content))
        .filter((text) => text !== "")
        .join("\n\n");
      if (content !== "" && !isChitChat(content, role === "user" && asked))
        turns.push({ role, content, at: own[0]?.timestamp ?? "", exchange });
      if (role === "assistant") asked = asks(content);
    }
  }
  return turns;
}

interface Stretch {
  /** The first exchange, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** null if nothing in the stretch may be retained. */
export function episodeOf(
  session: Pick<Episode, "session" | "chat" | "title">,
  exchanges: readonly Exchange[],
  { from, to }: Stretch,
): Episode | null {
  const all = turnsOf(exchanges.slice(0, to));
  const first = all.findIndex(({ exchange }) => exchange >= from);
  if (first < 0) return null;
  const turns = all.slice(first).map(({ role, content, at }) => ({ role, content, at }));
  const { session: id, chat, title } = session;
  return { session: id, chat, title, from: first, turns };
}
