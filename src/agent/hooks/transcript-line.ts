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

/** What a line is to the conversation, whether or not it says anything that may be kept. */
export interface Heard {
  readonly said: Said | null;
  /** It is a person's turn: a message, or a command. */
  readonly begins: boolean;
  /** It asks memory to show or to forget something: what is answered is memory's already, or is to be gone. */
  readonly isAboutMemory: boolean;
}

const NOTHING: Heard = { said: null, begins: false, isAboutMemory: false };

/** Claude Code's own words in a person's place. */
const NOT_A_PERSON =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-|bash-(?:input|stdout|stderr)|task-notification|user-memory-input)|\[Request interrupted by user)/;
/** In every line that may say something; parsing the others, which may hold megabytes, is saved. */
const MAY_SPEAK = /"type":\s*"(?:user|assistant)"/;
/** Quotes inside of texts are escaped, so this is never anybody's words. */
const HOLDS_A_RESULT = /"type":\s*"tool_result"/;
const OWN_MODEL = "<synthetic>";
const COMMAND = /^\s*<command-(?:name|message)>/;
const MEMORY_COMMAND = /<command-name>\s*\/?retain:/;
const FORGETTING_TOOL = /memory_forget$/;
const FORGETTING_IN_SHELL = /(?:^|[\s;&|("'/])retain["']?\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?)*forget\b/;

/** `ofAgent`: it is a sub-agent's own transcript, in which every line is marked as one beside the conversation. */
export function heardIn(line: string, ofAgent = false): Heard {
  if (!MAY_SPEAK.test(line) || HOLDS_A_RESULT.test(line)) return NOTHING;
  const entry = parsed(line);
  if (!isRecord(entry) || !isRecord(entry.message)) return NOTHING;
  const { type: role, uuid, timestamp, message } = entry;
  if ((role !== "user" && role !== "assistant") || typeof uuid !== "string") return NOTHING;
  if (entry.isMeta === true || entry.isCompactSummary === true || entry.isApiErrorMessage === true)
    return NOTHING;
  if ((entry.isSidechain === true && !ofAgent) || message.model === OWN_MODEL) return NOTHING;
  const whole = textOf(message.content);
  if (role === "user" && COMMAND.test(whole))
    return { said: null, begins: true, isAboutMemory: MEMORY_COMMAND.test(whole) };
  const isAboutMemory = role === "assistant" && forgets(message.content);
  const text = ownWords(whole);
  if (text === "" || (role === "user" && NOT_A_PERSON.test(text))) return { ...NOTHING, isAboutMemory };
  if (typeof timestamp !== "string" || Number.isNaN(Date.parse(timestamp)))
    return { ...NOTHING, isAboutMemory };
  const isAside = message.stop_reason === "tool_use";
  return { said: { uuid, role, text, at: timestamp, isAside }, begins: role === "user", isAboutMemory };
}

/** Calls the tool that forgets, or the command. */
function forgets(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((block) => {
    if (!isRecord(block) || block.type !== "tool_use" || typeof block.name !== "string") return false;
    const command = isRecord(block.input) ? block.input.command : null;
    return (
      FORGETTING_TOOL.test(block.name) || (typeof command === "string" && FORGETTING_IN_SHELL.test(command))
    );
  });
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
