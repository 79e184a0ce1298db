/**
 * Parses a hook's stdin from Claude Code. Any version may add or omit fields: a field of an unexpected type counts as missing.
 */
import { isRecord } from "../../util/json.ts";
import { decodeUtf8 } from "../../util/text.ts";

export interface HookInput {
  /** "" if missing. */
  readonly session: string;
  readonly transcript: string | null;
  readonly cwd: string | null;
  readonly prompt: string;
  /** How a session starts: "startup", "resume", "clear" or "compact". */
  readonly source: string;
  /** The last reply, which the transcript may not contain yet. */
  readonly reply: string;
  /** The sub-agent, if any; its type is "" if Claude Code started it to summarise a conversation. */
  readonly agent: { readonly id: string; readonly type: string; readonly transcript: string | null } | null;
}

/** null unless it is a JSON object. */
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
