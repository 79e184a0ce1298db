import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { Argument } from "commander";
import { surroundingsOf } from "../../app/surroundings.ts";
import { changeFolders } from "../../backends/workspaces.ts";
import { type FolderChange, pathOfFolder, withFolder, withoutFolder } from "../../config/folders.ts";
import type { Folder } from "../../config/shapes.ts";
import { type ActionOf, actionsOf } from "../../core/command-effects.ts";
import { isPattern } from "../../core/documents/patterns.ts";
import { ioError, RetainError } from "../../core/errors.ts";
import { entriesIfThere, isAbsence } from "../../util/fs.ts";
import { nearest, shellWord } from "../../util/text.ts";
import type { CliCommand, Context } from "../command.ts";
import type { Kind } from "../command-parser.ts";
import { addExamples, type CommonOptions } from "../options.ts";
import { type Cell, heading, type Output, table } from "../output.ts";

interface IndexOptions extends CommonOptions {
  name?: string;
  include?: string[];
  exclude?: string[];
}

type Action = ActionOf<"folders">;

const FOLDER: Record<Action, Kind> = { list: "text", add: "directory", remove: "folder" };

export const folders: CliCommand<IndexOptions> = {
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
    const surplus = action === "list" ? folder : more[0];
    if (surplus !== undefined)
      throw new RetainError(
        "usage",
        `Unexpected argument '${surplus}' for 'folders ${action}'.`,
        "See: retain folders --help",
      );
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

type Run = (context: Context, folder: string | undefined, options: IndexOptions) => Promise<Output>;

const RUN: Record<Action, Run> = {
  async list(context) {
    const { folders, counts, homeDirectory } = await overview(context);
    const data = folders.map((folder) => {
      const path = pathOfFolder(folder, homeDirectory);
      return { ...described(folder, path), count: existsSync(path) ? (counts.get(folder.name) ?? 0) : null };
    });
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

  async add(context, given, options) {
    const path = requireDirectory(given);
    const { name, include = [], exclude = [] } = options;
    for (const pattern of [...include, ...exclude]) requirePattern(pattern);
    const { folders, own, home, homeDirectory } = await overview(context);
    const request = { name, path, include, exclude };
    const around = { homeDirectory, workspace: home.root, collections: own };
    const change = (current: readonly Folder[]) => withFolder(current, request, around);
    change(folders); // Validates before anything is created.
    const { folder, action } = await changeFolders(home, change);
    const { total } = await indexed(context, { collection: folder.name, limit: 1 });
    const headline = `✓ ${VERBS[action]} '${folder.name}': ${files(total)} from ${path}`;
    const none =
      include.length + exclude.length > 0
        ? "No .md file matches the patterns."
        : "Retain indexes .md files as they appear.";
    const note =
      total === 0 ? none : "Retain only reads the folder. Your changes there are searchable right away.";
    const lines = [context.terminal.style("green", headline), context.terminal.style("dim", note)];
    const data = { ...described(folder, path), action, count: total };
    return { data, text: lines.join("\n"), quiet: folder.name };
  },

  async remove(context, name) {
    if (name === undefined)
      throw new RetainError(
        "usage",
        "The folder's name is missing.",
        "List the folders: retain folders list",
      );
    const { folders, home, surroundings, homeDirectory } = await overview(context);
    const change = (current: readonly Folder[]) => withoutFolder(current, name, surroundings);
    change(folders);
    const { folder } = await changeFolders(home, change);
    await indexed(context, { limit: 1 });
    const path = pathOfFolder(folder, homeDirectory);
    const text = `✓ Removed '${folder.name}' from the index; its files stay in ${path}`;
    return { data: { name: folder.name, path }, text: context.terminal.style("green", text), quiet: "" };
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

/** Lists documents after a config change, which indexes the folders. Throws like `list`. */
async function indexed(context: Context, wanted: { collection?: string; limit: number }) {
  try {
    return await openHome(context).documents.list(wanted);
  } catch (error) {
    if (!(error instanceof RetainError)) throw error;
    const hint = "The list of folders is saved. The next command updates the index.";
    throw new RetainError(error.code, error.message, hint);
  }
}

/** The configured folders and the home workspace. */
async function overview(context: Context) {
  const surroundings = surroundingsOf({});
  const retain = openHome(context);
  const all = await retain.documents.collections();
  return {
    surroundings,
    homeDirectory: surroundings.homeDirectory,
    home: retain.workspace,
    folders: retain.config.settings.folders,
    own: all.filter(({ folder }) => folder === null).map(({ name }) => name),
    counts: new Map(all.map(({ name, count }) => [name, count])),
  };
}

function requirePattern(pattern: string): void {
  if (!isPattern(pattern))
    throw new RetainError(
      "usage",
      `'${pattern}' is not a valid pattern.`,
      "For example: --exclude Templates",
    );
  if (!isBalanced(pattern))
    throw new RetainError(
      "usage",
      `'${pattern}' is not a valid pattern: it has an unmatched bracket or brace.`,
      "For example: --include '{Daily,Projects}'. Escape a literal bracket with a backslash: '\\['",
    );
}

/** Whether brackets and braces are balanced; a backslash escapes the next character. */
function isBalanced(pattern: string): boolean {
  // A leading "]" inside brackets is literal.
  const rest = pattern.replace(/\\./gs, "").replace(/\[(?:[!^].|[^!^])[^\]]*\]/gs, "");
  let depth = 0;
  for (const character of rest.replace(/[^[\]{}]/g, "")) {
    depth += character === "{" ? 1 : -1;
    if (depth < 0 || character === "[") return false;
  }
  return depth === 0;
}

function described({ name, include = [], exclude = [] }: Folder, path: string) {
  return { name, path, include, exclude };
}

/** Throws `not_found` for a missing path, `invalid_input` for a file, `io` for an unreadable path. */
function requireDirectory(given: string | undefined): string {
  if (given === undefined)
    throw new RetainError(
      "usage",
      "The folder's path is missing.",
      "For example: retain folders add ~/vault",
    );
  const { cwd, homeDirectory } = surroundingsOf({});
  const path = given.startsWith("~") ? pathOfFolder({ path: given }, homeDirectory) : resolve(cwd, given);
  try {
    readdirSync(path);
    return path;
  } catch (error) {
    if (!isAbsence(error)) throw ioError(error, `Cannot read ${path}`);
  }
  if (existsSync(path))
    throw new RetainError(
      "invalid_input",
      `${path} is a file, not a folder.`,
      `To store a copy of it: retain put ${shellWord(path)}`,
    );
  const parent = dirname(path);
  const siblings = entriesIfThere(parent).filter((entry) => entry.isDirectory());
  const guess = nearest(
    basename(path),
    siblings.map((entry) => entry.name),
  );
  throw new RetainError(
    "not_found",
    `Folder not found: ${path}`,
    guess === null ? "Pass the path of a directory." : `Did you mean ${shellWord(resolve(parent, guess))}?`,
  );
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
