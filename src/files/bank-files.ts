/**
 * Lists the files of a workspace's memory, as opposed to settings, keys, skills and the user's own files. Does not follow links.
 */
import type { Dirent } from "node:fs";
import { rmdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isComponent, isLayoutName } from "../core/documents/names.ts";
import { kindOfFile } from "../core/facts/memory-paths.ts";
import {
  entriesIfThere,
  errorCode,
  fsyncDirectory,
  isAbsence,
  isTemporaryName,
  removeIfThere,
} from "../util/fs.ts";

/** Paths below the workspace. */
export interface BankFiles {
  readonly documents: readonly string[];
  readonly versions: readonly string[];
  /** Facts, notes, working memory, mental models, and their history. */
  readonly memories: readonly string[];
  /** Files derived from these: undo records, input history, and damaged databases moved aside. */
  readonly others: readonly string[];
  /** Unfinished writes, which were never acknowledged. */
  readonly leftovers: readonly string[];
  /** Links and unknown files in memory directories. */
  readonly strange: readonly string[];
}

type Sort = keyof BankFiles;

const MEMORIES = "memories";
const UNDO = ".undo";
const VERSIONS = ".versions";
const SET_ASIDE = /^retain\.db\.damaged-\d+(?:-[a-z]+)?$/;
const INPUT_HISTORY = "input-history.jsonl";

/** `collections` is the workspace itself if collections are directly in it. Throws I/O errors as they are. */
export function bankFiles(root: string, collections: string): BankFiles {
  const found: Record<Sort, string[]> = {
    ...{ documents: [], versions: [], memories: [], others: [], leftovers: [], strange: [] },
  };
  const below = relative(root, collections);
  for (const { path, entry } of entriesBelow(root, "", (directory) => isHeld(directory, below))) {
    const sort = entry.isFile() ? sortOf(path, entry.name, below) : isLinkAmong(path, below);
    if (sort !== null) found[sort].push(path);
  }
  return found;
}

function* entriesBelow(
  root: string,
  directory: string,
  isWanted: (directory: string) => boolean,
): Generator<{ path: string; entry: Dirent }> {
  for (const entry of entriesIfThere(join(root, directory))) {
    const path = directory === "" ? entry.name : `${directory}/${entry.name}`;
    if (!entry.isDirectory()) yield { path, entry };
    else if (isWanted(path)) yield* entriesBelow(root, path, isWanted);
  }
}

/** Whether this directory or one below it holds memory. */
function isHeld(directory: string, collections: string): boolean {
  const [first = ""] = directory.split("/");
  if (first === MEMORIES || first === UNDO) return true;
  return collections === "" ? isComponent(first) && !isLayoutName(first) : first === collections;
}

function isLinkAmong(path: string, collections: string): "strange" | null {
  return isHeld(path, collections) ? "strange" : null;
}

function sortOf(path: string, name: string, collections: string): Sort | null {
  const [first = "", ...rest] = path.split("/");
  if (rest.length === 0) return name === INPUT_HISTORY || SET_ASIDE.test(name) ? "others" : null;
  if (isTemporaryName(name)) return "leftovers";
  if (first === UNDO) return name.endsWith(".json") ? "others" : null;
  if (first === MEMORIES) return kindOfFile(rest.join("/")) === null ? "strange" : "memories";
  const [, ...inCollection] = collections === "" ? [first, ...rest] : rest;
  if (inCollection[0] === VERSIONS) return "versions";
  return inCollection.length === 1 && name.endsWith(".md") && isComponent(name) ? "documents" : "strange";
}

/** Removes files and directories that become empty; durable on return. */
export function removeBankFiles(root: string, paths: readonly string[]): void {
  const touched = new Set<string>();
  for (const path of paths) {
    removeIfThere(join(root, path));
    touched.add(dirname(path));
  }
  for (let directories = [...touched]; directories.length > 0; )
    directories = [...new Set(directories.flatMap((directory) => removedParent(root, directory)))];
}

/** If the directory could be removed, its parent, which may be empty now. */
function removedParent(root: string, directory: string): string[] {
  const full = join(root, directory);
  try {
    if (directory === ".") fsyncDirectory(root);
    else rmdirSync(full);
    return directory === "." ? [] : [dirname(directory)];
  } catch (error) {
    if (isAbsence(error)) return [dirname(directory)];
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
    fsyncDirectory(full);
    return [];
  }
}
