/** Saves what a model's reply marks and returns the rest for the person. */
import { RetainError, requireText } from "../../core/errors.ts";
import { checked } from "../../core/facts/memory-paths.ts";
import { command, hint } from "../../core/hint.ts";
import { readReply } from "../../core/marks/marks.ts";
import { storable } from "../../core/secrets/storable.ts";
import { localDay, localTime } from "../../util/days.ts";
import type { FactWorkspace, FactWorkspaces } from "../ports.ts";
import { requireNoSecret } from "./guard.ts";
import { type WrittenMarks, writeMarks } from "./write-marks.ts";

export interface IngestOptions {
  /** Default: a new session. */
  session?: string;
  chat?: string;
  /** Save text even if it looks like a secret. */
  allowSecret?: boolean;
}

export interface Ingested extends WrittenMarks {
  /** Without the marks. */
  readonly visible: string;
  readonly session: string;
  readonly chat: string;
  /** The number of the stored message. */
  readonly message: number;
}

/** Everything reported as saved is durable on return. Throws `invalid_input`, `invalid_name`, `io`. */
export async function ingest(
  workspaces: FactWorkspaces,
  reply: string,
  options: IngestOptions,
): Promise<Ingested> {
  const { nearest } = workspaces;
  requireText(reply, "A reply");
  if (reply.trim() === "")
    throw new RetainError(
      "invalid_input",
      "The reply is empty.",
      hint`Pipe one in: … | ${command("ingest", "-")}`,
    );
  const now = nearest.clock();
  const session = checked("session", options.session ?? newSession(now));
  const chat = checked("chat", options.chat ?? nearest.sessions.chatOf(session) ?? workspaces.chat);
  const allowSecret = options.allowSecret ?? false;
  requireNoSecret([chat, session], allowSecret);
  const { visible, marks } = readReply(reply);
  const content = storable(reply, allowSecret);
  const message = await storeMessage(nearest, session, chat, content, now);
  const kept = await writeMarks(workspaces, marks, { session, chat, message }, allowSecret);
  return { visible, session, chat, message, ...kept };
}

async function storeMessage(
  { sessions }: FactWorkspace,
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

/** "20261115-2017-x7k2": sorts by time, and is valid as a file name. */
function newSession(now: Date): string {
  const day = localDay(now.toISOString()).replaceAll("-", "");
  return `${day}-${localTime(now).replace(":", "")}-${crypto.randomUUID().slice(0, 6)}`;
}
