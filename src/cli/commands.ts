/** The table of commands: one line each, loaded only when called, so that start-up stays small. */
import type { CommandName } from "../core/command-effects.ts";
import type { CliCommand, CommandEntry, CommandGroup } from "./command.ts";
import type { CommonOptions } from "./options.ts";

export const GROUPS: readonly CommandGroup[] = [
  {
    title: "Chat",
    commands: [
      entry(
        "chat",
        "[question...]",
        "talk, with memory: plain 'retain', or retain \"why?\"",
        async () => (await import("./commands/chat.ts")).chat,
      ),
    ],
  },
  {
    title: "Keep",
    commands: [
      entry(
        "put",
        "<files...>",
        "store files, a directory, or '-' for stdin",
        async () => (await import("./commands/put.ts")).put,
      ),
      entry(
        "remember",
        "<fact...>",
        "keep a fact, unless it is known",
        async () => (await import("./commands/remember.ts")).remember,
      ),
      entry(
        "ingest",
        "<file>",
        "keep what a model's reply marks; print the rest",
        async () => (await import("./commands/ingest.ts")).ingest,
      ),
      entry(
        "log",
        "<note...>",
        "add a note to today's log",
        async () => (await import("./commands/log.ts")).log,
      ),
    ],
  },
  {
    title: "Find",
    commands: [
      entry(
        "search",
        "<query...>",
        "find memories by words and by meaning",
        async () => (await import("./commands/search.ts")).search,
      ),
      entry(
        "recall",
        "<query...>",
        "print what an agent would get, within a budget",
        async () => (await import("./commands/recall.ts")).recall,
      ),
      entry(
        "context",
        "",
        "print the context that a model would get",
        async () => (await import("./commands/context.ts")).context,
      ),
      entry(
        "facts",
        "",
        "list what is known, now or at a date",
        async () => (await import("./commands/facts.ts")).facts,
      ),
      entry(
        "get",
        "<id>",
        "print a document, ready for a model's context",
        async () => (await import("./commands/get.ts")).get,
      ),
      entry(
        "list",
        "",
        "list documents, filtered and sorted",
        async () => (await import("./commands/list.ts")).list,
      ),
    ],
  },
  {
    title: "Look",
    summary: "browse",
    commands: [
      entry(
        "collections",
        "",
        "list collections with their counts",
        async () => (await import("./commands/collections.ts")).collections,
      ),
      entry(
        "notes",
        "[date...]",
        "show the notes of a day",
        async () => (await import("./commands/notes.ts")).notes,
      ),
      entry(
        "why",
        "<id>",
        "show where a fact came from",
        async () => (await import("./commands/why.ts")).why,
      ),
      entry(
        "sessions",
        "[action]",
        "list, show, search, export or delete conversations",
        async () => (await import("./commands/sessions.ts")).sessions,
      ),
      entry(
        "reflect",
        "<question...>",
        "answer from memory, with sources",
        async () => (await import("./commands/reflect.ts")).reflect,
      ),
      entry(
        "mental-models",
        "[action]",
        "keep answers to standing questions fresh",
        async () => (await import("./commands/mental-models.ts")).mentalModels,
      ),
      entry(
        "review",
        "[id]",
        "decide about facts that may be outdated",
        async () => (await import("./commands/review.ts")).review,
      ),
    ],
  },
  {
    title: "Change",
    summary: "fix, undo",
    commands: [
      entry(
        "update",
        "<id>",
        "change a document's content, tags or metadata",
        async () => (await import("./commands/update.ts")).update,
      ),
      entry(
        "edit",
        "<id>",
        "open a document in your editor",
        async () => (await import("./commands/edit.ts")).edit,
      ),
      entry(
        "delete",
        "<ids...>",
        "remove documents; restore brings them back",
        async () => (await import("./commands/delete.ts")).remove,
      ),
      entry(
        "confirm",
        "[ids...]",
        "confirm facts, so that they move to MEMORY.md",
        async () => (await import("./commands/confirm.ts")).confirm,
      ),
      entry(
        "forget",
        "<id|query...>",
        "remove a fact everywhere, for good",
        async () => (await import("./commands/forget.ts")).forget,
      ),
      entry(
        "clear",
        "",
        "remove all memory of this bank, after a backup",
        async () => (await import("./commands/clear.ts")).clear,
      ),
      entry(
        "undo",
        "",
        "take the last change of memory back",
        async () => (await import("./commands/undo.ts")).undo,
      ),
      entry(
        "compact",
        "",
        "take notes of old logs into facts",
        async () => (await import("./commands/compact.ts")).compact,
      ),
    ],
  },
  {
    title: "History",
    summary: "what a document said before",
    commands: [
      entry(
        "versions",
        "<id>",
        "list what a document said before",
        async () => (await import("./commands/versions.ts")).versions,
      ),
      entry(
        "diff",
        "<id>",
        "show what changed between two versions",
        async () => (await import("./commands/diff.ts")).diff,
      ),
      entry(
        "restore",
        "<id>",
        "bring back a version, or a deleted document",
        async () => (await import("./commands/restore.ts")).restore,
      ),
    ],
  },
  {
    title: "Care",
    summary: "check, rebuild, catch up",
    commands: [
      entry(
        "reindex",
        "",
        "build the index anew from the files",
        async () => (await import("./commands/reindex.ts")).reindex,
      ),
      entry(
        "embed",
        "",
        "give new memories their vectors now",
        async () => (await import("./commands/embed.ts")).embed,
      ),
      entry(
        "watch",
        "",
        "keep the index in step while files are edited",
        async () => (await import("./commands/watch.ts")).watch,
      ),
      entry(
        "learn",
        "",
        "let a model read finished conversations and note facts",
        async () => (await import("./commands/learn.ts")).learn,
      ),
      entry(
        "status",
        "",
        "what is held where, and what waits to be sent",
        async () => (await import("./commands/status.ts")).status,
      ),
      entry(
        "doctor",
        "",
        "check files, index and model; show damage and failed writes",
        async () => (await import("./commands/doctor.ts")).doctor,
      ),
    ],
  },
  {
    title: "Extend",
    summary: "who answers, for whom",
    commands: [
      entry(
        "model",
        "[action]",
        "show or choose the model that answers",
        async () => (await import("./commands/model.ts")).model,
      ),
      entry(
        "skills",
        "[action]",
        "list, make or trust skills",
        async () => (await import("./commands/skills.ts")).skills,
      ),
      entry(
        "migrate",
        "[directory]",
        "take over sessions and memories of other tools",
        async () => (await import("./commands/migrate.ts")).migrate,
      ),
      entry(
        "mcp",
        "",
        "serve this memory to any MCP client",
        async () => (await import("./commands/mcp.ts")).mcp,
      ),
      entry(
        "connect",
        "<client>",
        "give Claude Code, Cursor or another client this memory",
        async () => (await import("./commands/connect.ts")).connect,
      ),
      entry(
        "hook",
        "[event]",
        "what Claude Code's plugin calls: give, recall, keep",
        async () => (await import("./commands/hook.ts")).hook,
      ),
    ],
  },
  {
    title: "Set up",
    summary: "settings, folders",
    commands: [
      entry(
        "init",
        "",
        "give this project a memory of its own",
        async () => (await import("./commands/init.ts")).init,
      ),
      entry(
        "where",
        "",
        "show which workspace is used, and why",
        async () => (await import("./commands/where.ts")).where,
      ),
      entry(
        "folders",
        "[action]",
        "take in folders of Markdown, read-only",
        async () => (await import("./commands/folders.ts")).folders,
      ),
      entry(
        "config",
        "[action]",
        "show or change settings",
        async () => (await import("./commands/config.ts")).config,
      ),
      entry(
        "completion",
        "<shell>",
        "print completion for bash, zsh or fish",
        async () => (await import("./commands/completion.ts")).completion,
      ),
      entry(
        "demo",
        "",
        "see it work, in a throwaway workspace",
        async () => (await import("./commands/demo.ts")).demo,
      ),
    ],
  },
];

export const COMMANDS: readonly CommandEntry[] = GROUPS.flatMap((group) => group.commands);

function entry<O extends CommonOptions>(
  name: CommandName,
  usage: string,
  summary: string,
  load: () => Promise<CliCommand<O>>,
): CommandEntry {
  return { name, usage: `${name} ${usage}`.trim(), summary, load: load as unknown as CommandEntry["load"] };
}
