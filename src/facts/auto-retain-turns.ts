/**
 * Stores the turns of another agent's conversation as messages of a session, so that recall finds them, and saves facts that the
 * person asked to remember. Turns are identified by number, so passing the same ones again adds nothing, and the next call finishes
 * what a killed process left undone.
 */

import { RetainError, requireText } from "../core/errors.ts";
import { checked } from "../core/facts/memory-paths.ts";
import { withoutInjected } from "../core/marks/marks.ts";
import type { Turn } from "../core/ports/backend.ts";
import { storable } from "../core/secrets/storable.ts";
import type { Message, NewMessage } from "../core/sessions/conversation.ts";
import { squeezed, truncate } from "../util/text.ts";
import type { FactWorkspace, FactWorkspaces } from "./ports.ts";
import { retainedTo } from "./transcript.ts";
import { guarded, type Refusal, requireNoSecret } from "./write/guard.ts";
import type { Retained } from "./write/retain.ts";
import { writeRequests } from "./write/write-requests.ts";

export interface TurnsToKeep {
  readonly session: string;
  /** Default: the session's chat, else the default chat. */
  readonly chat?: string;
  readonly title?: string;
  readonly turns: readonly Turn[];
  /** The number of the first turn in the conversation. Default: 0. */
  readonly from?: number;
}

export interface KeptTurns {
  readonly session: string;
  readonly chat: string;
  /** Numbers of the stored messages. */
  readonly stored: readonly number[];
  /** How many were already stored. */
  readonly known: number;
  /** Facts that the person explicitly asked to remember. */
  readonly requested: Retained;
  /** Turns that contained a secret. They are stored without it. */
  readonly refused: readonly Refusal[];
}

/** Attempts while another process adds to the session. */
const ATTEMPTS = 5;
const LONGEST_SHOWN = 80;

/**
 * Throws with nothing stored: `usage` for invalid turns, `invalid_name`, `secret` if a name contains one, `conflict` if there is a
 * gap after the stored turns or the session belongs to another chat, and `io`.
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
        `Nothing was stored: the session ${id} has ${spoken} turns, and these start at number ${from}.`,
        "Pass the turns in between too.",
      );
    const fresh = turns.slice(spoken - from).map(messageOf);
    if (fresh.length === 0) return [];
    try {
      return await sessions.append({ id, chat, title, follows: all.length }, fresh);
    } catch (error) {
      const hasGrown = sessions.messages(id).length !== all.length;
      if (!(error instanceof RetainError) || error.code !== "conflict" || !hasGrown || attempt === ATTEMPTS)
        throw error;
    }
  }
}

/** Reads messages after the last one that the session marks as processed. */
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

/** A system message that records up to which message the session was processed. */
export function retainedMark({ id, timestamp }: Pick<Message, "id" | "timestamp">): NewMessage {
  const details = { retainedTo: id };
  return { role: "system", speaker: null, content: "", timestamp, token_count: null, details };
}

function isSpoken({ role }: Pick<Message, "role">): boolean {
  return role === "user" || role === "assistant";
}

/** Stored even if its text is now empty, so that later turns keep their numbers. */
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

/** Callers may lack type checking. */
function requireTurns(turns: unknown, from: unknown): asserts turns is readonly Turn[] {
  if (!Array.isArray(turns)) throw new RetainError("usage", "Turns must be a list.");
  if (!Number.isInteger(from) || Number(from) < 0)
    throw new RetainError("usage", "The number of the first turn must be a whole number, 0 or more.");
  for (const turn of turns as readonly Partial<Turn>[]) {
    if (turn?.role !== "user" && turn?.role !== "assistant")
      throw new RetainError("usage", "A turn's role must be 'user' or 'assistant'.");
    requireText(turn.content, "A turn's content");
    if (typeof turn.at !== "string" || Number.isNaN(Date.parse(turn.at)))
      throw new RetainError(
        "usage",
        "A turn needs a time in ISO 8601.",
        'For example: "2026-02-18T09:30:00Z"',
      );
  }
}
