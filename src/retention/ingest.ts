/** Takes a model's reply: what is marked in it is kept, what is left is what a person sees. */
import { RetainError } from "../core/errors.ts";
import { type Mark, readReply } from "../core/marks.ts";
import { checked } from "../core/memory-paths.ts";
import { localDay, localTime } from "../util/text.ts";
import { comparison } from "./compare.ts";
import { guarded, type Refusal, storable } from "./guard.ts";
import { type Kept, keep, type NewFact, type NewNote, type ToKeep } from "./keep.ts";
import type { RetentionPlaces, RetentionWorkspace } from "./ports.ts";
import { oneFact } from "./remember.ts";

export interface IngestOptions {
  /** By default a new one. */
  session?: string;
  chat?: string;
  /** Keep what looks like a secret. */
  allowSecret?: boolean;
}

export interface Ingested extends Kept {
  /** Without the marks. */
  readonly visible: string;
  readonly session: string;
  readonly chat: string;
  /** The number of the stored message. */
  readonly message: number;
  readonly refused: Refusal[];
}

/** What is counted as saved is stored by then. Throws `invalid_input`, `invalid_name`, `io`. */
export async function ingest(
  places: RetentionPlaces,
  reply: string,
  options: IngestOptions,
): Promise<Ingested> {
  const { nearest, home, embedders } = places;
  if (reply.trim() === "")
    throw new RetainError(
      "invalid_input",
      "There is no reply to take in.",
      "Pipe one in: … | retain ingest -",
    );
  const now = nearest.clock();
  const chat = checked("chat", options.chat ?? places.chat);
  const session = checked("session", options.session ?? newSession(now));
  const { visible, marks } = readReply(reply);
  const allowSecret = options.allowSecret ?? false;
  const content = storable(reply, allowSecret);
  const message = await storeMessage(nearest, session, chat, content, now);
  const sorted = sort(marks, { session, chat, message }, allowSecret);
  const parts: [RetentionWorkspace, ToKeep][] =
    nearest === home
      ? [
          [
            nearest,
            {
              ...sorted.nearest,
              facts: [...sorted.nearest.facts, ...sorted.global.facts],
              notes: [...sorted.nearest.notes, ...sorted.global.notes],
            },
          ],
        ]
      : [
          [nearest, sorted.nearest],
          [home, sorted.global],
        ];
  const results: Kept[] = [];
  for (const [workspace, toKeep] of parts) {
    if (toKeep.facts.length + toKeep.notes.length === 0 && toKeep.working === null) continue;
    const compare = await comparison(workspace, embedders, toKeep.facts);
    results.push(await keep(workspace, "ingest", toKeep, compare));
  }
  return {
    visible,
    session,
    chat,
    message,
    saved: results.flatMap(({ saved }) => saved),
    skipped: results.flatMap(({ skipped }) => skipped),
    superseded: results.flatMap(({ superseded }) => superseded),
    refused: sorted.refused,
    working: results[0]?.working ?? "unchanged",
  };
}

async function storeMessage(
  { sessions }: RetentionWorkspace,
  session: string,
  chat: string,
  content: string,
  now: Date,
): Promise<number> {
  const [stored] = await sessions.append({ id: session, chat, title: null }, [
    { role: "assistant", speaker: null, content, timestamp: now.toISOString(), token_count: null },
  ]);
  if (stored === undefined) throw new Error("A message was not stored");
  return stored.id;
}

interface Origin {
  readonly session: string;
  readonly chat: string;
  readonly message: number;
}

/** The marks by where they go, those with a secret left out. */
function sort(marks: readonly Mark[], origin: Origin, allowSecret: boolean) {
  const refused: Refusal[] = [];
  const pass = (said: string): string | null => {
    const checkedText = guarded(said, allowSecret);
    if ("text" in checkedText) return checkedText.text;
    refused.push(checkedText.refusal);
    return null;
  };
  const nearest: { facts: NewFact[]; notes: NewNote[]; working: ToKeep["working"] } = {
    facts: [],
    notes: [],
    working: null,
  };
  const global: { facts: NewFact[]; notes: NewNote[]; working: null } = {
    facts: [],
    notes: [],
    working: null,
  };
  for (const mark of marks) {
    const target = mark.scope === "global" ? global : nearest;
    const text = pass(mark.text);
    if (text === null || (mark.title !== null && pass(mark.title) === null)) continue;
    if (mark.kind === "fact") {
      const fact = factOf(mark, text, origin);
      if (fact.text !== "") target.facts.push(fact);
    } else if (mark.kind === "working" && mark.closed) nearest.working = { session: origin.session, text };
    else if (text !== "" || mark.title) target.notes.push(noteFrom(mark, text, origin));
  }
  return { nearest, global, refused };
}

function factOf({ tag, category, tags }: Mark, text: string, { session, message }: Origin): NewFact {
  const source = { by: tag, session, message, trust: "inferred" as const, tags };
  return { text: oneFact(text), category: category === null ? null : oneFact(category), chat: null, source };
}

/** A mark that the reply broke off in is a note, whatever it was to become. */
function noteFrom({ kind, title }: Mark, text: string, { chat }: Origin): NewNote {
  return { title: title ?? "Unfinished working memory", text, chat: kind === "chat-note" ? chat : null };
}

/** "20261115-2017-x7k2": sorts by time, and is a file's name. */
function newSession(now: Date): string {
  const day = localDay(now.toISOString()).replaceAll("-", "");
  return `${day}-${localTime(now).replace(":", "")}-${crypto.randomUUID().slice(0, 6)}`;
}
