/** The context of the newest reply, as it was stored with it. */
import type { GivenPart } from "../core/sessions/conversation.ts";
import { listSessions } from "./find.ts";
import type { OwnedSession, SessionWorkspaces } from "./ports.ts";

export interface LastContext {
  readonly session: OwnedSession;
  /** The reply's id. */
  readonly message: number;
  readonly at: string;
  readonly model: string | null;
  readonly parts: readonly GivenPart[];
}

/** Conversations of other agents have no context, so it looks through a few sessions. */
const SESSIONS = 10;

export function lastContext(workspaces: SessionWorkspaces): LastContext | null {
  for (const session of listSessions(workspaces, { limit: SESSIONS })) {
    const store = workspaces.read.find(({ origin }) => origin === session.origin)?.sessions;
    const reply = store?.messages(session.id).findLast(({ details }) => (details.context ?? []).length > 0);
    if (reply === undefined) continue;
    const { id: message, timestamp: at, details } = reply;
    return { session, message, at, model: details.model ?? null, parts: details.context ?? [] };
  }
  return null;
}
