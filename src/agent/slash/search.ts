/** Finds memories, and shows one of them with its source and what can be done with it. */
import { RetainError, unlessMissing } from "../../core/errors.ts";
import { command } from "../../core/hint.ts";
import { factInWords } from "../../facts/list-facts.ts";
import { NOTHING_FOUND } from "../../recall/outcome.ts";
import type { SearchHit } from "../../recall/search.ts";
import { shownText } from "../../sessions/prose.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { oneLine, truncate } from "../../util/text.ts";
import type { SlashContext } from "../slash-context.ts";
import { notice, output, requireWords, type SlashCommand } from "./command.ts";
import { documentVersions, restoreVersion, shownDocument, wholeDocument } from "./document.ts";
import { shownFact } from "./fact.ts";
import { type Shown, sessionActions } from "./shown.ts";

export const MOST_HITS = 20;
const MOST_FACTS = 200;
const LONGEST_LABEL = 100;

export const search: SlashCommand = {
  name: "search",
  usage: "<query>",
  detail: "search memories, past conversations and this one",
  commands: ["search"],
  async *run(chat, query) {
    requireWords(query, "/search how we deploy");
    chat.searched = query;
    const hits = await chat.ports.recall(query, { limit: MOST_HITS });
    if (hits.length === 0) {
      yield notice(NOTHING_FOUND);
      return;
    }
    const items = hits.map((hit) => ({
      value: nameOf(hit),
      label: labelOf(hit, LONGEST_LABEL),
      detail: [
        hit.kind,
        hit.unconfirmed ? "unconfirmed" : "",
        hit.until === undefined ? "" : `until ${hit.until}`,
        hit.at === null ? "" : localDay(hit.at),
        isHere(chat, hit) ? "this conversation" : (hit.session ?? ""),
      ]
        .filter((part) => part !== "")
        .join(", "),
    }));
    const title = `${plural(hits.length, "memory", "memories")} for "${query}"`;
    yield { type: "picker", picker: { title, command: "/memory", items } };
  },
};

function isHere({ conversation, ports }: SlashContext, { session, origin }: SearchHit): boolean {
  return session !== null && session === conversation.id && origin === ports.origin;
}

/** One line; a heading leads to its text: "Releases: on Fridays". */
export function labelOf({ text }: SearchHit, longest: number): string {
  return truncate(oneLine(text.replace(/^#{1,6} +(.*\S)/gm, "$1:")), longest);
}

/** An argument for `/memory`. Sessions in a project and at home may have the same id. */
export function nameOf({ kind, id, collection, session, origin }: SearchHit): string {
  if (kind === "message" && session !== null) return `message ${id} of ${session} in ${origin}`;
  if (kind === "message" || kind === "summary") return `session ${session ?? id} in ${origin}`;
  return `${kind} ${collection === null ? id : `${collection}/${id}`}`;
}

/** With any other first word, all words are a filter for facts. */
const NAMED = /^(session|message|fact|note|document|whole|versions|restore|id)\s+(.+)$/s;

export const memory: SlashCommand = {
  name: "memory",
  usage: "[words|kind id]",
  detail: "list facts, or show one memory and what you can do with it",
  // It lists no ended facts. No slash command that suggests it takes one.
  commands: ["facts", "facts --all"],
  async *run(chat, said) {
    const [, kind, id = ""] = NAMED.exec(said) ?? [];
    if (kind === undefined) yield output(await listed(chat, said));
    else if (kind === "session") yield output(await conversationText(chat, id));
    else if (kind === "whole") yield output(await wholeDocument(chat, id));
    else if (kind === "versions") yield { type: "picker", picker: await documentVersions(chat, id) };
    else if (kind === "restore") yield notice(await restoreVersion(chat, id));
    else if (kind === "id") yield { type: "draft", text: id };
    else {
      const { text, actions } = await shown(chat, kind, id);
      yield output(text);
      const items = [...actions, { value: `id ${id}`, label: "Insert its id into the input", detail: id }];
      const title = "What do you want to do with it?";
      yield { type: "picker", picker: { title, command: "/memory", items, isDetail: true } };
    }
  },
};

async function shown(chat: SlashContext, kind: string, id: string): Promise<Shown> {
  if (kind === "fact") {
    const provenance = await unlessMissing(chat.ports.facts.why(id));
    if (provenance !== null) return shownFact(chat, provenance);
  }
  if (kind === "message") return shownMessage(chat, id);
  // Searching for the id does not always find the memory.
  const hit = (await foundBy(chat, chat.searched, kind, id)) ?? (await foundBy(chat, id, kind, id));
  if (kind === "document") return shownDocument(chat, id, hit);
  if (hit === undefined)
    throw new RetainError("not_found", `There is no ${kind} ${id}.`, "To find memories: /search <query>");
  const day = hit.at === null ? "" : `, ${localDay(hit.at)}`;
  const forgetNote = { command: "/forget", value: id, label: "Forget", detail: "permanently" };
  return {
    text: [hit.text, "", `- ${kind} ${id}${day}`].join("\n"),
    actions: kind === "note" ? [forgetNote] : [],
  };
}

async function foundBy(
  { ports }: SlashContext,
  query: string,
  kind: string,
  id: string,
): Promise<SearchHit | undefined> {
  if (query === "") return undefined;
  const hits = await ports.recall(query, { limit: MOST_HITS });
  return hits.find((one) => nameOf(one) === `${kind} ${id}`);
}

/** "12 of session_20260218_001 in home". */
async function shownMessage(chat: SlashContext, said: string): Promise<Shown> {
  const [, number = "", session = "", where = ""] = /^(\d+) of (\S+)( in \S+)?$/.exec(said) ?? [];
  const { id, title, origin, conversation } = await chat.ports.sessions.show(
    session,
    originIn(where).options,
  );
  const message = conversation.find((one) => one.id === Number(number));
  if (message === undefined)
    throw new RetainError("not_found", `There is no message ${said}.`, "To find memories: /search <query>");
  const { role, timestamp, speaker } = message;
  const from = `${speaker ?? role}, ${localDay(timestamp)}, ${id}${title === null ? "" : ` (${oneLine(title)})`}`;
  return {
    text: [shownText(message), "", `- ${from}`].join("\n"),
    actions: sessionActions(chat, id, origin),
  };
}

function originIn(named: string) {
  const origin = (["project", "home"] as const).find((one) => named.endsWith(` in ${one}`));
  if (origin === undefined) return { id: named, options: {} };
  return { id: named.slice(0, -` in ${origin}`.length), options: { origin } };
}

async function conversationText({ ports }: SlashContext, named: string): Promise<string> {
  const { id, options } = originIn(named);
  return ports.sessions.export(id, "markdown", options);
}

async function listed({ ports }: SlashContext, words: string): Promise<string> {
  const facts = await ports.facts.list();
  const wanted = facts.filter(({ text }) => text.toLowerCase().includes(words.toLowerCase()));
  if (wanted.length === 0)
    return words === "" ? "No facts yet. Save one: /remember <fact>" : `No fact contains "${words}".`;
  const lines = wanted.slice(-MOST_FACTS).map((fact) => `- ${factInWords(fact)}  \`${fact.id}\``);
  const more =
    wanted.length > MOST_FACTS ? [`… and ${wanted.length - MOST_FACTS} more: ${command("facts")}`] : [];
  return [...lines, ...more].join("\n");
}
