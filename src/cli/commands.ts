/** The table of commands: one line each, loaded only when called, so that start-up stays small. */
import type { CommandName } from "../core/command-effects.ts";
import type { CliCommand, CommandEntry, CommandGroup } from "./command.ts";
import type { CommonOptions } from "./options.ts";

/** The first group is what `retain --help` explains; `retain help all` explains every group. */
export const GROUPS: readonly CommandGroup[] = [
  {
    title: "Every day",
    commands: [
      entry(
        "chat",
        "[question...]",
        "chat with your memory; plain 'retain' does too",
        async () => (await import("./commands/chat.ts")).chat,
      ),
      entry(
        "remember",
        "<fact...>",
        "save a fact about you or your work",
        async () => (await import("./commands/remember.ts")).remember,
      ),
      entry(
        "search",
        "<query...>",
        "search everything, by words and by meaning",
        async () => (await import("./commands/search.ts")).search,
      ),
      entry(
        "facts",
        "",
        "list known facts, now or at a date",
        async () => (await import("./commands/facts.ts")).facts,
      ),
      entry(
        "put",
        "<files...>",
        "store files, a directory, or '-' for stdin",
        async () => (await import("./commands/put.ts")).put,
      ),
      entry("undo", "", "undo the last change", async () => (await import("./commands/undo.ts")).undo),
      entry(
        "forget",
        "<id|query...>",
        "remove something everywhere, permanently",
        async () => (await import("./commands/forget.ts")).forget,
      ),
      entry(
        "connect",
        "<client>",
        "connect Claude Code, Cursor or another client",
        async () => (await import("./commands/connect.ts")).connect,
      ),
    ],
  },
  {
    title: "Documents",
    commands: [
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
      entry(
        "collections",
        "",
        "list collections with their document counts",
        async () => (await import("./commands/collections.ts")).collections,
      ),
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
        "delete documents; 'restore' brings them back",
        async () => (await import("./commands/delete.ts")).remove,
      ),
      entry(
        "versions",
        "<id>",
        "list a document's versions",
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
        "restore a version, or a deleted document",
        async () => (await import("./commands/restore.ts")).restore,
      ),
    ],
  },
  {
    title: "Facts",
    commands: [
      entry(
        "log",
        "<note...>",
        "add a note to today's log",
        async () => (await import("./commands/log.ts")).log,
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
        "review",
        "[id]",
        "decide about facts that may be outdated",
        async () => (await import("./commands/review.ts")).review,
      ),
      entry(
        "confirm",
        "[ids...]",
        "confirm facts that a model inferred",
        async () => (await import("./commands/confirm.ts")).confirm,
      ),
      entry(
        "ingest",
        "<file>",
        "save the facts that a model's reply marked",
        async () => (await import("./commands/ingest.ts")).ingest,
      ),
      entry(
        "compact",
        "",
        "turn the notes of old logs into facts",
        async () => (await import("./commands/compact.ts")).compact,
      ),
    ],
  },
  {
    title: "Chats",
    commands: [
      entry(
        "sessions",
        "[action]",
        "list, show, search, export or delete conversations",
        async () => (await import("./commands/sessions.ts")).sessions,
      ),
      entry(
        "learn",
        "",
        "let a model extract facts from finished chats",
        async () => (await import("./commands/learn.ts")).learn,
      ),
      entry(
        "reflect",
        "<question...>",
        "answer a question from memory, with sources",
        async () => (await import("./commands/reflect.ts")).reflect,
      ),
      entry(
        "mental-models",
        "[action]",
        "keep the answers to recurring questions up to date",
        async () => (await import("./commands/mental-models.ts")).mentalModels,
      ),
    ],
  },
  {
    title: "Agents",
    commands: [
      entry(
        "recall",
        "<query...>",
        "print what an agent gets for a question",
        async () => (await import("./commands/recall.ts")).recall,
      ),
      entry(
        "context",
        "",
        "print the context that a model starts with",
        async () => (await import("./commands/context.ts")).context,
      ),
      entry(
        "model",
        "[action]",
        "show or choose the model that answers",
        async () => (await import("./commands/model.ts")).model,
      ),
      entry(
        "skills",
        "[action]",
        "list, create or trust skills",
        async () => (await import("./commands/skills.ts")).skills,
      ),
      entry("mcp", "", "serve memory to any MCP client", async () => (await import("./commands/mcp.ts")).mcp),
      entry(
        "serve",
        "[token]",
        "serve memory over HTTP, with Hindsight's API and MCP",
        async () => (await import("./commands/serve.ts")).serve,
      ),
      entry(
        "hook",
        "[event]",
        "run a hook of the Claude Code plugin",
        async () => (await import("./commands/hook.ts")).hook,
      ),
    ],
  },
  {
    title: "Maintain",
    commands: [
      entry(
        "status",
        "",
        "show where memory is stored, and what is pending",
        async () => (await import("./commands/status.ts")).status,
      ),
      entry(
        "doctor",
        "",
        "check files and index; show damage and failures",
        async () => (await import("./commands/doctor.ts")).doctor,
      ),
      entry(
        "reindex",
        "",
        "rebuild the index from the files",
        async () => (await import("./commands/reindex.ts")).reindex,
      ),
      entry(
        "embed",
        "",
        "embed everything that is not embedded yet",
        async () => (await import("./commands/embed.ts")).embed,
      ),
      entry(
        "watch",
        "",
        "update the index while files are edited",
        async () => (await import("./commands/watch.ts")).watch,
      ),
      entry(
        "clear",
        "",
        "empty a workspace's memory, after a backup",
        async () => (await import("./commands/clear.ts")).clear,
      ),
      entry(
        "migrate",
        "[directory]",
        "import from other tools",
        async () => (await import("./commands/migrate.ts")).migrate,
      ),
    ],
  },
  {
    title: "Set up",
    commands: [
      entry(
        "init",
        "",
        "create a memory for this project",
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
        "search folders outside the workspace, read-only",
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
        "print shell completion for bash, zsh or fish",
        async () => (await import("./commands/completion.ts")).completion,
      ),
      entry(
        "demo",
        "",
        "try Retain in a throwaway workspace",
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
