/**
 * A session as a file: one JSON object a line, each with a checksum of its own. The first line says whose conversation it is, the
 * others are its messages and, later, changes of its title, tags and summary. Lines are only added; what is forgotten is the one
 * reason to write a file anew.
 *
 *   {"type":"session","version":1,"id":"session_20261117_001","chat":"main","title":null,"tags":[],"created_at":"...","sum":"..."}
 *   {"type":"message","id":57,"role":"user","speaker":null,"content":"...","timestamp":"...","token_count":9,"sum":"..."}
 *   {"type":"change","title":"Deploys","sum":"..."}
 */
import { sha256 } from "../../util/hash.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import type { Message, MessageDetails, Role } from "./conversation.ts";
import { editedDetails, soundDetails } from "./message-details.ts";

/** Files of a higher version are left alone. */
const VERSION = 1;

interface HeaderLine {
  readonly type: "session";
  readonly version: number;
  readonly id: string;
  readonly chat: string;
  readonly title: string | null;
  readonly tags: readonly string[];
  readonly created_at: string;
}

interface MessageLine extends Omit<Message, "details"> {
  readonly type: "message";
  readonly details?: MessageDetails;
  /** When the session was last changed, where that is not when the message was said. */
  readonly updated_at?: string;
  /** The next line was stored in one step with this one: without it, this one was never stored. */
  readonly more?: true;
}

interface ChangeLine {
  readonly type: "change";
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  /** The last message that the summary covers. */
  readonly covers_to?: number;
}

type Line = HeaderLine | MessageLine | ChangeLine;

export type SessionHeader = Omit<HeaderLine, "type" | "version">;
export type FiledChange = Omit<ChangeLine, "type">;

/** What a session's file says. */
export interface FiledSession extends SessionHeader {
  readonly updated_at: string;
  readonly summary: string | null;
  /** The last message that the summary covers; 0 where there is none. */
  readonly summarisedTo: number;
  readonly messages: readonly Message[];
}

/** The highest numbers that sessions and messages had: they are not given again. */
export interface GivenNumbers {
  readonly message: number;
  /** The id of a session; "" where there is none. */
  readonly session: string;
}

export interface ReadSession {
  /** null where no line could be read, or where a newer version of Retain wrote the file. */
  readonly session: FiledSession | null;
  readonly isNewer: boolean;
  /** The lines that are not what was written, counted from one. */
  readonly damaged: readonly number[];
  /** How many bytes stand for what was stored: what is behind them was cut short while it was written. */
  readonly size: number;
}

export function headerLine({ id, chat, title, tags, created_at }: SessionHeader): string {
  return withChecksum({ type: "session", version: VERSION, id, chat, title, tags, created_at });
}

/** The lines of messages that are stored in one step: after a crash all of them are there, or none. */
export function messageLines(messages: readonly Message[], updatedAt?: string): string {
  return messages
    .map(({ details, ...message }, index) =>
      withChecksum({
        type: "message",
        ...message,
        ...(Object.keys(details).length > 0 && { details }),
        ...(updatedAt !== undefined && { updated_at: updatedAt }),
        ...(index < messages.length - 1 && { more: true }),
      }),
    )
    .join("");
}

export function changeLine(change: FiledChange): string {
  return withChecksum({ type: "change", ...change });
}

/** All of a session as a new file. */
export function sessionText(session: FiledSession): string {
  const { title, tags, summary, summarisedTo, messages, updated_at } = session;
  const last = messages.at(-1)?.timestamp;
  const change: FiledChange = {
    ...(summary !== null && { summary }),
    ...(summarisedTo > 0 && { covers_to: summarisedTo }),
  };
  return [
    headerLine({ ...session, title, tags }),
    ...messages.map((message) => messageLines([message], last === updated_at ? undefined : updated_at)),
    ...(Object.keys(change).length > 0 ? [changeLine(change)] : []),
  ].join("");
}

/** `id` names the session of a file whose first line cannot be read. */
export function readSession(bytes: Uint8Array, id: string): ReadSession {
  const { lines, size } = wholeLines(bytes);
  const damaged: number[] = [];
  const sound = lines.flatMap(({ line }, index) => {
    if (line === null) damaged.push(index + 1);
    return line ?? [];
  });
  const isNewer = lines.some(({ text }) => versionOf(text) > VERSION);
  const session = isNewer || sound.length === 0 ? null : sessionOf(sound, id);
  return { session, isNewer, damaged, size };
}

/** The file with every text of the conversation edited; lines that cannot be read are edited as they stand. */
export function editedSession(bytes: Uint8Array, edit: (text: string) => string): string {
  return rewritten(bytes, edit, (line) => editedLine(line, edit));
}

/** The file with other numbers for its messages, and for what refers to them. */
export function renumberedSession(bytes: Uint8Array, numberOf: (id: number) => number): string {
  return rewritten(
    bytes,
    (text) => text,
    (line) => renumberedLine(line, numberOf),
  );
}

function rewritten(
  bytes: Uint8Array,
  ofDamaged: (text: string) => string,
  change: (line: Line) => Line,
): string {
  return wholeLines(bytes)
    .lines.map(({ line, text }) => (line === null ? `${ofDamaged(text)}\n` : withChecksum(change(line))))
    .join("");
}

function editedLine(line: Line, edit: (text: string) => string): Line {
  if (line.type === "message") {
    const { details, content } = line;
    return {
      ...line,
      content: edit(content),
      ...(details !== undefined && { details: editedDetails(details, edit) }),
    };
  }
  const { title, tags } = line;
  return {
    ...line,
    ...(typeof title === "string" && { title: edit(title) }),
    ...(tags !== undefined && { tags: tags.map(edit) }),
    ...("summary" in line && line.summary !== undefined && { summary: edit(line.summary) }),
  } as Line;
}

