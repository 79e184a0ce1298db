/** Calls about stored conversations. */
import type { FoundInSession } from "../../app/search-sessions.ts";
import { snippetOf } from "../../recall/snippet.ts";
import { EXPORT_FORMATS, endingOf, exportName, nameOf, toolLines } from "../../sessions/export.ts";
import type { OwnedSession } from "../../sessions/ports.ts";
import { shownText } from "../../sessions/prose.ts";
import * as z from "../../util/zod.ts";
import { call } from "./call.ts";

/** Project and home may have sessions with the same id; without an origin, it is the nearest one's. */
const SESSION = { id: z.string(), origin: z.optional(z.enum(["project", "home"])) };
const MOST = 1_000;
const HITS_SHOWN = 3;
const SNIPPET_LENGTH = 200;

export const sessionCalls = {
  /** With a query, the best matches first; otherwise the newest. */
  sessions: call(
    z.strictObject({
      query: z.string(),
      chat: z.optional(z.string()),
      tag: z.optional(z.string()),
      limit: z.int().check(z.minimum(1), z.maximum(MOST)),
    }),
    async ({ retain }, { query, chat, tag, limit }) => {
      // One more than wanted shows whether there are more.
      const asked = { chat, tag, limit: limit + 1 };
      const isSearch = query.trim() !== "";
      const { sessions, words } = isSearch
        ? await retain.searchSessions(query, asked)
        : { sessions: (await retain.sessions.list(asked)).map(notSearched), words: [] };
      return {
        sessions: sessions
          .slice(0, limit)
          .map(({ session, hits }) => ({ ...listed(session), hits: hitsOf(hits, words) })),
        more: sessions.length > limit,
      };
    },
  ),

  session: call(z.strictObject(SESSION), async ({ retain }, { id, ...where }) => {
    const session = await retain.sessions.show(id, where);
    const turns = session.conversation
      .map((message) => ({
        id: message.id,
        role: message.role,
        speaker: message.speaker,
        at: message.timestamp,
        text: message.role === "tool" ? "" : shownText(message),
        lines: [...endingOf(message.details), ...toolLines(message)],
      }))
      .filter(({ text, lines }) => text !== "" || lines.length > 0);
    return { ...listed(session), name: nameOf(session), turns };
  }),

  "session-rename": call(
    z.strictObject({ ...SESSION, title: z.string() }),
    async ({ retain }, { id, title, ...where }) => listed(await retain.sessions.rename(id, title, where)),
  ),

  "session-tag": call(
    z.strictObject({ ...SESSION, add: z.array(z.string()), remove: z.array(z.string()) }),
    async ({ retain }, { id, add, remove, ...where }) =>
      listed(await retain.sessions.tag(id, { add, remove }, where)),
  ),

  /** A file to download. */
  "session-export": call(
    z.strictObject({ ...SESSION, format: z.enum(EXPORT_FORMATS) }),
    async ({ retain }, { id, format, ...where }) => ({
      name: exportName(id, format),
      text: await retain.sessions.export(id, format, where),
    }),
  ),

  /** `force`: also if another process seems to have it open. */
  "session-delete": call(
    z.strictObject({ ...SESSION, force: z.boolean() }),
    async ({ retain, chats }, { id: said, force, ...where }) => {
      const { id } = await retain.sessions.find(said, where);
      return chats.withoutChat(id, async () => listed(await retain.sessions.remove(id, { ...where, force })));
    },
  ),
};

function notSearched(session: OwnedSession): FoundInSession {
  return { session, hits: [] };
}

function listed(session: OwnedSession) {
  const {
    id,
    origin,
    chat,
    title,
    summary,
    tags,
    created_at,
    updated_at,
    messages,
    failed = false,
  } = session;
  return { id, origin, chat, title, summary, tags, created_at, updated_at, messages, failed };
}

function hitsOf(hits: FoundInSession["hits"], words: readonly string[]) {
  return hits.slice(0, HITS_SHOWN).map(({ kind, id, speaker, trust, text }) => ({
    /** null for the session's summary. */
    message: kind === "message" ? Number(id) : null,
    speaker: kind === "summary" ? null : (speaker ?? (trust === "stated" ? "You" : "Assistant")),
    text: snippetOf(text, words, SNIPPET_LENGTH),
  }));
}
