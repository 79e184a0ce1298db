/**
 * What may be retained of a conversation: what the person and the assistant said, without what tools gave, what was recalled or is
 * private, marks, secrets, and chit-chat. Turns are numbered from the conversation's beginning, so that a stretch that is told again
 * is known again.
 */

import { readReply, withoutInjected } from "../core/marks/marks.ts";
import type { Episode, Turn } from "../core/ports/backend.ts";
import { withoutPrivate } from "../core/secrets/private.ts";
import { redactSecrets } from "../core/secrets/secrets.ts";
import type { Message } from "../core/sessions/conversation.ts";
import { asks, isChitChat } from "../core/text/chit-chat.ts";
import { withoutControls } from "../util/text.ts";

export type SaidMessage = Pick<Message, "id" | "role" | "content" | "timestamp" | "details">;

/** A person's message with the reply to it, in however many steps; what was said before the first message is one, too. */
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

/** The number of the message up to which all was looked through; 0 where nothing was. */
export function retainedTo(messages: readonly Pick<Message, "details">[]): number {
  return messages.reduce((most, { details }) => Math.max(most, details.retainedTo ?? 0), 0);
}

/** What a person or an agent said themselves, secrets included. */
export function ownText(content: string): string {
  return withoutControls(readReply(withoutInjected(withoutPrivate(content))).visible).trim();
}

/** What a person or an agent said themselves, without secrets. */
export function retainable(content: string): string {
  return redactSecrets(ownText(content)).trim();
}

interface NumberedTurn extends Turn {
  /** Which exchange it is part of. */
  readonly exchange: number;
}

/** All that may be retained, in order. Nothing depends on what comes later: a turn's place stays what it is. */
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

export interface Stretch {
  /** The first exchange, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** null where nothing of the stretch may be retained. */
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