function renumberedLine(line: Line, numberOf: (id: number) => number): Line {
  if (line.type === "session") return line;
  if (line.type === "change")
    return line.covers_to === undefined ? line : { ...line, covers_to: numberOf(line.covers_to) };
  const { details = {} } = line;
  const references = Object.fromEntries(
    (["compactsTo", "retainedTo", "learnedTo"] as const).flatMap((field) => {
      const number = details[field];
      return number === undefined ? [] : [[field, numberOf(number)]];
    }),
  );
  const renumbered = Object.keys(references).length === 0 ? {} : { details: { ...details, ...references } };
  return { ...line, id: numberOf(line.id), ...renumbered };
}

interface FoundLine {
  readonly text: string;
  /** null where it is not what was written. */
  readonly line: Line | null;
}

/** As it stands: a line that somebody put a byte order mark before is not what was written. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The lines that were stored. Behind them there may be one that was cut short, or lines whose step was never finished. */
function wholeLines(bytes: Uint8Array): { lines: FoundLine[]; size: number } {
  const lines: FoundLine[] = [];
  let stored = 0;
  let size = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end === -1 ? bytes.length : end;
    const text = DECODER.decode(bytes.subarray(from, to));
    const line = lineOf(text);
    from = to + 1;
    // An editor may have taken the last line's end away.
    if (end === -1 && line === null) break;
    if (text === "") continue;
    lines.push({ text, line });
    if (line?.type === "message" && line.more) continue;
    stored = lines.length;
    size = Math.min(from, bytes.length);
  }
  return { lines: lines.slice(0, stored), size };
}

const SUM_DIGITS = 16;
const SUM = new RegExp(`,"sum":"([0-9a-f]{${SUM_DIGITS}})"}$`);

function withChecksum(line: Line): string {
  const json = JSON.stringify(line).slice(0, -1);
  return `${json},"sum":"${sumOf(json)}"}\n`;
}

function sumOf(json: string): string {
  return sha256(json).slice(0, SUM_DIGITS);
}

function lineOf(text: string): Line | null {
  const match = SUM.exec(text);
  if (match === null || match[1] !== sumOf(text.slice(0, match.index))) return null;
  const value = parseJson(text);
  if (!isRecord(value) || typeof value.type !== "string" || !Object.hasOwn(CHECKS, value.type)) return null;
  const { sum: _, ...line } = value;
  return CHECKS[value.type as Line["type"]](line) ? (line as unknown as Line) : null;
}

/** Of a line that may be a newer version's, whose shape is not known here. */
function versionOf(text: string): number {
  const found = /^\{"type":"session","version":(\d{1,9})[,}]/.exec(text);
  return found === null || !SUM.test(text) ? 0 : Number(found[1]);
}

const ROLES: readonly Role[] = ["user", "assistant", "system", "tool"];

const isText = (value: unknown) => typeof value === "string";
const isTextOrNull = (value: unknown) => value === null || isText(value);
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText);
const isNumber = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
const orAbsent = (value: unknown, check: (value: unknown) => boolean) => value === undefined || check(value);

type Fields = Readonly<Record<string, unknown>>;

/** A checksum tells that a line is as it was written, not that Retain wrote it. */
const CHECKS: Readonly<Record<Line["type"], (line: Fields) => boolean>> = {
  session: ({ id, chat, title, tags, created_at }) =>
    isText(id) && isText(chat) && isTextOrNull(title) && isTexts(tags) && isText(created_at),
  message: ({ id, role, speaker, content, timestamp, token_count, details, updated_at }) =>
    isNumber(id) &&
    ROLES.includes(role as Role) &&
    isTextOrNull(speaker) &&
    isText(content) &&
    isText(timestamp) &&
    (token_count === null || Number.isSafeInteger(token_count)) &&
    orAbsent(details, isRecord) &&
    orAbsent(updated_at, isText),
  change: ({ title, tags, summary, covers_to }) =>
    orAbsent(title, isText) &&
    orAbsent(tags, isTexts) &&
    orAbsent(summary, isText) &&
    orAbsent(covers_to, Number.isSafeInteger),
};

/** A session whose first line is lost has the name of its file, and began with its first message. */
function sessionOf(lines: readonly Line[], id: string): FiledSession {
  const messages = lines.filter((line) => line.type === "message");
  const header = lines.find((line) => line.type === "session");
  const created_at = header?.created_at ?? messages[0]?.timestamp ?? "";
  const { type: _, version: __, ...known } = header ?? { type: "", version: 0 };
  const session: FiledSession = {
    ...{ id, chat: "main", title: null, tags: [], ...known, created_at },
    ...{ updated_at: created_at, summary: null, summarisedTo: 0 },
    messages: messages.map(({ type, more, updated_at, details, ...message }) => ({
      ...message,
      details: soundDetails(details),
    })),
  };
  const last = messages.at(-1);
  const updated = last === undefined ? {} : { updated_at: last.updated_at ?? last.timestamp };
  const changes = lines.filter((line) => line.type === "change").map(changeOf);
  return Object.assign({ ...session, ...updated }, ...changes);
}

function changeOf({ title, tags, summary, covers_to }: ChangeLine): Partial<FiledSession> {
  return {
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(summary !== undefined && { summary }),
    ...(covers_to !== undefined && { summarisedTo: covers_to }),
  };
}
