/**
 * One line of Claude Code's transcript: what a person or the assistant said, or nothing. Most lines are something else: what tools
 * gave, what hooks put in, summaries, commands and their output. None of that is anybody's words, so nothing of it is kept.
 */
import { isRecord } from "../../util/json.ts";
import { ownWords } from "./own-words.ts";

export interface Said {
  /** Names the line for good, also in a copy of the file. */
  readonly uuid: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** Said on the way, before a tool was used. */
  readonly isAside: boolean;
}

/** Claude Code's own words in a person's place. */
const NOT_A_PERSON =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-|bash-(?:input|stdout|stderr)|task-notification|user-memory-input)|\[Request interrupted by user)/;
/** In every line that may say something; parsing the others, which may hold megabytes, is saved. */
const MAY_SPEAK = /"type":\s*"(?:user|assistant)"/;
/** Quotes inside of texts are escaped, so this is never anybody's words. */
const HOLDS_A_RESULT = /"type":\s*"tool_result"/;
const OWN_MODEL = "<synthetic>";

/** `ofAgent`: it is a sub-agent's own transcript, in which every line is marked as one beside the conversation. */
export function saidIn(line: string, ofAgent = false): Said | null {
  if (!MAY_SPEAK.test(line) || HOLDS_A_RESULT.test(line)) return null;
  const entry = parsed(line);
  if (!isRecord(entry) || !isRecord(entry.message)) return null;
  const { type: role, uuid, timestamp, message } = entry;
  if ((role !== "user" && role !== "assistant") || typeof uuid !== "string") return null;
  if (entry.isMeta === true || entry.isCompactSummary === true || entry.isApiErrorMessage === true)
    return null;
  if ((entry.isSidechain === true && !ofAgent) || message.model === OWN_MODEL) return null;
  const text = ownWords(textOf(message.content));
  if (text === "" || (role === "user" && NOT_A_PERSON.test(text))) return null;
  if (typeof timestamp !== "string" || Number.isNaN(Date.parse(timestamp))) return null;
  return { uuid, role, text, at: timestamp, isAside: message.stop_reason === "tool_use" };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const texts = content.flatMap((block) =>
    isRecord(block) && block.type === "text" && typeof block.text === "string" ? block.text : [],
  );
  return texts.join("\n\n");
}
