/** Sessions as people name them: by id, by an id's beginning, or as the last one. */
import { RetainError } from "../core/errors.ts";
import type { OwnedSession, SessionWorkspace, SessionWorkspaces } from "./ports.ts";

export interface SessionsAsked {
  /** Of this chat; of all by default. */
  chat?: string;
  tag?: string;
  limit?: number;
}

export interface FindOptions {
  /** "last" is this chat's. */
  chat?: string;
  /** The workspace that it is in, where both have one of this id. */
  origin?: SessionWorkspace["origin"];
}

export interface FoundSession {
  readonly workspace: SessionWorkspace;
  readonly session: OwnedSession;
}

/** Of all workspaces that are read, the newest first. */
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
/** Ids of ours begin so; people leave it out. */
const PREFIX = "session_";
const MOST_NAMED = 5;

/** The nearest workspace's where two have one of this id. Throws `not_found`; `ambiguous` for too short a beginning. */
export function findSession(
  places: SessionWorkspaces,
  said: string,
  { chat, origin }: FindOptions = {},
): FoundSession {
  const wanted = said.trim().normalize("NFC");
  const exact = byId(places, wanted, origin);
  if (exact !== null) return exact;
  const [last] = wanted === LAST ? listSessions(places, { limit: 1, ...(chat && { chat }) }) : [];
  const ids = last === undefined ? idsFrom(places, wanted) : [last.id];
  const [id, second] = ids;
  if (second !== undefined) throw ambiguous(wanted, ids);
  const found = id === undefined ? null : byId(places, id, last?.origin ?? origin);
  if (found !== null) return found;
  throw new RetainError(
    "not_found",
    wanted === LAST ? "There is no session yet." : `There is no session ${JSON.stringify(wanted)}.`,
    "See: retain sessions list",
  );
}

function ambiguous(wanted: string, ids: readonly string[]): RetainError {
  const count = ids.length > MOST_NAMED ? "Many" : String(ids.length);
  const names = ids.slice(0, MOST_NAMED).join(", ");
  return new RetainError(
    "ambiguous",
    `${count} sessions begin with ${JSON.stringify(wanted)}: ${names}.`,
    "Give more of the id.",
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
  for (const start of [beginning, PREFIX + beginning]) {
    const ids = read.flatMap(({ sessions }) => sessions.idsFrom(start, MOST_NAMED + 1));
    if (ids.length > 0) return [...new Set(ids)];
  }
  return [];
}
