/** Slash commands on conversations. */
import { RetainError } from "../../core/errors.ts";
import { exportName } from "../../sessions/export.ts";
import { localDay } from "../../util/days.ts";
import { plural } from "../../util/in-words.ts";
import { compactConversation } from "../compact-session.ts";
import { Conversation } from "../conversation.ts";
import type { Picker } from "../events.ts";
import type { SlashContext } from "../slash-context.ts";
import { notice, output, type SlashCommand } from "./command.ts";

const MOST_SESSIONS = 50;

export const sessions: SlashCommand = {
  name: "sessions",
  usage: "",
  detail: "list past conversations and resume one",
  commands: ["sessions", "sessions list"],
  async *run(chat) {
    const items = sessionItems(chat);
    if (items.length === 0) yield notice("No other conversations yet.");
    else yield { type: "picker", picker: { title: "Conversations", command: "/resume", items } };
  },
};

export const resume: SlashCommand = {
  name: "resume",
  usage: "[id]",
  detail: "resume an earlier conversation",
  names: "sessions",
  async *run(chat, said, signal) {
    if (said === "") {
      yield* sessions.run(chat, "", signal);
      return;
    }
    const { id } = await chat.ports.sessions.find(said, { chat: chat.conversation.chat });
    if (id === chat.conversation.id) throw new RetainError("usage", "You are already in this conversation.");
    yield chat.change(await Conversation.resume(chat.ports, id, chat.conversation.chat));
  },
};

export const newSession: SlashCommand = {
  name: "new",
  usage: "",
  detail: "start a new conversation",
  async *run(chat) {
    const { incognito } = chat.ports.settings;
    yield chat.change(new Conversation(chat.ports, { chat: chat.conversation.chat, incognito }));
  },
};

export const incognito: SlashCommand = {
  name: "incognito",
  usage: "",
  detail: "start a conversation that is not stored",
  async *run(chat) {
    yield chat.change(new Conversation(chat.ports, { chat: chat.conversation.chat, incognito: true }));
    yield notice(
      "Incognito: nothing from this conversation is stored. Existing memory is still used. To end it: /new",
    );
  },
};

export const retry: SlashCommand = {
  name: "retry",
  usage: "[text]",
  detail: "send the message that failed again, or this text instead",
  isTurn: true,
  choices({ conversation: { failed } }) {
    return failed === null ? [] : [{ value: failed.text, detail: "the failed message, to edit" }];
  },
  run(chat, text, signal) {
    return chat.retry(text, signal);
  },
};

export const compact: SlashCommand = {
  name: "compact",
  usage: "",
  detail: "summarise older messages for the model; they stay stored",
  async *run(chat, _args, signal) {
    const done = yield* compactConversation(chat.ports, chat.conversation, chat, signal);
    const { summary } = chat.conversation;
    if (done && summary !== null) yield output(`**Summary**\n\n${summary.content}`);
    if (!done && !signal.aborted)
      yield notice("Nothing to summarise yet: the last turns always stay verbatim.");
  },
};

export const exportSession: SlashCommand = {
  name: "export",
  usage: "[markdown|json]",
  detail: "export this conversation to a file in this directory",
  choices: () => [
    { value: "markdown", detail: "to read" },
    { value: "json", detail: "for programs" },
  ],
  async *run(chat, said) {
    const format = said === "" ? "markdown" : said;
    if (format !== "markdown" && format !== "json")
      throw new RetainError("usage", `Unknown format '${said}'.`, "Use /export markdown or /export json");
    if (chat.options.memoryOnly)
      throw new RetainError(
        "unsafe",
        "This chat can't write files, because others on the network can reach its server.",
        "On the page, Sessions exports it to your own machine.",
      );
    const { id } = stored(chat);
    const text = await chat.ports.sessions.export(id, format);
    const path = chat.ports.writeNew(exportName(id, format), text);
    yield notice(`Exported to ${path}`);
  },
};

export const title: SlashCommand = {
  name: "title",
  usage: "<title>",
  detail: "name this conversation",
  async *run(chat, said) {
    if (said === "")
      throw new RetainError("usage", "The title is missing.", "For example: /title Plans for Lisbon");
    const { id } = stored(chat);
    const { title: named } = await chat.ports.sessions.rename(id, said);
    chat.conversation.renamed(named);
    yield { type: "named", id, title: named };
  },
};

export const tag: SlashCommand = {
  name: "tag",
  usage: "<tag…>",
  detail: "tag this conversation; -tag removes a tag",
  async *run(chat, said) {
    const { id } = stored(chat);
    const words = said.split(/[\s,]+/).filter((word) => word !== "");
    const remove = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
    const { tags } = await chat.ports.sessions.tag(id, {
      add: words.filter((word) => !word.startsWith("-")),
      remove,
    });
    yield notice(tags.length === 0 ? "No tags." : `Tags: ${tags.join(", ")}`);
  },
};

function stored({ conversation }: SlashContext): { id: string } {
  const { id, incognito: keepsNothing } = conversation;
  if (id !== null) return { id };
  throw new RetainError(
    "conflict",
    keepsNothing ? "This conversation is not being stored." : "This conversation is still empty.",
    keepsNothing ? "Start a new one: /new" : "Send a message first.",
  );
}

function sessionItems(chat: SlashContext): Picker["items"] {
  return chat.ports.store
    .list({ chat: chat.conversation.chat, limit: MOST_SESSIONS })
    .filter(({ id }) => id !== chat.conversation.id)
    .map(({ id, title: named, updated_at, messages, failed, tags }) => ({
      value: id,
      label: named ?? id,
      detail: [
        localDay(updated_at),
        plural(messages, "message"),
        ...(failed ? ["failed"] : []),
        ...tags.map((one) => `#${one}`),
      ].join(", "),
    }));
}
