/** Adds, lists and removes folders outside the workspace that Retain searches. Each call reads the files again. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { changeList } from "../backends/workspaces.ts";
import { pathOfFolder, withFolder, withoutFolder } from "../config/folders.ts";
import type { Config } from "../config/load.ts";
import type { Folder } from "../config/shapes.ts";
import type { Surroundings, Workspace } from "../config/workspace.ts";
import { ioError, RetainError, requireText } from "../core/errors.ts";
import { command, hint } from "../core/hint.ts";
import { checkInput } from "../documents/input.ts";
import { entriesIfThere, isAbsence } from "../util/fs.ts";
import { shellWord } from "../util/shell-word.ts";
import { nearest } from "../util/text.ts";
import type { Documents } from "./documents.ts";

interface HomeMemory {
  readonly workspace: Workspace;
  readonly config: Config;
  readonly documents: Pick<Documents, "collections" | "list" | "warnOfSecrets">;
}

/** Opens the home workspace with its current settings, for the duration of `use`. */
type AtHome = <T>(use: (home: HomeMemory) => Promise<T>) => Promise<T>;

export interface AddFolderOptions {
  /** The collection's name. Default: the folder's. */
  name?: string;
  /** Index only files that match one of these patterns. */
  include?: readonly string[];
  /** Skip files that match one of these patterns. */
  exclude?: readonly string[];
}

/** An open Retain keeps its list of folders: open another one to search an added folder. */
export function openFolders(surroundings: Surroundings, atHome: AtHome) {
  const { homeDirectory } = surroundings;

  return {
    /** Each folder with the number of indexed files; null if the folder is missing. */
    async list() {
      return atHome(async ({ config, documents }) => {
        const counts = new Map((await documents.collections()).map(({ name, count }) => [name, count]));
        return config.settings.folders.map((folder) => {
          const path = pathOfFolder(folder, homeDirectory);
          const count = existsSync(path) ? (counts.get(folder.name) ?? 0) : null;
          return { ...described(folder, path), count };
        });
      });
    },

    /**
     * Adds and indexes a folder, or replaces the patterns of one already listed. Throws `not_found`, `invalid_input`, `io`,
     * `usage` for a pattern, `invalid_name`, `exists`, `conflict`.
     */
    async add(given: string, options: AddFolderOptions = {}) {
      requireText(given, "A folder's path");
      checkInput("folder", options);
      const path = requireDirectory(given, surroundings);
      const { name, include = [], exclude = [] } = options;
      const request = { ...(name !== undefined && { name }), path, include, exclude };
      const [home, change] = await atHome(async ({ workspace, config, documents }) => {
        const all = await documents.collections();
        const collections = all.filter(({ folder }) => folder === null).map((one) => one.name);
        const around = { homeDirectory, workspace: workspace.root, collections };
        const change = (current: readonly Folder[]) => withFolder(current, request, around);
        change(config.settings.folders); // Validates before anything is created.
        return [workspace, change] as const;
      });
      const { folder, action } = await changeList(home, "folders", change);
      const { total: count } = await indexed({ collection: folder.name, limit: 1 });
      await atHome(({ documents }) => documents.warnOfSecrets(folder.name));
      return { ...described(folder, path), action, count };
    },

    /** Removes the folder with this name or path from the index. Its files stay. Throws `not_found`. */
    async remove(name: string) {
      requireText(name, "A folder's name");
      const change = (current: readonly Folder[]) => withoutFolder(current, name, surroundings);
      const home = await atHome(async ({ workspace, config }) => {
        change(config.settings.folders);
        return workspace;
      });
      const { folder } = await changeList(home, "folders", change);
      await indexed({ limit: 1 });
      return { name: folder.name, path: pathOfFolder(folder, homeDirectory) };
    },
  };

  /** Lists documents after a config change, which indexes the folders. Throws like `list`. */
  async function indexed(wanted: { collection?: string; limit: number }) {
    try {
      return await atHome(({ documents }) => documents.list(wanted));
    } catch (error) {
      if (!(error instanceof RetainError)) throw error;
      const hint = "The list of folders is saved. The next command updates the index.";
      throw new RetainError(error.code, error.message, hint);
    }
  }
}

function described({ name, include = [], exclude = [] }: Folder, path: string) {
  return { name, path, include, exclude };
}

/** Throws `not_found` for a missing path, `invalid_input` for a file, `io` for an unreadable path. */
function requireDirectory(given: string, { cwd, homeDirectory }: Surroundings): string {
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
      hint`To store a copy of it: ${command("put", path)}`,
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
