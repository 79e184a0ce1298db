import { Argument } from "commander";
import type { AddFolderOptions } from "../../app/folders.ts";
import type { FolderChange } from "../../config/folders.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { RetainError } from "../../core/errors.ts";
import type { CliCommand, Context } from "../command.ts";
import type { Kind } from "../command-parser.ts";
import { addExamples, type CommonOptions, refuseSurplus } from "../options.ts";
import { type Cell, heading, type Output, table } from "../output.ts";

interface FoldersOptions extends CommonOptions, AddFolderOptions {}

type Action = ActionOf<"folders">;

const FOLDER: Record<Action, Kind> = { list: "text", add: "directory", remove: "folder" };

export const folders: CliCommand<FoldersOptions> = {
  define(command) {
    command
      .addArgument(new Argument("[action]", "what to do").choices(actionsOf("folders")).default("list"))
      .argument("[folder]", "the folder to add, or the name of the folder to remove")
      .takes(([action]) => FOLDER[action as Action])
      .option("--name <name>", "the collection's name (default: the folder's name)")
      .takes("text")
      .option("--include <pattern>", "index only these files: 'Projects', 'Daily/*.md'; repeatable", collect)
      .takes("text")
      .option("--exclude <pattern>", "skip these files: 'Templates', '*.draft.md'; repeatable", collect)
      .takes("text");
    addExamples(command, [
      "retain folders add ~/vault --exclude Templates",
      "retain folders add docs --name handbook --include 'guides/**'",
      "retain folders remove vault     # its files stay where they are",
    ]);
  },

  async run(context, args, options) {
    const [action = "list", folder, ...more] = args;
    refuseSurplus("folders", action, action === "list" ? folder : more[0]);
    if (action !== "add" && (options.name ?? options.include ?? options.exclude) !== undefined)
      throw new RetainError("usage", "--name, --include and --exclude only work with 'folders add'.");
    if (context.scope === "local")
      throw new RetainError(
        "usage",
        "Folders belong to the home workspace, not to a project.",
        "Omit --local. Every project's search includes them.",
      );
    return RUN[action as Action](context, folder, options);
  },
};

type Run = (context: Context, folder: string | undefined, options: FoldersOptions) => Promise<Output>;

const RUN: Record<Action, Run> = {
  async list(context) {
    const data = await openHome(context).folders.list();
    const rows = data.map(({ name, count, path, include, exclude }): Cell[] => [
      { text: name, style: "cyan" },
      count === null ? "missing" : grouped(count),
      path,
      [...include, ...exclude.map((pattern) => `not ${pattern}`)].join(", "),
    ]);
    const text =
      data.length === 0
        ? "No folders yet. Add one: retain folders add <folder>"
        : table(context.terminal, [heading("NAME", "FILES", "FOLDER", "PATTERNS"), ...rows], [3, 2]).join(
            "\n",
          );
    return { data: { folders: data }, text, quiet: data.map(({ name }) => name).join("\n") };
  },

  async add(context, folder, { name, include = [], exclude = [] }) {
    if (folder === undefined)
      throw new RetainError(
        "usage",
        "The folder's path is missing.",
        "For example: retain folders add ~/vault",
      );
    const options = { ...(name !== undefined && { name }), include, exclude };
    const data = await openHome(context).folders.add(folder, options);
    const headline = `✓ ${VERBS[data.action]} '${data.name}': ${files(data.count)} from ${data.path}`;
    const none =
      include.length + exclude.length > 0
        ? "No .md file matches the patterns."
        : "Retain indexes .md files as they appear.";
    const note =
      data.count === 0 ? none : "Retain only reads the folder. Your changes there are searchable right away.";
    const lines = [context.terminal.style("green", headline), context.terminal.style("dim", note)];
    return { data, text: lines.join("\n"), quiet: data.name };
  },

  async remove(context, name) {
    if (name === undefined)
      throw new RetainError(
        "usage",
        "The folder's name is missing.",
        "List the folders: retain folders list",
      );
    const data = await openHome(context).folders.remove(name);
    const text = `✓ Removed '${data.name}' from the index; its files stay in ${data.path}`;
    return { data, text: context.terminal.style("green", text), quiet: "" };
  },
};

const VERBS: Record<FolderChange["action"], string> = {
  added: "Added",
  updated: "Updated",
  unchanged: "Unchanged",
};

function openHome(context: Context) {
  return context.open({ scope: "global" });
}

function files(count: number): string {
  return `${grouped(count)} Markdown ${count === 1 ? "file" : "files"}`;
}

/** "1,234". Intl would take 10 ms to load. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}
