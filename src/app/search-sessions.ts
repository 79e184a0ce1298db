/** Searches conversations: matching messages and summaries, grouped by session. */

import { nameKey } from "../core/documents/names.ts";
import { unlessMissing } from "../core/errors.ts";
import type { ScorePart } from "../recall/fuse.ts";
import type { SearchHit, SearchOptions, SearchResult } from "../recall/search.ts";
import type { SessionsAsked } from "../sessions/find.ts";
import type { OwnedSession } from "../sessions/ports.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { wordsIn } from "../util/text.ts";

export interface FoundInSession {
  readonly session: OwnedSession;
  /** Best first. */
  readonly hits: readonly SearchHit[];
}

export interface FoundSessions {
  /** Ordered by their best hits. */
  readonly sessions: readonly FoundInSession[];
  /** The words searched for. */
  readonly words: readonly string[];
}

export type SessionSearchOptions = Pick<SessionsAsked, "chat" | "tag" | "limit">;

interface Memory {
  readonly sessions: Pick<Sessions, "find">;
  search(query: string, options: SearchOptions): Promise<SearchResult>;
}

/** The default limit. */
export const SESSIONS_FOUND = 10;
/** Of the best hit's own match in the session; below it, a message was found for its neighbours. */
const LEAST_SHARE = 1 / 4;
const OWN = new Set<ScorePart["name"]>(["words", "guess", "meaning", "every word", "senses"]);
/** Searches for more hits than sessions, since one session may have many of the best. */
const HITS_A_SESSION = 10;
const MOST_HITS = 1_000;

export async function searchSessions(
  memory: Memory,
  query: string,
  { chat, tag, limit = SESSIONS_FOUND }: SessionSearchOptions,
): Promise<FoundSessions> {
  const { hits, words } = await memory.search(query, {
    kinds: ["message", "summary"],
    limit: Math.min(MOST_HITS, limit * HITS_A_SESSION),
  });
  const found: FoundInSession[] = [];
  for (const its of Map.groupBy(hits, ({ origin, session }) => `${origin} ${session}`).values()) {
    const [first] = its;
    if (first === undefined || first.session === null || first.origin === "bank") continue;
    // null if another process has just deleted it.
    const session = await unlessMissing(memory.sessions.find(first.session, { origin: first.origin }));
    if (session === null || (chat !== undefined && session.chat !== chat.normalize("NFC"))) continue;
    if (tag !== undefined && !session.tags.some((one) => nameKey(one) === nameKey(tag))) continue;
    const least = Math.max(...its.map(ownMatch)) * LEAST_SHARE;
    found.push({ session, hits: its.filter((hit) => says(hit, words) || ownMatch(hit) >= least) });
  }
  return { sessions: found.slice(0, limit), words };
}

function says({ text }: SearchHit, words: readonly string[]): boolean {
  const its = new Set(wordsIn(text));
  return words.some((word) => its.has(word));
}

/** How well its own text matches, without its neighbours, session, time and the like. */
function ownMatch({ parts }: SearchHit): number {
  return parts.reduce((sum, { name, value }) => (OWN.has(name) ? sum + value : sum), 0);
}
