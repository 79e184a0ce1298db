/** Exports a conversation as JSON or Markdown. */
import { isNewName } from "../core/documents/names.ts";
import { slugify } from "../core/documents/slug.ts";
import type { Message } from "../core/sessions/conversation.ts";
import { localDay, localTime } from "../util/days.ts";
import { fileInWords, plural } from "../util/in-words.ts";
import { oneLine, truncate } from "../util/text.ts";
import type { OwnedSession } from "./ports.ts";
import { isSpoken, shownText } from "./prose.ts";
import { titleOf } from "./title.ts";

export const EXPORT_FORMATS = ["json", "markdown"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const ENDINGS: Record<ExportFormat, string> = { json: ".json", markdown: ".md" };

/** The name of the file. A session's id may not be usable as one. */
export function exportName(id: string, format: ExportFormat): string {
  return `${isNewName("id", id) ? id : slugify(id) || "session"}${ENDINGS[format]}`;
}

export interface ShownSession extends OwnedSession {
  /** Oldest first, including tool results and summaries of older messages. */
  readonly conversation: readonly Message[];
}

/** Other programs read it: SPEC.md names the fields. */
interface SessionJson {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly messages: readonly {
    readonly role: "user" | "assistant";
    readonly content: string;
    readonly timestamp: string;
  }[];
}

export function exported(session: ShownSession, format: ExportFormat): string {
  return format === "json" ? `${JSON.stringify(toJson(session), null, 2)}\n` : toMarkdown(session);
}

function toJson(session: ShownSession): SessionJson {
  const { id, tags, conversation } = session;
  const created = momentOf(session.created_at) ?? momentOf(session.updated_at) ?? NO_TIME;
  let last = created;
  const messages = conversation.flatMap((message) => {
    last = momentOf(message.timestamp) ?? last;
    const content = shownText(message);
    if (!isSpoken(message) || content === "") return [];
    const role = message.role === "user" ? ("user" as const) : ("assistant" as const);
    return { role, content, timestamp: last };
  });
  const updated = momentOf(session.updated_at) ?? last;
  return { id, created_at: created, updated_at: updated, title: nameOf(session), tags, messages };
}

/** Used if a damaged database has lost all timestamps. */
const NO_TIME = new Date(0).toISOString();

/** ISO 8601; null if invalid. */
function momentOf(time: string): string | null {
  const moment = new Date(time);
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString();
}

/** Its title, or one made from its first message. */
export function nameOf({ id, title, conversation }: ShownSession): string {
  const first = conversation.find(({ role }) => role === "user") ?? conversation.find(isSpoken);
  return title ?? titleOf(first === undefined ? "" : shownText(first)) ?? id;
}

function toMarkdown(session: ShownSession): string {
  const { id, chat, tags, summary, created_at, messages } = session;
  const facts = [momentInWords(created_at), `chat ${chat}`, plural(messages, "message"), id];
  const parts = [
    `# ${oneLine(nameOf(session))}`,
    facts.filter((fact) => fact !== "").join(" · "),
    ...(tags.length === 0 ? [] : [`Tags: ${tags.map(oneLine).join(", ")}`]),
    ...(summary === null ? [] : [asQuote(summary)]),
    ...session.conversation.map(turnOf),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

/** "2026-02-18 09:30", in local time. */
export function momentInWords(time: string): string {
  const moment = momentOf(time);
  return moment === null ? "" : `${localDay(moment)} ${localTime(new Date(moment))}`;
}

const NAMES: Record<Message["role"], string> = {
  user: "User",
  assistant: "Assistant",
  system: "Summary of the earlier conversation",
  tool: "",
};

function turnOf(message: Message): string {
  const { role, speaker, timestamp, details } = message;
  const said = shownText(message);
  const lines = toolLines(message).map((line) => `> ${line}`);
  if (role === "tool") return lines.join("\n");
  const when = momentInWords(timestamp);
  const stopped = endingOf(details).map((ending) => `*${ending}*`);
  if (said === "" && lines.length + stopped.length === 0) return "";
  const heading = `## ${oneLine(speaker ?? NAMES[role])}${when === "" ? "" : `, ${when}`}`;
  return [heading, said, ...stopped, lines.join("\n")].filter((part) => part !== "").join("\n\n");
}

/** How a message ended, if not with a complete reply. */
export function endingOf({ interrupted, failed }: Message["details"]): string[] {
  return [...(interrupted ? ["(interrupted)"] : []), ...(failed ? ["(failed)"] : [])];
}

const LONGEST_INPUT = 100;

/** One line for each attached file, tool call or tool result of a message. */
export function toolLines({
  role,
  content,
  details: { files = [], calls = [], results = [] },
}: Message): string[] {
  const reason = role === "tool" && content !== "" ? ` ${content}` : "";
  return [
    ...files.map(({ path, bytes }) => oneLine(`+ ${fileInWords(path, bytes)}`)),
    ...calls.map(({ name, input }) => oneLine(`→ ${name} ${truncate(inputInWords(input), LONGEST_INPUT)}`)),
    ...results.map(({ name, output, ok }) => {
      const size = plural(output === "" ? 0 : output.trimEnd().split("\n").length, "line");
      return oneLine(
        `${ok ? "✓" : "✗"} ${name}: ${ok ? size : truncate(oneLine(output + reason), LONGEST_INPUT)}`,
      );
    }),
  ];
}

function inputInWords(input: unknown): string {
  return oneLine(typeof input === "string" ? input : (JSON.stringify(input) ?? ""));
}

function asQuote(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
