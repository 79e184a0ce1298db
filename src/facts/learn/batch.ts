/** Splits the part of a conversation that no model has read yet into batches. Pure. */

import { isChitChat } from "../../core/language/chit-chat.ts";
import type { Message, NewMessage } from "../../core/sessions/conversation.ts";
import { withoutMiddle } from "../../util/text.ts";
import { type Exchange, exchangesOf, retainable, type SaidMessage } from "../transcript.ts";

export interface SaidTurn {
  readonly message: number;
  readonly role: "user" | "assistant";
  /** Without private parts, secrets, marks and recalled text. */
  readonly text: string;
  readonly at: string;
}

export interface Batch {
  readonly session: string;
  /** Numbers of its first and last message. */
  readonly from: number;
  readonly to: number;
  /** The number of exchanges. */
  readonly exchanges: number;
  readonly turns: readonly SaidTurn[];
  /** The exchange before it, as context for a short answer. */
  readonly earlier: readonly SaidTurn[];
}

/** The number of the last message that a model has read; 0 if none. */
export function learnedTo(messages: readonly Pick<Message, "details">[]): number {
  return messages.reduce((most, { details }) => Math.max(most, details.learnedTo ?? 0), 0);
}

export function learnedMark(to: number, timestamp: string): NewMessage {
  const details = { learnedTo: to };
  return { role: "system", speaker: null, content: "", timestamp, token_count: null, details };
}

interface Unread {
  /** ISO 8601: older exchanges are skipped. */
  readonly since: string;
  /** The conversation has ended, so its last exchange counts as finished even without a reply. */
  readonly isOver: boolean;
}

/** The finished exchanges that no model has read. */
export function unreadIn(messages: readonly SaidMessage[], { since, isOver }: Unread): Exchange[] {
  const read = learnedTo(messages);
  const all = exchangesOf(messages);
  return all.filter(
    ({ last, messages: said }, index) =>
      last > read &&
      said.some(({ timestamp }) => timestamp >= since) &&
      (isOver || index < all.length - 1 || isAnswered(said)),
  );
}

/** A reply that calls tools continues with their results. */
function isAnswered(said: readonly SaidMessage[]): boolean {
  const last = said.at(-1);
  return last?.role === "assistant" && (last.details.calls ?? []).length === 0;
}

/** Whether to read them now: there are enough, or the conversation was compacted past one of them. */
export function areDue(
  unread: readonly Exchange[],
  messages: readonly SaidMessage[],
  everyTurns: number,
): boolean {
  const compactedTo = Math.max(0, ...messages.map(({ details }) => details.compactsTo ?? 0));
  return unread.length >= everyTurns || unread.some(({ last }) => last <= compactedTo);
}

/** The rest of a long message is usually pasted text. */
const LONGEST_SAID = 6_000;
/** A reply only gives context for the user's words. */
const LONGEST_REPLY = 1_500;

/** The first exchanges that fit into `characters`, at least one. */
export function nextBatch(
  session: string,
  messages: readonly SaidMessage[],
  unread: readonly Exchange[],
  characters: number,
): Batch | null {
  const [first] = unread;
  if (first === undefined) return null;
  const before = exchangesOf(messages)
    .filter(({ last }) => last < first.last)
    .at(-1);
  const turns: SaidTurn[] = [];
  let [used, exchanges, to] = [0, 0, first.last];
  for (const exchange of unread) {
    const said = turnsOf(exchange);
    used += said.reduce((sum, { text }) => sum + text.length, 0);
    if (exchanges > 0 && used > characters) break;
    turns.push(...said);
    to = exchange.last;
    exchanges++;
  }
  const from = first.messages[0]?.id ?? to;
  return { session, from, to, exchanges, turns, earlier: before === undefined ? [] : turnsOf(before) };
}

/** Whether the user says anything that could be a fact. */
export function saysAnything({ turns }: Pick<Batch, "turns">): boolean {
  return turns.some(({ role, text }) => role === "user" && !isChitChat(text, true));
}

function turnsOf({ messages }: Exchange): SaidTurn[] {
  return messages.flatMap(({ id, role, content, timestamp }) => {
    if (role !== "user" && role !== "assistant") return [];
    const text = withoutMiddle(retainable(content), role === "user" ? LONGEST_SAID : LONGEST_REPLY);
    return text === "" ? [] : [{ message: id, role, text, at: timestamp }];
  });
}
