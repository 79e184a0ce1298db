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
  const glob = globOf(path.replace(/^\/+/, ""));
  return path.includes("/") ? (entry) => glob.test(entry) : (_, name) => glob.test(name);
}

const PART =
  /(?<deep>(?:(?<![^/{,])\*\*\/)+)|(?<all>(?<![^/{,])\*\*(?![^},]))|(?<star>\*+)|(?<one>\?)|\\(?<escaped>.)|\[(?<not>[!^]?)(?<set>(?:\\.|[^\\])(?:\\.|[^\]\\])*)\]|(?<other>.)/gsu;
const BRACES: Readonly<Record<string, string>> = { "{": "(?:", ",": "|", "}": ")" };

/** As in a shell: `**` matches any number of directories, `*` and `?` match within a name; also [a-z], [!a-z] and {one,two}. */
function globOf(pattern: string): RegExp {
  const parts = [...pattern.matchAll(PART)].map(({ groups = {} }) => groups);
  const hasBraces = areBalanced(parts.map(({ other }) => other));
  let depth = 0;
  const source = parts.map(({ deep, all, star, one, escaped, not, set, other = "" }) => {
    if (deep !== undefined) return "(?:.*/)?";
    if (all !== undefined) return ".*";
    if (star !== undefined) return "[^/]*";
    if (one !== undefined) return "[^/]";
    if (set !== undefined) return classOf(set, not !== "");
    if (other === "{") depth++;
    const brace = hasBraces && depth > 0 ? BRACES[other] : undefined;
    if (other === "}") depth--;
    return brace ?? RegExp.escape(escaped ?? other);
  });
  return new RegExp(`^${source.join("")}$`, "su");
}

function areBalanced(characters: readonly (string | undefined)[]): boolean {
  let depth = 0;
  for (const character of characters) {
    if (character === "{") depth++;
    if (character === "}" && --depth < 0) return false;
  }
  return depth === 0;
}

/** A range that runs backwards matches nothing. */
function classOf(set: string, isNegated: boolean): string {
  const items = [...set.matchAll(/(\\?.)-(\\?.)|\\?./gsu)].map(([item, from, to]) => {
    if (from === undefined || to === undefined) return RegExp.escape([...item].at(-1) ?? "");
    const [low, high] = [from, to].map((end) => [...end].at(-1) ?? "") as [string, string];
    return low <= high ? `${RegExp.escape(low)}-${RegExp.escape(high)}` : "";
  });
  return `[${isNegated ? "^" : ""}${items.join("")}]`;
}
