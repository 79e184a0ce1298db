/**
 * Parses session files of other systems: one JSON object with messages, or JSON lines, where lines without a role describe the
 * session. Skipped messages are reported with their line.
 */

import { RetainError } from "../core/errors.ts";
import type { Role } from "../core/sessions/conversation.ts";
import { isRecord } from "../util/json.ts";

export interface SourceMessage {
  readonly role: Role;
  readonly speaker: string | null;
  readonly content: string;
  /** ISO 8601; null if there is no valid one. */
  readonly timestamp: string | null;
  readonly token_count: number | null;
}

export interface SourceSession {
  readonly id: string | null;
  readonly chat: string | null;
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly messages: readonly SourceMessage[];
  /** `line`: the line in JSON lines, else the message's number, from 1. */
  readonly problems: readonly { readonly line: number; readonly why: string }[];
}

type Json = Readonly<Record<string, unknown>>;

/** null if it isn't a session. Throws `invalid_input` if it isn't JSON. */
export function parseSession(text: string, name: string): SourceSession | null {
  const lines = /\.json$/i.test(name) ? null : fromLines(text);
  if (lines !== null && lines.messages.length === 0 && lines.problems.length > 0)
    throw new RetainError("invalid_input", "No line of it is a message.", FIX_AND_RERUN);
  return lines ?? fromJson(text);
}

const FIX_AND_RERUN = "Fix it, then run this again.";

function fromJson(text: string): SourceSession | null {
  if (text.trim() === "") return null;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    // Some systems write JSON lines to a .json file.
    const lines = fromLines(text);
    if (lines !== null && lines.problems.length === 0) return lines;
    throw new RetainError("invalid_input", "It is not valid JSON.", FIX_AND_RERUN);
  }
  const messages = Array.isArray(read) ? read : isRecord(read) ? read.messages : null;
  if (!Array.isArray(messages)) return null;
  const parts = messages.map((value: unknown, index) => ({ line: index + 1, value }));
  return sessionOf(isRecord(read) ? [read] : [], parts);
}

/** A part that may be a message; `why` says why it isn't one. */
interface Part {
  readonly line: number;
  readonly value: unknown;
  readonly why?: string;
}

/** Fields that describe the session, at the top or added later, such as a new title. */
const META = ["id", "session_id", "title", "tags", "created_at", "updated_at", "meta", "metadata", "session"];

function fromLines(text: string): SourceSession | null {
  const head: Json[] = [];
  const parts: Part[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const value = parsedLine(line);
    const message = isRecord(value) ? messageIn(value) : null;
    if (message !== null) parts.push({ line: index + 1, value: message });
    else if (isRecord(value) && (parts.length === 0 || META.some((name) => name in value))) head.push(value);
    else
      parts.push({
        line: index + 1,
        value,
        why: isRecord(value) ? NO_MESSAGE : "The line is not valid JSON.",
      });
  }
  return head.length + parts.length === 0 ? null : sessionOf(head, parts);
}

const NO_MESSAGE = "It is not a message.";

function parsedLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** The line itself, or its `message` field. */
function messageIn(value: Json): Json | null {
  if (typeof value.role === "string") return value;
  const { message } = value;
  return isRecord(message) && typeof message.role === "string" ? { ...value, ...message } : null;
}

function sessionOf(head: readonly Json[], parts: readonly Part[]): SourceSession {
  const meta = head.flatMap((one) => [one, ...[one.meta, one.metadata, one.session].filter(isRecord)]);
  const messages: SourceMessage[] = [];
  const problems: { line: number; why: string }[] = [];
  for (const part of parts) {
    const { message, why } =
      part.why === undefined ? readMessage(part.value) : { message: null, why: part.why };
    if (message !== null) messages.push(message);
    if (why !== null) problems.push({ line: part.line, why });
  }
  const all = <T>(names: readonly string[], read: (value: unknown) => T | null): T[] =>
    meta.flatMap((one) => names.flatMap((name) => read(one[name]) ?? []));
  return {
    id: all(["id", "session_id", "sessionId", "session"], idOf)[0] ?? null,
    chat: all(["chat", "chat_id", "chatId"], idOf)[0] ?? null,
    title: all(["title", "name"], textOf).at(-1) ?? null,
    tags: tagsOf(meta.flatMap(({ tags }) => (Array.isArray(tags) ? [tags] : [])).at(-1) ?? []),
    created_at: all(["created_at", "createdAt", "started_at", "startedAt", "timestamp"], momentOf)[0] ?? null,
    updated_at: all(["updated_at", "updatedAt", "ended_at", "endedAt"], momentOf).at(-1) ?? null,
    messages,
    problems,
  };
}

const ROLES: ReadonlyMap<unknown, Role> = new Map([
  ["user", "user"],
  ["human", "user"],
  ["assistant", "assistant"],
  ["ai", "assistant"],
  ["bot", "assistant"],
  ["model", "assistant"],
  ["system", "system"],
  ["tool", "tool"],
]);

function readMessage(value: unknown): { message: SourceMessage | null; why: string | null } {
  if (!isRecord(value)) return { message: null, why: NO_MESSAGE };
  const role = ROLES.get(typeof value.role === "string" ? value.role.toLowerCase() : null);
  if (role === undefined) return { message: null, why: `Unknown role: ${shown(value.role)}.` };
  const { text, others } = contentOf(value.content ?? value.text);
  if (text === null) return { message: null, why: "It has no text." };
  const timestamp = momentOf(
    value.timestamp ?? value.created_at ?? value.createdAt ?? value.time ?? value.ts,
  );
  const speaker = textOf(value.speaker ?? value.name);
  const tokens = value.token_count;
  const token_count =
    typeof tokens === "number" && Number.isSafeInteger(tokens) && tokens >= 0 ? tokens : null;
  const message = { role, speaker, content: text, timestamp, token_count };
  return { message, why: others === 0 ? null : "Its non-text parts are not imported." };
}

/** A string, or a list of parts, of which only text counts. */
function contentOf(content: unknown): { text: string | null; others: number } {
  if (typeof content === "string") return { text: content, others: 0 };
  if (!Array.isArray(content)) return { text: null, others: 0 };
  const texts = content.map((part: unknown) =>
    typeof part === "string" ? part : isRecord(part) && typeof part.text === "string" ? part.text : null,
  );
  const read = texts.filter((text) => text !== null);
  return { text: read.length === 0 ? null : read.join("\n\n"), others: texts.length - read.length };
}

const ISO_SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;
/** Smaller numbers are seconds since 1970, larger ones milliseconds. */
const FIRST_MS = 100_000_000_000;

/** Converts a time to UTC; one already in UTC stays verbatim. */
function momentOf(value: unknown): string | null {
  if (typeof value === "string" && ISO_SECONDS.test(value) && !Number.isNaN(Date.parse(value))) return value;
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d{9,14}$/.test(value));
  const number = isNumber ? Number(value) : Number.NaN;
  const time = isNumber
    ? number * (number < FIRST_MS ? 1_000 : 1)
    : Date.parse(typeof value === "string" ? value : "");
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function idOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function tagsOf(tags: readonly unknown[]): string[] {
  return [...new Set(tags.flatMap((tag) => textOf(tag) ?? []))];
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 40) ?? "nothing";
}
