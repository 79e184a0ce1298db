/**
 * Patterns that choose files of a folder, read as `.gitignore` is: one without a slash is held against names ("*.draft.md",
 * "Templates"), one with a slash against the path from the folder ("Daily/*.md", "Archive/**", "/Inbox"). What a pattern says
 * of a directory holds for all that is in it.
 */

/** Whether the entry of this path (from the folder) and name is one that a pattern means. */
export type Matcher = (path: string, name: string) => boolean;

/** Whether it can be used as a pattern: `!` would turn it round, and is not offered. */
export function isPattern(pattern: string): boolean {
  return /[^/]/.test(pattern) && !pattern.startsWith("!") && !pattern.includes("\0");
}

export function matcherOf(patterns: readonly string[]): Matcher {
  const matchers = patterns.map(matcherOfOne);
  return (path, name) => matchers.some((matches) => matches(path, name));
}

function matcherOfOne(pattern: string): Matcher {
  const path = pattern.replace(/^\.\//, "/").replace(/\/+$/, "");
  const glob = new Bun.Glob(path.replace(/^\/+/, ""));
  return path.includes("/") ? (entry) => glob.match(entry) : (_, name) => glob.match(name);
}
