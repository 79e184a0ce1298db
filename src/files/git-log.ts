/** A document's commits. Git's own `--follow` takes short documents for each other, so renames are followed here. */
import { parseMarkdown } from "../core/frontmatter.ts";
import type { Fields } from "../core/yaml-fields.ts";
import type { GitRepository } from "./git.ts";

export interface Commit {
  hash: string;
  time: string;
  author: string;
  subject: string;
  /** The file's path at that commit, from the repository's root: it may have been renamed since. */
  path: string;
}

/** Newest first, across renames. Commits that removed the document are not among its states. */
export function documentLog(git: GitRepository, path: string): Commit[] {
  const commits: Commit[] = [];
  let name: string | null = path;
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

/**
 * The path that a commit moved to this one; null when it created the document. Likeness alone is not enough: the other
 * file must be gone in that commit, and have been created at the same time.
 */
function renamedFrom(git: GitRepository, { hash, path }: Commit): string | null {
  const options = ["-r", "-M", "-z", "--no-commit-id", "--name-status", "--diff-filter=R"];
  const words = git
    .try("diff-tree", ...options, hash)
    .stdout.toString()
    .split("\0");
  const target = words.findIndex((word, index) => index % 3 === 2 && word === path);
  const source = target < 0 ? undefined : words[target - 1];
  if (source === undefined) return null;
  const [before, after] = [git.fileAt(`${hash}~1`, source), git.fileAt(hash, path)];
  if (before === null || after === null) return null;
  return frontmatterOf(before).created_at === frontmatterOf(after).created_at ? source : null;
}

export function frontmatterOf(bytes: Uint8Array): Fields {
  return parseMarkdown(new TextDecoder().decode(bytes)).fields;
}
