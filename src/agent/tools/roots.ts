/** The directories that tools work in, and how they resolve a model's paths. Paths are compared with links resolved. */
import { existsSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { resolveLinks } from "../../util/fs.ts";
import { visibleLine } from "./visible.ts";

export interface Roots {
  /** The working directory, links resolved. */
  readonly cwd: string;
  /** The user's home directory, links resolved. */
  readonly home: string;
  /** Roots of Retain's workspaces, links resolved; the home workspace comes first. */
  readonly workspaces: readonly string[];
  /** Resolves links, as far as the path exists. */
  real(path: string): string;
  isThere(path: string): boolean;
}

export function resolveRoots(cwd: string, home: string, workspaces: readonly string[]): Roots {
  return {
    cwd: resolveLinks(resolve(cwd)),
    home: resolveLinks(resolve(home)),
    workspaces: workspaces.map((root) => resolveLinks(resolve(root))),
    real: resolveLinks,
    isThere: existsSync,
  };
}

/** The absolute path: relative paths start at the working directory, `~/` at home. */
export function pathMeant(path: string, roots: Roots): string {
  if (path === "~" || path.startsWith("~/")) return join(roots.home, path.slice(1));
  return resolve(roots.cwd, path);
}

/** Whether `path` is `root` or below it, without resolving links. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

/** For display: relative inside the working directory, with `~` at home. */
export function shownPath(path: string, { cwd, home }: Roots): string {
  if (path === cwd) return ".";
  if (isWithin(cwd, path)) return visibleLine(relative(cwd, path));
  return visibleLine(isWithin(home, path) ? join("~", relative(home, path)) : path);
}
