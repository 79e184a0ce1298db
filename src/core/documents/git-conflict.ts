/** A file in the middle of a merge: what it says is two things at once, and lines of git's between. */

/** Whether somebody still has to resolve a conflict in it. Takes linear time. */
export function hasGitConflict(text: string): boolean {
  let rest = text;
  for (const mark of [/^<{7} /m, /^={7}\r?$/m, /^>{7} /m]) {
    const at = rest.search(mark);
    if (at < 0) return false;
    rest = rest.slice(at);
  }
  return true;
}
