/** Finds the main worktree, whose memory linked git worktrees share. Reads git's files, without running git. */
import { basename, dirname, join, relative, resolve } from "node:path";
import { isInside, lstatIfThere, readIfThere, resolveLinks } from "../util/fs.ts";

interface LinkedWorktree {
  readonly root: string;
  /** The root of the main worktree. */
  readonly main: string;
}

/** The linked worktree that holds `directory`; null in a main worktree, a submodule, or no repository. */
export function linkedWorktree(directory: string): LinkedWorktree | null {
  const root = repositoryRoot(directory);
  const shared = root === null ? null : sharedDirectory(root);
  if (root === null || shared === null || basename(shared) !== ".git") return null;
  return { root, main: dirname(shared) };
}

/** The directory of the main worktree that corresponds to one in a linked worktree; null for a directory outside it. */
export function inMainWorktree({ root, main }: LinkedWorktree, directory: string): string | null {
  return isInside(root, directory) ? join(main, relative(root, directory)) : null;
}

/** The git directory that all worktrees of a repository share; null if `root` isn't a linked worktree. */
export function sharedDirectory(root: string): string | null {
  const own = namedDirectory(root);
  const common = own === null ? undefined : readText(join(own, "commondir"))?.trim();
  if (own === null || common === undefined) return null;
  const shared = resolve(own, common);
  return isRegistered(root, own, shared) ? shared : null;
}

/** The directory that a `.git` file points to (in a worktree or submodule); null without such a file. */
export function namedDirectory(root: string): string | null {
  const pointer = readText(join(root, ".git"));
  const named = pointer === null ? undefined : /^gitdir: (.+)$/m.exec(pointer)?.[1]?.trim();
  return named === undefined ? null : resolve(root, named);
}

/** The main repository must list this worktree: anybody can write a `.git` file that points to another repository. */
function isRegistered(root: string, own: string, shared: string): boolean {
  const back = readText(join(own, "gitdir"))?.trim();
  return (
    back !== undefined &&
    resolveLinks(dirname(own)) === resolveLinks(join(shared, "worktrees")) &&
    resolveLinks(resolve(own, back)) === resolveLinks(join(root, ".git"))
  );
}

/** The nearest directory with a `.git`, upward; null if there is none. */
export function repositoryRoot(directory: string): string | null {
  for (let current = resolve(directory); ; current = dirname(current)) {
    if (lstatIfThere(join(current, ".git")) !== null) return current;
    if (dirname(current) === current) return null;
  }
}

/** The text of a regular file; null if there is none. */
export function readText(path: string): string | null {
  if (!lstatIfThere(path)?.isFile()) return null;
  const bytes = readIfThere(path);
  return bytes === null ? null : new TextDecoder().decode(bytes);
}
