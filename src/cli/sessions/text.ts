/** Sessions as text: a list, one conversation, and search hits. */
import type { FoundInSession } from "../../app/search-sessions.ts";
import type { Message } from "../../core/sessions/conversation.ts";
import type { SearchHit } from "../../recall/search.ts";
import { snippetOf } from "../../recall/snippet.ts";
import { endingOf, momentInWords, nameOf, type ShownSession, toolLines } from "../../sessions/export.ts";
import type { OwnedSession } from "../../sessions/ports.ts";
import { shownText } from "../../sessions/prose.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine } from "../../util/text.ts";
import { type Cell, heading, type Terminal, table } from "../output.ts";

const NO_SESSIONS = "No sessions.";
const TITLE = 1;

/** `more`: there are further sessions. */
export function listText(terminal: Terminal, sessions: readonly OwnedSession[], more: boolean): string {
  if (sessions.length === 0) return NO_SESSIONS;
  const inProject = sessions.some(({ origin }) => origin === "project");
  const rows = sessions.map((session): Cell[] => [
    { text: session.id, style: "cyan" },
    session.failed ? `(failed) ${titleOf(session)}` : titleOf(session),
    inProject ? `${session.chat}, ${session.origin}` : session.chat,
    String(session.messages),
    localDay(session.updated_at),
    session.tags.join(", "),
  ]);
  const header = heading("ID", "TITLE", "CHAT", "MESSAGES", "LAST", "TAGS");
  const number = plural(sessions.length, "session");
  const count = terminal.style("dim", more ? `The last ${number}; use --limit for more` : number);
  return [...table(terminal, [header, ...rows], [TITLE]), count].join("\n");
}

/** The title, else the summary. */
export function titleOf({ title, summary }: Pick<OwnedSession, "title" | "summary">): string {
  return title ?? summary ?? "";
}

export function showText(terminal: Terminal, session: ShownSession): string {
  const { id, chat, created_at, messages, tags, summary } = session;
  const facts = [id, `chat ${chat}`, momentInWords(created_at), plural(messages, "message")];
  const head = [
    terminal.style("bold", oneLine(nameOf(session))),
    terminal.style("dim", oneLine(facts.filter((fact) => fact !== "").join(" · "))),
    ...(tags.length === 0 ? [] : [terminal.style("dim", oneLine(`tags: ${tags.join(", ")}`))]),
    ...(summary === null ? [] : [`Summary: ${oneLine(summary)}`]),
  ];
  const turns = session.conversation.map((message) => turnText(terminal, message));
  return [head.join("\n"), ...turns.filter((turn) => turn !== "")].join("\n\n");
}

const WHO: Record<Message["role"], string> = {
  user: "you",
  assistant: "assistant",
  system: "summary of the earlier conversation",
  tool: "",
};

function turnText(terminal: Terminal, message: Message): string {
  const { role, speaker, timestamp, details } = message;
  const said = shownText(message);
  const tools = toolLines(message).map((line) => terminal.style("dim", `  ${line}`));
  if (role === "tool") return tools.join("\n");
  const stopped = endingOf(details).map((ending) => terminal.style("yellow", ending));
  if (said === "" && tools.length + stopped.length === 0) return "";
  const name = terminal.style(role === "user" ? "cyan" : "green", oneLine(speaker ?? WHO[role]));
  const head = `${name} ${terminal.style("dim", momentInWords(timestamp))}`.trimEnd();
  return [head, said, ...stopped, ...tools].filter((line) => line !== "").join("\n");
}

const LINES_A_SESSION = 3;
const SNIPPET_LENGTH = 200;

export function searchText(
  terminal: Terminal,
  found: readonly FoundInSession[],
  words: readonly string[],
): string {
  if (found.length === 0) return "No matching sessions.";
  const blocks = found.map(({ session, hits }) => {
    const title = oneLine(titleOf(session));
    const rest = `(${session.chat}, ${localDay(session.updated_at)})`;
    const head = [
      terminal.style("cyan", session.id),
      terminal.style("bold", title),
      terminal.style("dim", rest),
    ];
    const lines = hits.slice(0, LINES_A_SESSION).map((hit) => {
      const snippet = oneLine(snippetOf(hit.text, words, SNIPPET_LENGTH));
      return `  ${terminal.style("dim", `${saidBy(hit)}:`)} ${snippet}`;
    });
    return [head.filter((part) => part !== "").join("  "), ...lines].join("\n");
  });
  return [...blocks, terminal.style("dim", plural(found.length, "session"))].join("\n");
}

function saidBy({ kind, speaker, trust }: SearchHit): string {
  if (kind === "summary") return "summary";
  return speaker ?? (trust === "stated" ? "you" : "assistant");
}
