/** Finds sessions by id, id prefix, or "last". */
import { RetainError } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import type { OwnedSession, SessionWorkspace, SessionWorkspaces } from "./ports.ts";

export interface SessionsAsked {
  /** All chats by default. */
  chat?: string;
  tag?: string;
  limit?: number;
  /** Leave out sessions in which every message failed. */
  withoutFailed?: boolean;
}

export interface FindOptions {
  /** The chat that "last" refers to. */
  chat?: string;
  /** Its workspace, if both have a session with this id. */
  origin?: SessionWorkspace["origin"];
}

export interface FoundSession {
  readonly workspace: SessionWorkspace;
  readonly session: OwnedSession;
}

/** Sessions of all workspaces, newest first. */
export function listSessions({ read }: SessionWorkspaces, wanted: SessionsAsked): OwnedSession[] {
  const asked = wanted.chat === undefined ? wanted : { ...wanted, chat: wanted.chat.normalize("NFC") };
  const found = read.flatMap(({ origin, sessions }) =>
    sessions.list(asked).map((session) => ({ ...session, origin })),
  );
  return found
    .sort((a, b) => (a.updated_at === b.updated_at ? 0 : a.updated_at < b.updated_at ? 1 : -1))
    .slice(0, asked.limit ?? found.length);
}

const LAST = "last";
/** Users may omit this start of an id. */
export const SESSION_PREFIX = "session_";
const MOST_NAMED = 5;

/** If two workspaces have this id, the nearest one's. Throws `not_found`; `ambiguous` if the prefix is too short. */
export function findSession(
  workspaces: SessionWorkspaces,
  said: string,
  { chat, origin }: FindOptions = {},
): FoundSession {
  const wanted = said.trim().normalize("NFC");
  const exact = byId(workspaces, wanted, origin);
  if (exact !== null) return exact;
  const [last] =
    wanted === LAST ? listSessions(workspaces, { limit: 1, withoutFailed: true, ...(chat && { chat }) }) : [];
  const ids = last === undefined ? idsFrom(workspaces, wanted) : [last.id];
  const [id, second] = ids;
  if (second !== undefined) throw ambiguous(wanted, ids);
  const found = id === undefined ? null : byId(workspaces, id, last?.origin ?? origin);
  if (found !== null) return found;
  throw new RetainError(
    "not_found",
    wanted === LAST
      ? "There is no session with a reply yet."
      : `There is no session ${JSON.stringify(wanted)}.`,
    hint`To list sessions: ${command("sessions list")}`,
  );
}

function ambiguous(wanted: string, ids: readonly string[]): RetainError {
  const count = ids.length > MOST_NAMED ? "Many" : String(ids.length);
  const names = ids.slice(0, MOST_NAMED).join(", ");
  return new RetainError(
    "ambiguous",
    `${count} sessions start with ${JSON.stringify(wanted)}: ${names}.`,
    "Type more of the id.",
  );
}

function byId({ read }: SessionWorkspaces, id: string, origin?: OwnedSession["origin"]): FoundSession | null {
  for (const workspace of read) {
    if (origin !== undefined && workspace.origin !== origin) continue;
    const session = workspace.sessions.session(id);
    if (session !== null) return { workspace, session: { ...session, origin: workspace.origin } };
  }
  return null;
}

function idsFrom({ read }: SessionWorkspaces, beginning: string): string[] {
  if (beginning === "") return [];
  for (const start of [beginning, SESSION_PREFIX + beginning]) {
    const ids = read.flatMap(({ sessions }) => sessions.idsFrom(start, MOST_NAMED + 1));
    if (ids.length > 0) return [...new Set(ids)];
  }
  return [];
}
