/** Slash commands on memory. */

import { RetainError } from "../../core/errors.ts";
import { endInWords, shownTrust } from "../../core/facts/fact.ts";
import { command, hint } from "../../core/hint.ts";
import { forgetHeadline, forgetRemarks } from "../../facts/forget/report.ts";
import { undoneLines } from "../../facts/undo.ts";
import { NOTHING_FOUND } from "../../recall/outcome.ts";
import type { SearchHit } from "../../recall/search.ts";
import { localDay, oneLine, plural, truncate } from "../../util/text.ts";
import type { Picker } from "../events.ts";
import { memoryName } from "../offline.ts";
import { changesOf } from "../save-marks.ts";
import type { SlashContext } from "../slash-context.ts";
import { notice, output, type SlashCommand } from "./command.ts";

const MOST_HITS = 20;
const MOST_FACTS = 200;
/** Characters of a used memory; the list shows all of the marked one. */
const LONGEST_LABEL = 300;

export const search: SlashCommand = {
  name: "search",
  usage: "<query>",
  detail: "search memories and past conversations",
  commands: ["search"],
  async *run(chat, query) {
    requireWords(query, "/search how we deploy");
    chat.searched = query;
    const found = await chat.ports.recall(query, { limit: MOST_HITS });
    // Messages of this conversation are already on the screen.
    const hits = found.filter(
      ({ session, origin }) =>
        session === null || session !== chat.conversation.id || origin !== chat.ports.origin,
    );
    if (hits.length === 0) {
      yield notice(NOTHING_FOUND);
      return;
    }
    const items = hits.map((hit) => ({
      value: nameOf(hit),
      label: truncate(oneLine(hit.text), 100),
      detail: [
        hit.kind,
        hit.unconfirmed ? "unconfirmed" : "",
        hit.at === null ? "" : localDay(hit.at),
        hit.session ?? "",
      ]
        .filter((part) => part !== "")
        .join(", "),
    }));
    yield {
      type: "picker",
      picker: {
        title: `${plural(hits.length, "memory", "memories")} for "${query}"`,
        command: "/memory",
        items,
      },
    };
  },
};

/** An argument for `/memory`. Sessions in a project and at home may have the same id. */
function nameOf({ kind, id, collection, session, origin }: SearchHit): string {
  if (kind === "message" || kind === "summary") return `session ${session ?? id} in ${origin}`;
  return `${kind} ${collection === null ? id : `${collection}/${id}`}`;
}

export const remember: SlashCommand = {
  name: "remember",
  usage: "<fact>",
  detail: "save a fact",
  commands: ["remember"],
  async *run(chat, fact) {
    requireWords(fact, "/remember I prefer tea");
    if (chat.conversation.incognito)
      throw new RetainError(
        "conflict",
        "Not saved: this conversation is not being stored.",
        "Start a new one: /new",
      );
    yield { type: "memory", ...changesOf(await chat.ports.facts.remember(fact)) };
  },
};

export const confirm: SlashCommand = {
  name: "confirm",
  usage: "[id…|all]",
  detail: "confirm facts, so that they move to MEMORY.md",
  commands: ["confirm"],
  async *run(chat, said) {
    const { facts } = chat.ports;
    if (said === "") {
      const waiting = await facts.list({ unconfirmed: true });
      const items = waiting.map(({ id, text }) => ({ value: id, label: text, detail: "unconfirmed" }));
      if (items.length === 0) yield notice("No facts are unconfirmed.");
      else yield { type: "picker", picker: { title: "Which of these is true?", command: "/confirm", items } };
      return;
    }
    const { confirmed, skipped } = await facts.confirm(said === "all" ? "all" : said.split(/\s+/));
    const texts = confirmed.map(({ text }) => text);
    if (texts.length + skipped.length === 0) yield notice("No facts are unconfirmed.");
    else if (texts.length === 0) yield notice("Already known.");
    else yield notice(`Confirmed: ${texts.join(" ")} Undo: /undo`);
  },
};

/** After `/forget` and an id: the fact ends, but its history stays. */
export const ENDED = "from now on";

export const forget: SlashCommand = {
  name: "forget",
  usage: "<words or id>",
  detail: "erase a fact or note everywhere, permanently",
  commands: ["forget"],
  async *run(chat, said) {
    requireWords(said, "/forget my old address");
    const { facts } = chat.ports;
    if (said.endsWith(` ${ENDED}`)) {
      const { id: session } = chat.conversation;
      const replaces = [said.slice(0, -ENDED.length - 1)];
      const kept = await facts.retain([{ content: "", replaces }], { session, message: null });
      yield { type: "memory", ...changesOf(kept) };
      if (kept.ended.length > 0)
        yield notice(
          "Retain no longer uses it. Undo: /undo. To erase it everywhere, type /forget and a few of its words.",
        );
      return;
    }
    const confirmed = /^(\S+) for good$/.exec(said)?.[1];
    if (confirmed !== undefined) {
      const forgotten = await facts.forget(confirmed);
      chat.conversation.refresh();
      const text = forgetRemarks(forgotten).reduce(
        (all, remark) => hint`${all}\n${remark}`,
        forgetHeadline(forgotten),
      );
      yield { type: "notice", level: forgotten.left.length > 0 ? "warning" : "info", text };
      return;
    }
    const { by, found } = await facts.findToForget(said);
    if (found.length === 0) {
      yield notice("No matches.");
      return;
    }
    const items = found.map(({ kind, id, text, file }) => ({
      value: `${id} for good`,
      label: truncate(oneLine(text), 100),
      detail: `${kind}, ${file}`,
    }));
    const title =
      by === "near"
        ? "No exact match. Erase one of these permanently? Esc keeps all"
        : "Which one should be erased permanently? Esc keeps all";
    yield { type: "picker", picker: { title, command: "/forget", items, isPermanent: true } };
  },
};

