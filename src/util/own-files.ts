/**
 * Locates files of this package and its dependencies, relative to this file or the bundle, never to the current directory. Names
 * are not literals in the calls, so that the bundler ignores them.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Throws if the package is not installed. */
export function packageDirectory(name: string): string {
  const directory = (require.resolve.paths(name) ?? [])
    .map((modules) => join(modules, name))
    .find((path) => existsSync(join(path, "package.json")));
  if (directory === undefined) throw new Error(`the package ${name} is not installed`);
  return directory;
}

/** The first of these files that exists; null if none does. Which one depends on whether this runs from source or from a bundle. */
export function ownFile(...paths: readonly string[]): string | null {
  for (const path of paths) {
    try {
      return require.resolve(path);
    } catch {
      // Try the next one.
    }
  }
  return null;
}
