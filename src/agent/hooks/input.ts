/**
 * What Claude Code tells a hook on stdin. It may be of any version, and leave out or add what it likes: what is not of the
 * expected type counts as not there.
 */
import { isRecord } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";

export interface HookInput {
  /** "" where there is none. */
  readonly session: string;
  readonly transcript: string | null;
  readonly cwd: string | null;
  readonly prompt: string;
  /** Of a session's start: "startup", "resume", "clear" or "compact". */
  readonly source: string;
  /** What was said last; the transcript may not hold it yet. */
  readonly reply: string;
  /** A sub-agent's; its type is "" for one that Claude Code starts for itself, to summarise a conversation. */
  readonly agent: { readonly id: string; readonly type: string; readonly transcript: string | null } | null;
}

/** null for what is no JSON object. */
export function readHookInput(bytes: Uint8Array): HookInput | null {
  const said = parsed(decodeUtf8(bytes) ?? "");
  if (!isRecord(said)) return null;
  const text = (key: string) => {
    const value = said[key];
    return typeof value === "string" ? value : "";
  };
  const agentId = text("agent_id");
  return {
    session: text("session_id"),
    transcript: text("transcript_path") || null,
    cwd: text("cwd") || null,
    prompt: text("prompt"),
    source: text("source"),
    reply: text("last_assistant_message"),
    agent:
      agentId === ""
        ? null
        : { id: agentId, type: text("agent_type"), transcript: text("agent_transcript_path") || null },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
