/**
 * Patterns that select files of a folder, as in `.gitignore`: a pattern without a slash matches names ("*.draft.md", "Templates"), one
 * with a slash matches paths relative to the folder ("Daily/*.md", "Archive/**", "/Inbox"). A pattern that matches a directory
 * applies to everything in it.
 */

/** Whether a pattern matches the entry with this path (relative to the folder) and name. */
export type Matcher = (path: string, name: string) => boolean;

/** Whether it is a valid pattern. Negation with `!` isn't supported. */
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
