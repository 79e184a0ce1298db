/**
 * What is searched of conversations: the turns that were said, and each session's summary. A turn says little without the
 * turns around it, so it is indexed together with those. What tools gave back is data that nobody said.
 */
import type { Database } from "bun:sqlite";
import { readReply } from "../../core/marks/marks.ts";
import type { MemoryRef } from "../../core/memory.ts";
import type { Message, NewSession } from "../../core/sessions/conversation.ts";
import { evidenceIn, isQuestion } from "../../core/text/evidence.ts";
import { dropMemory, putMemory } from "../search/chunks.ts";
import { messagesOf, SPOKEN, sessionOf } from "./session-rows.ts";

type Whose = Pick<NewSession, "id" | "chat">;

/** The last turns of a session: they are indexed again once others follow. */
export function lastTurns(database: Database, session: string): Message[] {
  return messagesOf(database, session, { which: SPOKEN, count: 2 });
}

/** The turn before the new ones is indexed again: it has a neighbour now. */
export function indexTurns(
  database: Database,
  session: Whose,
  before: readonly Message[],
  added: readonly Message[],
): void {
  const turns = [...before, ...added.filter(({ role }) => role === "user" || role === "assistant")];
  for (let index = Math.max(0, before.length - 1); index < turns.length; index++) {
    const turn = turns[index] as Message;
    const said = shown(turn);
    putMemory(database, {
      kind: "message",
      source: String(turn.id),
      scope: session.chat,
      tags: [],
      session: session.id,
      speaker: turn.speaker,
      at: momentOf(turn.timestamp),
      trust: turn.role === "user" ? "stated" : "inferred",
      importance: 0.5,
      chunks: said.trim() === "" ? [] : [{ heading: "", text: said, line: 1 }],
      evidence: evidenceIn(said),
      neighbours: neighboursOf(said, shown(turns[index - 1]), shown(turns[index + 1])),
    });
  }
}

/** Puts the summary as it is now in the place of what is searched of it. */
export function indexSummary(database: Database, id: string): void {
  const session = sessionOf(database, id);
  const summary = session?.summary?.trim() ?? "";
  if (session === null || summary === "") {
    dropMemory(database, { kind: "summary", source: id });
    return;
  }
  putMemory(database, {
    kind: "summary",
    source: id,
    scope: session.chat,
    tags: session.tags,
    session: id,
    speaker: null,
    at: momentOf(session.updated_at),
    trust: "inferred",
    importance: 0.5,
    chunks: [{ heading: session.title ?? "", text: summary, line: 1 }],
    // A title that somebody gave still finds it.
    ...((session.title === null || isQuestion(session.title)) && { evidence: evidenceIn(summary) }),
    neighbours: "",
  });
}

/** Every turn of a session. */
export function indexSession(database: Database, session: Whose): void {
  indexTurns(database, session, [], messagesOf(database, session.id, { which: SPOKEN }));
}

/** Every session, for an index that is built anew. */
export function indexConversations(database: Database): void {
  for (const session of database.query<Whose, []>("SELECT id, chat FROM sessions").all()) {
    indexSession(database, session);
    indexSummary(database, session.id);
  }
}

/** Takes a session, and how often it was recalled, out of all that is searched. */
export function unindexSession(database: Database, id: string): void {
  const messages = database.query<{ id: number }, [string]>("SELECT id FROM messages WHERE session_id = ?");
  unindexMessages(
    database,
    messages.all(id).map((message) => message.id),
  );
  unindex(database, { kind: "summary", source: id });
}

export function unindexMessages(database: Database, ids: readonly number[]): void {
  for (const id of ids) unindex(database, { kind: "message", source: String(id) });
}

function unindex(database: Database, ref: MemoryRef): void {
  dropMemory(database, ref);
  database.query("DELETE FROM recalls WHERE kind = ? AND source = ?").run(ref.kind, ref.source);
}

function momentOf(timestamp: string): number | null {
  const at = Date.parse(timestamp);
  return Number.isNaN(at) ? null : at;
}

/** What a person saw of it: what is marked in a reply is kept, and found, elsewhere. */
function shown(turn: Message | undefined): string {
  if (turn === undefined) return "";
  return turn.role === "assistant" ? readReply(turn.content).visible.trim() : turn.content;
}

/** A turn up to this long is understood from what is next to it; a longer one speaks for itself. */
const SHORT_TURN = 400;

/** The end of what came before, and the beginning of what came after. */
function neighboursOf(content: string, before: string, after: string): string {
  if (content.length > SHORT_TURN) return "";
  return `${before.slice(-SHORT_TURN)}\n${after.slice(0, SHORT_TURN)}`;
}
