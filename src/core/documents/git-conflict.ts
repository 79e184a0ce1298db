/** Detects git's conflict markers in a file. */

/** Whether it has an unresolved merge conflict. Takes linear time. */
export function hasGitConflict(text: string): boolean {
  let rest = text;
  for (const mark of [/^<{7} /m, /^={7}\r?$/m, /^>{7} /m]) {
    const at = rest.search(mark);
    if (at < 0) return false;
    rest = rest.slice(at);
  }
  return true;
}
