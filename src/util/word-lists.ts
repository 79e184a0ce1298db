/** Long lists of words in code, as sets and in patterns. */

/** The words of these texts, which white space separates. */
export function wordSet(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((words) => words.trim().split(/\s+/)));
}

/** A group for a pattern: any of these alternatives. */
export function anyOf(...alternatives: readonly string[]): string {
  return `(?:${alternatives.join("|")})`;
}
