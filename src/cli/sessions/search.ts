/** 'retain sessions search': matching messages, grouped by session. */
import type { Retain } from "../../app.ts";
import { RetainError } from "../../core/errors.ts";
import type { SearchHit } from "../../recall/search.ts";
import type { OwnedSession } from "../../sessions/ports.ts";
import type { Context } from "../command.ts";
import type { Output } from "../output.ts";
import { MOST_SESSIONS, type SessionsOptions, wordMissing } from "./options.ts";
import { type FoundInSession, searchText } from "./text.ts";

/** The default --limit. */
export const SESSIONS_FOUND = 10;
/** Searches for more hits than sessions, since one session may have many of the best. */
const HITS_A_SESSION = 10;

export async function searchSessions(
  context: Context,
  words: readonly string[],
  options: SessionsOptions,
): Promise<Output> {
  const query = words.join(" ");
  if (query.trim() === "") throw wordMissing("search");
  const { limit = SESSIONS_FOUND } = options;
  const retain = context.open();
  const most = Math.min(MOST_SESSIONS, limit * HITS_A_SESSION);
  const { hits, words: sought } = await retain.search(query, { kinds: ["message", "summary"], limit: most });
  const found = (await bySession(retain, hits, options)).slice(0, limit);
  return {
    data: { query, sessions: found.map(asJson) },
    text: searchText(context.terminal, found, sought),
    quiet: found.map(({ session }) => session.id).join("\n"),
  };
}

/** Ordered by their best hits. */
async function bySession(
  retain: Retain,
  hits: readonly SearchHit[],
  { chat, tag }: SessionsOptions,
): Promise<FoundInSession[]> {
  const groups = Map.groupBy(hits, ({ origin, session }) => `${origin} ${session}`);
  const found: FoundInSession[] = [];
  for (const its of groups.values()) {
    const [first] = its;
    if (first === undefined || first.session === null || first.origin === "bank") continue;
    const session = await sessionOf(retain, first.session, first.origin);
    if (session === null || (chat !== undefined && session.chat !== chat)) continue;
    if (tag !== undefined && !session.tags.some((one) => one.toLowerCase() === tag.toLowerCase())) continue;
    found.push({ session, hits: its });
  }
  return found;
}

/** null if another process has just deleted it. */
async function sessionOf(
  retain: Retain,
  id: string,
  origin: OwnedSession["origin"],
): Promise<OwnedSession | null> {
  try {
    return await retain.sessions.find(id, { origin });
  } catch (error) {
    if (error instanceof RetainError && error.code === "not_found") return null;
    throw error;
  }
}

function asJson({ session, hits }: FoundInSession) {
  return {
    ...session,
    hits: hits.map(({ kind, id, speaker, at, text, score }) => {
      return { kind, message: kind === "message" ? Number(id) : null, speaker, at, text, score };
    }),
  };
}
