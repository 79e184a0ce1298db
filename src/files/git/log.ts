/** A document's commits. Follows renames itself, since git's `--follow` confuses short documents. */
import { parseLoosely } from "../../core/documents/frontmatter.ts";
import type { GitRepository } from "./git.ts";

export interface Commit {
  hash: string;
  time: string;
  author: string;
  subject: string;
  /** The file's path at that commit, from the repository's root; it may have been renamed since. */
  path: string;
}

/** Newest first, across renames, without commits that removed the document. */
export function documentLog(git: GitRepository, path: string): Commit[] {
  const commits: Commit[] = [];
  let name: string | null = stagedRename(git, path) ?? path;
  let start = "HEAD";
  while (name !== null) {
    const part = logOf(git, name, start);
    const first = part.at(-1);
    commits.push(...part);
    name = first === undefined ? null : renamedFrom(git, first);
    start = `${first?.hash}~1`;
  }
  return commits;
}

function logOf(git: GitRepository, path: string, start: string): Commit[] {
  const format = "--format=%H%n%aI%n%an%n%s";
  const log = git.try("log", "-z", "--diff-filter=AMT", format, start, "--", git.fromTop(path));
  return log.stdout
    .toString()
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [hash = "", time = "", author = "", subject = ""] = record.split("\n");
      return { hash, time, author, subject, path };
    });
}

const RENAMES = ["-M", "-z", "--name-status", "--diff-filter=R"];

/** The path that a commit renamed to this one; null if it created the document. */
function renamedFrom(git: GitRepository, { hash, path }: Commit): string | null {
  const changes = git.try("diff-tree", "-r", "--no-commit-id", ...RENAMES, hash);
  return sourceOf(git, changes.stdout, path, `${hash}~1`, hash);
}

/** The path renamed to this one with `git mv` since the last commit. */
function stagedRename(git: GitRepository, path: string): string | null {
  if (git.fileAt("HEAD", path) !== null) return null;
  const changes = git.try("diff-index", "--cached", ...RENAMES, "HEAD");
  return sourceOf(git, changes.stdout, path, "HEAD", "");
}

/** Git goes by similarity alone, which is not enough: the other file must also be gone and have the same creation time. */
function sourceOf(
  git: GitRepository,
  changes: Buffer,
  path: string,
  before: string,
  after: string,
): string | null {
  const words = changes.toString().split("\0");
  const target = words.findIndex((word, index) => index % 3 === 2 && word === path);
  const source = target < 0 ? undefined : words[target - 1];
  if (source === undefined) return null;
  const [was, is] = [git.fileAt(before, source), git.fileAt(after, path)];
  return was !== null &&
    is !== null &&
    parseLoosely(was).fields.created_at === parseLoosely(is).fields.created_at
    ? source
    : null;
}
