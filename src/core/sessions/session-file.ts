/**
 * The file format of a session: one JSON object per line, each with its own checksum. The first line is the header; the others are
 * messages and changes: of title, tags and summary, or that a message failed or was sent again. Lines are only appended; only forgetting something rewrites a file.
 *
 *   {"type":"session","version":1,"id":"session_20261117_001","chat":"main","title":null,"tags":[],"created_at":"...","sum":"..."}
 *   {"type":"message","id":57,"role":"user","speaker":null,"content":"...","timestamp":"...","token_count":9,"sum":"..."}
 *   {"type":"change","title":"Deploys","sum":"..."}
 */
import { sha256 } from "../../util/hash.ts";
import { isRecord, parseJson } from "../../util/json.ts";
import type { Message, MessageDetails, Role } from "./conversation.ts";
import { editedDetails, soundDetails } from "./message-details.ts";

/** Files of a higher version are not touched. */
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
  /** When the session was last changed, if that differs from the message's timestamp. */
  readonly updated_at?: string;
  /** The next line belongs to the same write: without it, this line does not count as stored. */
  readonly more?: true;
}

interface ChangeLine {
  readonly type: "change";
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  /** The last message that the summary covers. */
  readonly covers_to?: number;
  /** A user's message that got no reply. Versions of Retain that don't know the field treat it like any other message. */
  readonly failed?: number;
  /** A failed message that was sent again. */
  readonly retried?: number;
}

type Line = HeaderLine | MessageLine | ChangeLine;

type SessionHeader = Omit<HeaderLine, "type" | "version">;
export type FiledChange = Omit<ChangeLine, "type">;

/** A session as read from its file. */
export interface FiledSession extends SessionHeader {
  readonly updated_at: string;
  readonly summary: string | null;
  /** The last message that the summary covers; 0 if there is none. */
  readonly summarisedTo: number;
  readonly messages: readonly Message[];
}

/** The highest ids used so far by sessions and messages, so that none is reused. */
export interface GivenNumbers {
  readonly message: number;
  /** A session's id; "" if there is none. */
  readonly session: string;
}

type FailedState = NonNullable<MessageDetails["failed"]>;

export interface ReadSession {
  /** null if no line is readable, or if a newer version of Retain wrote the file. */
  readonly session: FiledSession | null;
  readonly isNewer: boolean;
  /** The numbers of damaged lines, counted from one. */
  readonly damaged: readonly number[];
  /** The length of the complete part in bytes. Anything after it is an interrupted write. */
  readonly size: number;
}

export function headerLine({ id, chat, title, tags, created_at }: SessionHeader): string {
  return withChecksum({ type: "session", version: VERSION, id, chat, title, tags, created_at });
}

/** The lines of messages stored in one write: after a crash, all of them count or none. */
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

/** A whole session as the text of a new file. */
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

/** `id` is used if the file's first line is damaged. */
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

/** Edits every text of the conversation; damaged lines are edited as plain text. */
export function editedSession(bytes: Uint8Array, edit: (text: string) => string): string {
  return rewritten(bytes, edit, (line) => editedLine(line, edit));
}

/** Renumbers the messages and all references to them. */
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
  if (line.type === "change") return { ...line, ...renumbered(line, IN_CHANGES, numberOf) };
  const { details = {} } = line;
  const references = renumbered(details, IN_DETAILS, numberOf);
  return {
    ...line,
    id: numberOf(line.id),
    ...(Object.keys(references).length > 0 && { details: { ...details, ...references } }),
  };
}

/** Fields that refer to a message by its number. */
const IN_CHANGES = ["covers_to", "failed", "retried"] as const;
const IN_DETAILS = ["compactsTo", "retainedTo", "learnedTo"] as const;

function renumbered<Field extends string>(
  from: { readonly [F in Field]?: number },
  fields: readonly Field[],
  numberOf: (id: number) => number,
): { [F in Field]?: number } {
  const references = fields.flatMap((field) => {
    const number = from[field];
    return number === undefined ? [] : [[field, numberOf(number)]];
  });
  return Object.fromEntries(references);
}

interface FoundLine {
  readonly text: string;
  /** null if damaged. */
  readonly line: Line | null;
}

/** Keeps a byte order mark: a line that somebody added one to must fail its checksum. */
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** The stored lines, without an incomplete last line or lines of an unfinished write. */
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
    // An editor may have removed the final newline.
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

/** Works on header lines of newer versions too, whose shape is unknown here. */
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

/** A checksum shows that a line is undamaged, not that Retain wrote it. */
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
  change: ({ title, tags, summary, covers_to, failed, retried }) =>
    orAbsent(title, isText) &&
    orAbsent(tags, isTexts) &&
    orAbsent(summary, isText) &&
    [covers_to, failed, retried].every((number) => orAbsent(number, Number.isSafeInteger)),
};

/** If the first line is lost, the id comes from the file name and the start time from the first message. */
function sessionOf(lines: readonly Line[], id: string): FiledSession {
  const messages = lines.filter((line) => line.type === "message");
  const header = lines.find((line) => line.type === "session");
  const created_at = header?.created_at ?? messages[0]?.timestamp ?? "";
  const { type: _, version: __, ...known } = header ?? { type: "", version: 0 };
  const changes = lines.filter((line) => line.type === "change");
  const failures = new Map(changes.map(failureIn).filter((failure) => failure !== null));
  const session: FiledSession = {
    ...{ id, chat: "main", title: null, tags: [], ...known, created_at },
    ...{ updated_at: created_at, summary: null, summarisedTo: 0 },
    messages: messages.map(({ type, more, updated_at, details, ...message }) => ({
      ...message,
      details: withFailure(soundDetails(details), failures.get(message.id)),
    })),
  };
  const last = messages.at(-1);
  const updated = last === undefined ? {} : { updated_at: last.updated_at ?? last.timestamp };
  return Object.assign({ ...session, ...updated }, ...changes.map(changeOf));
}

/** The number of the message that a change marks, and the mark. */
export function failureIn({ failed, retried }: FiledChange): [number, FailedState] | null {
  if (retried !== undefined) return [retried, "retried"];
  return failed === undefined ? null : [failed, "unanswered"];
}

/** The mark goes last, so that rows and files have the same JSON. */
export function withFailure(details: MessageDetails, failed: FailedState | undefined): MessageDetails {
  if (failed === undefined) return details;
  const { failed: _, ...rest } = details;
  return { ...rest, failed };
}

function changeOf({ title, tags, summary, covers_to }: ChangeLine): Partial<FiledSession> {
  return {
    ...(title !== undefined && { title }),
    ...(tags !== undefined && { tags }),
    ...(summary !== undefined && { summary }),
    ...(covers_to !== undefined && { summarisedTo: covers_to }),
  };
}
