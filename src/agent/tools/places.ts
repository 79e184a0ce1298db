/** Where a tool works, and what a path that a model gives means there. Paths are told apart by where they lead, links followed. */
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
  /** Where a path leads once links are followed, as far as it exists. */
  real(path: string): string;
  isThere(path: string): boolean;
}

/** Those of this machine. */
export function placesOf(cwd: string, home: string, workspaces: readonly string[]): Roots {
  return {
    cwd: resolveLinks(resolve(cwd)),
    home: resolveLinks(resolve(home)),
    workspaces: workspaces.map((root) => resolveLinks(resolve(root))),
    real: resolveLinks,
    isThere: existsSync,
  };
}

/** The absolute path that was meant: relative ones start at the working directory, `~/` at home. */
export function pathMeant(path: string, places: Roots): string {
  if (path === "~" || path.startsWith("~/")) return join(places.home, path.slice(1));
  return resolve(places.cwd, path);
}

/** Whether `path` is `root` or below it; both as they are, links not followed. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}

/** As a person reads it: short inside the working directory, with `~` at home. */
export function shownPath(path: string, { cwd, home }: Roots): string {
  if (path === cwd) return ".";
  if (isWithin(cwd, path)) return visibleLine(relative(cwd, path));
  return visibleLine(isWithin(home, path) ? join("~", relative(home, path)) : path);
}
