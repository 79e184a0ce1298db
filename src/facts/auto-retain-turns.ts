/**
 * Turns of a conversation that another agent holds: stored as messages of a session, found by recall like any, and looked through for
 * requests to remember something. A turn is known by its number, so telling the same ones again adds nothing; what a kill left undone, the next call does.
 */

import { RetainError } from "../core/errors.ts";
import { checked } from "../core/facts/memory-paths.ts";
import { withoutInjected } from "../core/marks/marks.ts";
import type { Turn } from "../core/ports/backend.ts";
import { storable } from "../core/secrets/storable.ts";
import type { Message, NewMessage } from "../core/sessions/conversation.ts";
import { squeezed, truncate } from "../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { retainedTo } from "./transcript.ts";
import { guarded, type Refusal, requireNoSecret, requireText } from "./write/guard.ts";
import type { Retained } from "./write/retain.ts";
import { writeRequests } from "./write/write-requests.ts";

export interface TurnsToKeep {
  readonly session: string;
  /** By default the session's own, or the one that is meant where none is named. */
  readonly chat?: string;
  readonly title?: string;
  readonly turns: readonly Turn[];
  /** The number of the first turn in the conversation; 0 by default. */
  readonly from?: number;
}

export interface KeptTurns {
  readonly session: string;
  readonly chat: string;
  /** Numbers of the messages that were stored. */
  readonly stored: readonly number[];
  /** How many were stored before. */
  readonly known: number;
  /** What the person explicitly asked to remember. */
  readonly requested: Retained;
  /** Turns that held a secret: they are stored without it. */
  readonly refused: readonly Refusal[];
}

/** How often it is tried again where another process goes on with the session. */
const ATTEMPTS = 5;
const LONGEST_SHOWN = 80;

/**
 * Throws `usage` for what are no turns, `invalid_name`, `secret` for a name that holds one, `conflict` for turns that leave a gap
 * after those that are stored, or of another chat's session, and `io`. Nothing is stored then.
 */
export async function writeTurns(workspaces: FactWorkspaces, wanted: TurnsToKeep): Promise<KeptTurns> {
  const { nearest } = workspaces;
  const { turns, from = 0, title } = wanted;
  requireTurns(turns, from);
  requireText(wanted.session, "A session's name");
  const session = checked("session", wanted.session);
  const chat = checked("chat", wanted.chat ?? nearest.sessions.chatOf(session) ?? workspaces.chat);
  requireNoSecret([session, chat, title], false);
  const added = await store(nearest, { session, chat, title: title ?? null }, turns, from);
  return {
    session,
    chat,
    stored: added.map(({ id }) => id),
    known: turns.length - added.length,
    requested: await keepNewRequests(workspaces, session, chat),
    refused: turns.slice(turns.length - added.length).flatMap(refusalOf),
  };
}

async function store(
  { sessions }: FactWorkspace,
  { session: id, chat, title }: { session: string; chat: string; title: string | null },
  turns: readonly Turn[],
  from: number,
): Promise<Message[]> {
  for (let attempt = 1; ; attempt++) {
    const all = sessions.messages(id);
    const spoken = all.filter(isSpoken).length;
    if (from > spoken)
      throw new RetainError(
        "conflict",
        `The session ${id} has ${spoken} turns, and these begin with number ${from}. Nothing was stored.`,
        "Give the turns between them too.",
      );
    const fresh = turns.slice(spoken - from).map(messageOf);
    if (fresh.length === 0) return [];
    try {
      return await sessions.append({ id, chat, title, follows: all.length }, fresh);
    } catch (error) {
      const wentOn = sessions.messages(id).length !== all.length;
      if (!(error instanceof RetainError) || error.code !== "conflict" || !wentOn || attempt === ATTEMPTS)
        throw error;
    }
  }
}

/** Reads the messages after the last one that the session marks as read. */
async function keepNewRequests(workspaces: FactWorkspaces, session: string, chat: string): Promise<Retained> {
  const { sessions } = workspaces.nearest;
  const messages = sessions.messages(session);
  const done = retainedTo(messages);
  const said = messages.filter(({ id, role }) => id > done && role === "user");
  const requested = await writeRequests(
    workspaces,
    session,
    said.map(({ id, content, timestamp }) => ({ message: id, content, at: timestamp })),
  );
  const last = messages.findLast(isSpoken);
  if (last === undefined || last.id <= done || requested.failed.length > 0) return requested;
  await sessions.append({ id: session, chat, title: null }, [retainedMark(last)]);
  return requested;
}

/** Says that everything up to this message was looked through. It is nothing that anybody said. */
export function retainedMark({ id, timestamp }: Pick<Message, "id" | "timestamp">): NewMessage {
  const details = { retainedTo: id };
  return { role: "system", speaker: null, content: "", timestamp, token_count: null, details };
}

function isSpoken({ role }: Pick<Message, "role">): boolean {
  return role === "user" || role === "assistant";
}

/** Also where nothing is left of it: its number is its place. */
function messageOf({ role, content, at }: Turn): NewMessage {
  const text = storable(withoutInjected(content), false);
  return { role, speaker: null, content: text, timestamp: at, token_count: null };
}

function refusalOf({ content }: Turn): Refusal[] {
  const checkedText = guarded(withoutInjected(content), false);
  if (!("refusal" in checkedText)) return [];
  const { text, why } = checkedText.refusal;
  return [{ text: truncate(squeezed(text), LONGEST_SHOWN), why }];
}

/** No compiler checks what a program hands in. */
function requireTurns(turns: unknown, from: unknown): asserts turns is readonly Turn[] {
  if (!Array.isArray(turns)) throw new RetainError("usage", "Turns are a list.");
  if (!Number.isInteger(from) || Number(from) < 0)
    throw new RetainError("usage", "The number of the first turn is a whole number from 0 on.");
  for (const turn of turns as readonly Partial<Turn>[]) {
    if (turn?.role !== "user" && turn?.role !== "assistant")
      throw new RetainError("usage", "A turn's role is 'user' or 'assistant'.");
    requireText(turn.content, "A turn's content");
    if (typeof turn.at !== "string" || Number.isNaN(Date.parse(turn.at)))
      throw new RetainError(
        "usage",
        "A turn says when it was said, as ISO 8601.",
        'For example: "2026-02-18T09:30:00Z"',
      );
  }
}
