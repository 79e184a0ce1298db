/**
 * Indexes conversations: spoken turns and each session's summary. A turn says little alone, so it is indexed with its neighbours.
 * Tool output is not indexed.
 */

import { evidenceIn, isQuestion } from "../../core/language/evidence.ts";
import { readReply } from "../../core/marks/marks.ts";
import type { MemoryRef } from "../../core/memory.ts";
import type { Message, NewSession } from "../../core/sessions/conversation.ts";
import { dropMemory, putMemory } from "../chunks/chunks.ts";
import type { Database } from "../driver.ts";
import { messagesOf, SPOKEN, sessionOf } from "./session-rows.ts";

type Whose = Pick<NewSession, "id" | "chat">;

/** The last turns of a session, which are indexed again when others follow. */
export function lastTurns(database: Database, session: string): Message[] {
  return messagesOf(database, session, { which: SPOKEN, count: 2 });
}

/** Also reindexes the turn before the new ones, which now has a neighbour. */
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

/** Replaces the indexed summary. */
export function indexSummary(database: Database, id: string): void {
  const session = sessionOf(database, id);
  const summary = session?.summary?.trim() ?? "";
  if (session === null || summary === "") {
    dropMemory(database, { kind: "summary", source: id });
    return;
  }
  const evidence = evidenceIn(summary);
  const hasTitle = session.title !== null && !isQuestion(session.title);
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
    // A title given by the user still finds a summary of questions.
    ...((evidence.stated !== "" || !hasTitle) && { evidence }),
    neighbours: "",
  });
}

/** Every turn of a session. */
export function indexSession(database: Database, session: Whose): void {
  indexTurns(database, session, [], messagesOf(database, session.id, { which: SPOKEN }));
}

/** Every session, for a rebuild. */
export function indexConversations(database: Database): void {
  for (const session of database.query<Whose, []>("SELECT id, chat FROM sessions").all()) {
    indexSession(database, session);
    indexSummary(database, session.id);
  }
}

/** Removes a session and its recall counts from the index. */
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

/** The visible text; marks in a reply are indexed separately. */
function shown(turn: Message | undefined): string {
  if (turn === undefined) return "";
  return turn.role === "assistant" ? readReply(turn.content).visible.trim() : turn.content;
}

/** A turn up to this length needs its neighbours to be understood; a longer one doesn't. */
const SHORT_TURN = 400;

/** The end of the previous turn and the beginning of the next. */
function neighboursOf(content: string, before: string, after: string): string {
  if (content.length > SHORT_TURN) return "";
  return `${before.slice(-SHORT_TURN)}\n${after.slice(0, SHORT_TURN)}`;
}
