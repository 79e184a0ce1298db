/** The list of folders in the home config: what may join it, and what leaves it. */
import { basename, resolve } from "node:path";
import { checkNewName, DEFAULT_COLLECTION } from "../core/documents/names.ts";
import { slugify } from "../core/documents/slug.ts";
import { RetainError } from "../core/errors.ts";
import { isInside, resolveLinks } from "../util/fs.ts";
import { nearest, shellWord } from "../util/text.ts";
import type { Folder } from "./shapes.ts";
import { expandTilde } from "./tilde.ts";

/** Where a folder is, `~` being the user's own directory. */
export function pathOfFolder({ path }: Pick<Folder, "path">, homeDirectory: string): string {
  return resolve(expandTilde(path, homeDirectory));
}

/** A folder that is to be taken in; without a name it keeps the one it has, or gets that of its directory. */
export interface FolderRequest {
  readonly name?: string;
  /** Absolute, of a directory that exists. */
  readonly path: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** What a new folder may not collide with. */
export interface FolderSurroundings {
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
 * The list with the folder in it; one that is there already gets the new patterns. Throws `invalid_name`, `exists` for a
 * name that is taken, and `conflict` for a place whose files are, or would be, in the index twice.
 */
export function withFolder(
  folders: readonly Folder[],
  request: FolderRequest,
  around: FolderSurroundings,
): FolderChange {
  const place = resolveLinks(request.path);
  const placeOf = (folder: Folder) => resolveLinks(pathOfFolder(folder, around.homeDirectory));
  const current = folders.find((folder) => placeOf(folder) === place);
  const name = request.name ?? current?.name ?? slugify(basename(request.path));
  if (current !== undefined && current.name !== name)
    throw new RetainError(
      "conflict",
      `${request.path} is in the index already, as '${current.name}'.`,
      `To give it another name, first: retain folders remove ${current.name}`,
    );
  if (current === undefined) {
    requireFreeName(name, folders, around.collections, request.path);
    requireFreePlace(request.path, folders, placeOf, around.workspace);
  }
  const folder = { name, path: current?.path ?? request.path, ...patternsOf(request) };
  if (current !== undefined && Bun.deepEquals(current, folder))
    return { folders, folder, action: "unchanged" };
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

function requireFreeName(
  name: string,
  folders: readonly Folder[],
  collections: readonly string[],
  path: string,
): void {
  const hint = `Give it another: retain folders add ${shellWord(path)} --name <name>`;
  try {
    checkNewName("collection", name);
  } catch (error) {
    throw error instanceof RetainError ? new RetainError(error.code, error.message, hint) : error;
  }
  const same = (other: string) => other.toLowerCase() === name.toLowerCase();
  const namesake = folders.find((folder) => same(folder.name));
  if (namesake !== undefined)
    throw new RetainError("exists", `The folder ${namesake.path} has the name '${namesake.name}'.`, hint);
  if ([DEFAULT_COLLECTION, ...collections].some(same))
    throw new RetainError("exists", `'${name}' is a collection of your home workspace.`, hint);
}

function requireFreePlace(
  path: string,
  folders: readonly Folder[],
  placeOf: (folder: Folder) => string,
  workspace: string,
): void {
  if (isInside(workspace, path))
    throw new RetainError(
      "conflict",
      `${path} is inside your home workspace, whose documents are in the index anyway.`,
      "Choose a folder outside it.",
    );
  for (const folder of folders) {
    const place = placeOf(folder);
    const way = isInside(place, path) ? "inside" : isInside(path, place) ? "around" : null;
    if (way !== null)
      throw new RetainError(
        "conflict",
        `${path} is ${way} ${folder.path}, which is in the index as '${folder.name}': files would be there twice.`,
        `Take that one out first: retain folders remove ${folder.name}`,
      );
  }
}

/** The list without the folder of that name or place. Throws `not_found`. */
export function withoutFolder(
  folders: readonly Folder[],
  name: string,
  { cwd, homeDirectory }: { cwd: string; homeDirectory: string },
): Pick<FolderChange, "folders" | "folder"> {
  const place = resolve(cwd, name);
  const folder =
    folders.find((candidate) => candidate.name === name) ??
    folders.find((candidate) => pathOfFolder(candidate, homeDirectory) === place);
  if (folder !== undefined) return { folders: folders.filter((other) => other !== folder), folder };
  const names = folders.map((candidate) => candidate.name);
  const guess = nearest(name, names);
  const known = names.length === 0 ? "No folder is." : `There are: ${names.join(", ")}`;
  throw new RetainError(
    "not_found",
    `No folder is in the index as '${name}'.`,
    guess === null ? known : `Did you mean '${guess}'?`,
  );
}
