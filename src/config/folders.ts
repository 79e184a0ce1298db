/** Adds and removes folders in the home config. */
import { basename, resolve } from "node:path";
import { checkNewName, DEFAULT_COLLECTION } from "../core/documents/names.ts";
import { isPattern } from "../core/documents/patterns.ts";
import { slugify } from "../core/documents/slug.ts";
import { RetainError } from "../core/errors.ts";
import { command, hint, option, slot } from "../core/hint.ts";
import { isInside, resolveLinks } from "../util/fs.ts";
import { sameJson } from "../util/json.ts";
import { nearest } from "../util/text.ts";
import type { Folder } from "./shapes.ts";
import { expandTilde } from "./tilde.ts";

/** A folder's absolute path, with `~` expanded. */
export function pathOfFolder({ path }: Pick<Folder, "path">, homeDirectory: string): string {
  return resolve(expandTilde(path, homeDirectory));
}

/** A folder to add. Without a name it keeps its current one, or gets its directory's. */
interface FolderRequest {
  readonly name?: string;
  /** The absolute path of an existing directory. */
  readonly path: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** What a new folder must not collide with. */
interface FolderSurroundings {
  readonly homeDirectory: string;
  /** The home workspace's own directory. */
  readonly workspace: string;
  /** The home workspace's own collections. */
  readonly collections: readonly string[];
}

export interface FolderChange {
  readonly folders: readonly Folder[];
  readonly folder: Folder;
  readonly action: "added" | "updated" | "unchanged";
}

/**
 * Adds the folder, or replaces the patterns of one already listed. Throws `usage` for a pattern, `invalid_name`, `exists` for a name
 * in use, and `conflict` for a path whose files would be indexed twice.
 */
export function withFolder(
  folders: readonly Folder[],
  request: FolderRequest,
  around: FolderSurroundings,
): FolderChange {
  for (const pattern of [...request.include, ...request.exclude]) requirePattern(pattern);
  const realPath = resolveLinks(request.path);
  const realPathOf = (folder: Folder) => resolveLinks(pathOfFolder(folder, around.homeDirectory));
  const current = folders.find((folder) => realPathOf(folder) === realPath);
  const name = request.name ?? current?.name ?? slugify(basename(request.path));
  if (current !== undefined && current.name !== name)
    throw new RetainError(
      "conflict",
      `${request.path} is already indexed as '${current.name}'.`,
      hint`To rename it, remove it first: ${command("folders remove", current.name)}`,
    );
  if (current === undefined) {
    requireFreeName(name, folders, around.collections, request.path);
    requireFreePath(request.path, folders, realPathOf, around.workspace);
  }
  const folder = { name, path: current?.path ?? request.path, ...patternsOf(request) };
  if (current !== undefined && sameJson(current, folder)) return { folders, folder, action: "unchanged" };
  const others = folders.map((other) => (other === current ? folder : other));
  return current === undefined
    ? { folders: [...folders, folder], folder, action: "added" }
    : { folders: others, folder, action: "updated" };
}

function patternsOf({ include, exclude }: FolderRequest): Pick<Folder, "include" | "exclude"> {
  return {
    ...(include.length > 0 ? { include: [...include] } : {}),
    ...(exclude.length > 0 ? { exclude: [...exclude] } : {}),
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

function requireFreeName(
  name: string,
  folders: readonly Folder[],
  collections: readonly string[],
  path: string,
): void {
  const advice = hint`Choose another name: ${command("folders add", path, option("name", slot("name")))}`;
  if (name === "")
    throw new RetainError(
      "usage",
      `${path} needs a name for its collection.`,
      hint`Choose one: ${command("folders add", path, option("name", slot("name")))}`,
    );
  try {
    checkNewName("collection", name);
  } catch (error) {
    throw error instanceof RetainError ? new RetainError(error.code, error.message, advice) : error;
  }
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  const namesake = folders.find((folder) => same(folder.name));
  if (namesake !== undefined)
    throw new RetainError(
      "exists",
      `The folder ${namesake.path} is already named '${namesake.name}'.`,
      advice,
    );
  if ([DEFAULT_COLLECTION, ...collections].some(same))
    throw new RetainError("exists", `'${name}' is already a collection in your home workspace.`, advice);
}

function requireFreePath(
  path: string,
  folders: readonly Folder[],
  realPathOf: (folder: Folder) => string,
  workspace: string,
): void {
  if (isInside(workspace, path))
    throw new RetainError(
      "conflict",
      `${path} is inside your home workspace, which is already indexed.`,
      "Choose a folder outside it.",
    );
  for (const folder of folders) {
    const realPath = realPathOf(folder);
    const way = isInside(realPath, path) ? "is inside" : isInside(path, realPath) ? "contains" : null;
    if (way !== null)
      throw new RetainError(
        "conflict",
        `${path} ${way} ${folder.path}, which is indexed as '${folder.name}': files would be indexed twice.`,
        hint`Remove that one first: ${command("folders remove", folder.name)}`,
      );
  }
}

/** Removes the folder with this name or path. Throws `not_found`. */
export function withoutFolder(
  folders: readonly Folder[],
  name: string,
  { cwd, homeDirectory }: { cwd: string; homeDirectory: string },
): Pick<FolderChange, "folders" | "folder"> {
  const path = resolve(cwd, name);
  const folder =
    folders.find((candidate) => candidate.name === name) ??
    folders.find((candidate) => pathOfFolder(candidate, homeDirectory) === path);
  if (folder !== undefined) return { folders: folders.filter((other) => other !== folder), folder };
  const names = folders.map((candidate) => candidate.name);
  const guess = nearest(name, names);
  const known = names.length === 0 ? "There are no folders." : `Folders: ${names.join(", ")}`;
  throw new RetainError(
    "not_found",
    `No folder is named '${name}'.`,
    guess === null ? known : `Did you mean '${guess}'?`,
  );
}
