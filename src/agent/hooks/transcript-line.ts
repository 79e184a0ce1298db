/**
 * Reads one line of Claude Code's transcript: a message of the user or the assistant, tool calls, or nothing. Most lines are
 * something else and are not saved: tool results, hook output, summaries, commands and their output.
 */
import { isRecord } from "../../util/json.ts";
import { ownWords } from "./own-words.ts";

export interface Said {
  /** Identifies the line, also in a copy of the file. */
  readonly uuid: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  /** ISO 8601. */
  readonly at: string;
  /** An intermediate message before a tool call. */
  readonly isAside: boolean;
}

/** A tool call that may have changed something: a file's path, or a shell command. */
export interface Done {
  /** Its result refers to it by this id. */
  readonly id: string;
  readonly at: string;
  readonly file?: string;
  readonly command?: string;
}

/** A line's role in the conversation, whether or not it contains text to save. */
interface Heard {
  readonly said: Said | null;
  /** It starts the user's turn: a message or a command. */
  readonly begins: boolean;
  /** It asks memory to show or forget something: the reply is already in memory, or must not be. */
  readonly isAboutMemory: boolean;
  readonly done: readonly Done[];
  /** Tool calls that failed or were denied, by id. */
  readonly failed: readonly string[];
}

const NOTHING: Heard = { said: null, begins: false, isAboutMemory: false, done: [], failed: [] };

/** Text that Claude Code itself wrote as a user message. */
const NOT_A_PERSON =
  /^\s*(?:<(?:command-(?:name|message|args)|local-command-|bash-(?:input|stdout|stderr)|task-notification|user-memory-input)|\[Request interrupted by user)/;
/** In every line with a message; other lines may be megabytes long and are not parsed. */
const MAY_SPEAK = /"type":\s*"(?:user|assistant)"/;
/** Quotes inside texts are escaped, so this never matches a message's text. */
const HOLDS_A_RESULT = /"type":\s*"tool_result"/;
const HOLDS_A_FAILURE = /"is_error":\s*true/;
const OWN_MODEL = "<synthetic>";
const COMMAND = /^\s*<command-(?:name|message)>/;
const MEMORY_COMMAND = /<command-name>\s*\/?retain:/;
const FORGETTING_TOOL = /memory_forget$/;
const FORGETTING_IN_SHELL = /(?:^|[\s;&|("'/])retain["']?\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?)*forget\b/;

/** `ofAgent`: the transcript is a sub-agent's, in which every line is marked as a side chain. */
export function heardIn(line: string, ofAgent: boolean): Heard {
  if (!MAY_SPEAK.test(line)) return NOTHING;
  if (HOLDS_A_RESULT.test(line))
    return HOLDS_A_FAILURE.test(line) ? { ...NOTHING, failed: failedIn(parsed(line)) } : NOTHING;
  const entry = parsed(line);
  if (!isRecord(entry) || !isRecord(entry.message)) return NOTHING;
  const { type: role, uuid, timestamp, message } = entry;
  if ((role !== "user" && role !== "assistant") || typeof uuid !== "string") return NOTHING;
  if (entry.isMeta === true || entry.isCompactSummary === true || entry.isApiErrorMessage === true)
    return NOTHING;
  if ((entry.isSidechain === true && !ofAgent) || message.model === OWN_MODEL) return NOTHING;
  const whole = textOf(message.content);
  if (role === "user" && COMMAND.test(whole))
    return { ...NOTHING, begins: true, isAboutMemory: MEMORY_COMMAND.test(whole) };
  const calls = role === "assistant" ? callsIn(message.content) : [];
  const isAboutMemory = calls.some(forgets);
  const text = ownWords(whole);
  const at = typeof timestamp === "string" && !Number.isNaN(Date.parse(timestamp)) ? timestamp : null;
  const done = at === null ? [] : calls.flatMap((call) => doneBy(call, at));
  if (at === null || text === "" || (role === "user" && NOT_A_PERSON.test(text)))
    return { ...NOTHING, isAboutMemory, done };
  const isAside = message.stop_reason === "tool_use";
  return {
    ...NOTHING,
    said: { uuid, role, text, at, isAside },
    begins: role === "user",
    isAboutMemory,
    done,
  };
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

function callsIn(content: unknown): Call[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => {
    if (!isRecord(block) || block.type !== "tool_use" || typeof block.name !== "string") return [];
    const id = typeof block.id === "string" ? block.id : "";
    return { id, name: block.name, input: isRecord(block.input) ? block.input : {} };
  });
}

const WRITING_TOOL = /^(?:Write|Edit|MultiEdit|NotebookEdit)$/;

function doneBy({ id, name, input }: Call, at: string): Done[] {
  const { command } = input;
  if (name === "Bash" && typeof command === "string") return [{ id, at, command }];
  const file = input.file_path ?? input.notebook_path;
  return WRITING_TOOL.test(name) && typeof file === "string" ? [{ id, at, file }] : [];
}

function failedIn(entry: unknown): string[] {
  const content = isRecord(entry) && isRecord(entry.message) ? entry.message.content : null;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) =>
    isRecord(block) && block.is_error === true && typeof block.tool_use_id === "string"
      ? block.tool_use_id
      : [],
  );
}

/** Whether it calls `memory_forget` or `retain forget`. */
function forgets({ name, input: { command } }: Call): boolean {
  return FORGETTING_TOOL.test(name) || (typeof command === "string" && FORGETTING_IN_SHELL.test(command));
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
