/**
 * Tags that assign memories to projects in a shared bank. A query for a project's tag also returns memories without any tags, but
 * not those with other tags. So a memory of no project that has tags gets one more tag, which every query includes.
 */

const PROJECT = "project:";
const ANY_PROJECT = `${PROJECT}any`;

export function isProjectTag(tag: string): boolean {
  return tag.startsWith(PROJECT);
}

/** The project of an item with these tags; null if it has none. */
export function projectIn(tags: readonly string[]): string | null {
  const tag = tags.find((one) => isProjectTag(one) && one !== ANY_PROJECT);
  return tag === undefined ? null : tag.slice(PROJECT.length);
}

/** The tags to send. `scope` contains the project's tags; empty for no project. */
export function sentTags(own: readonly string[], scope: readonly string[]): string[] {
  const isOfAll = scope.length === 0 && own.length > 0;
  return [...new Set([...own, ...scope, ...(isOfAll ? [ANY_PROJECT] : [])])];
}

/** The tags to query for a project's memories and those of no project; empty to query everything. */
export function askedTags(scope: readonly string[]): string[] {
  return scope.length === 0 ? [] : [...scope, ANY_PROJECT];
}

/** The server's own rule. */
export function isVisible(tags: readonly string[], scope: readonly string[]): boolean {
  const asked = askedTags(scope);
  return asked.length === 0 || tags.length === 0 || tags.some((tag) => asked.includes(tag));
}

/** Without the tags that only assign the project. */
export function ownTags(tags: readonly string[], scope: readonly string[]): string[] {
  return tags.filter((tag) => tag !== ANY_PROJECT && !scope.includes(tag));
}