export const undo: SlashCommand = {
  name: "undo",
  usage: "",
  detail: "undo the last change to facts or notes",
  commands: ["undo"],
  async *run(chat) {
    const change = await chat.ports.facts.undo();
    chat.conversation.refresh();
    const shown = ["```diff", ...undoneLines(change), "```"];
    yield output([`Undone: ${change.label} (${localDay(change.at)})`, "", ...shown].join("\n"));
  },
};

/** With any other first word, all words are a filter for facts. */
const NAMED = /^(session|fact|note|document)\s+(.+)$/s;

export const memory: SlashCommand = {
  name: "memory",
  usage: "[words|kind id]",
  detail: "list facts, or show one memory",
  commands: ["facts"],
  async *run(chat, said) {
    const [, kind, id = ""] = NAMED.exec(said) ?? [];
    if (kind === undefined) yield output(await known(said));
    else if (kind === "session") yield output(await session(id));
    else yield output(await shown(kind, id));

    async function session(named: string): Promise<string> {
      const origin = (["project", "home"] as const).find((one) => named.endsWith(` in ${one}`));
      if (origin === undefined) return chat.ports.sessions.export(named, "markdown");
      return chat.ports.sessions.export(named.slice(0, -` in ${origin}`.length), "markdown", { origin });
    }
    /** Repeats the last `/search`, since searching for the id does not always find the memory. */
    async function shown(of: string, which: string): Promise<string> {
      const hit = (await foundBy(chat.searched)) ?? (of === "fact" ? undefined : await foundBy(which));
      if (hit !== undefined) return hit.text;
      if (of === "fact") return (await chat.ports.facts.why(which)).fact.text;
      throw new RetainError("not_found", `There is no ${of} ${which}.`, "To find memories: /search <query>");

      async function foundBy(query: string): Promise<SearchHit | undefined> {
        if (query === "") return undefined;
        const hits = await chat.ports.recall(query, { limit: MOST_HITS });
        return hits.find((one) => nameOf(one) === `${of} ${which}`);
      }
    }
    async function known(words: string): Promise<string> {
      const facts = await chat.ports.facts.list();
      const wanted = facts.filter(({ text }) => text.toLowerCase().includes(words.toLowerCase()));
      if (wanted.length === 0)
        return words === "" ? "No facts yet. Save one: /remember <fact>" : `No fact contains "${words}".`;
      const lines = wanted.slice(-MOST_FACTS).map(({ id: factId, text }) => `- ${text}  \`${factId}\``);
      const more =
        wanted.length > MOST_FACTS ? [`… and ${wanted.length - MOST_FACTS} more: ${command("facts")}`] : [];
      return [...lines, ...more].join("\n");
    }
  },
};

export const why: SlashCommand = {
  name: "why",
  usage: "[id]",
  detail: "show where a fact came from, or the memories of the last reply",
  commands: ["why"],
  async *run(chat, id) {
    if (id === "") {
      const items = await usedMemories(chat);
      const title = "Memories used for the last reply";
      if (items.length === 0) yield notice("The last reply used no recalled memories.");
      else yield { type: "picker", picker: { title, command: "/memory", items } };
      return;
    }
    const { fact, before, after, message } = await chat.ports.facts.why(id);
    const { by, session } = fact.source;
    const said = message === null ? [] : ["", `> ${truncate(oneLine(message.content), 400)}`];
    yield output(
      [
        `**${fact.text}**`,
        "",
        `- known since ${fact.created_at}, ${shownTrust(fact)}, by ${by}${session === null ? "" : ` in ${session}`}`,
        ...before.map(({ text }) => `- replaced: ${text}`),
        ...(after === null
          ? [endInWords(fact)].filter(Boolean).map((end) => `- ${end}`)
          : [`- replaced by: ${after.text}`]),
        ...said,
      ].join("\n"),
    );
  },
};

/** Their names are stored with the reply. Repeats the recall for their texts, and looks up facts that it no longer finds. */
async function usedMemories(chat: SlashContext): Promise<Picker["items"]> {
  const { said } = chat.conversation;
  const at = said.findLastIndex(({ role }) => role === "assistant");
  const names = new Set(said[at]?.details.context?.flatMap(({ memories = [] }) => memories));
  if (names.size === 0) return [];
  chat.searched = said.slice(0, at).findLast(({ role }) => role === "user")?.content ?? "";
  const hits = await chat.ports.recall(chat.searched, { limit: MOST_HITS });
  return Promise.all(
    [...names].map(async (name) => {
      const hit = hits.find((one) => memoryName(one) === name);
      if (hit !== undefined) return itemOf(hit, name);
      const [kind = "", id = ""] = name.split(" ");
      const fact = kind === "fact" ? await factOf(id) : null;
      const detail = fact === null ? "" : `${localDay(fact.created_at)}, ${name}`;
      return { value: name, label: fact === null ? name : oneLine(fact.text), detail };
    }),
  );

  function itemOf(hit: SearchHit, name: string): Picker["items"][number] {
    const day = hit.at === null ? "" : `${localDay(hit.at)}, `;
    return { value: nameOf(hit), label: truncate(oneLine(hit.text), LONGEST_LABEL), detail: day + name };
  }
  /** null: forgotten since. */
  async function factOf(id: string) {
    const found = await chat.ports.facts.why(id).catch(() => null);
    return found?.fact ?? null;
  }
}

function requireWords(said: string, example: string): void {
  if (said === "")
    throw new RetainError("usage", "This command needs an argument.", `For example: ${example}`);
}
