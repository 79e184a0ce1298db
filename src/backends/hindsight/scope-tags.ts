/**
 * Which project a memory is of, in a bank that projects share: told by its tags. A server that is asked for a project's tag gives
 * what has no tags at all beside it, but not what has other tags: so what is of no project and has tags of its own gets one more,
 * which is asked for too.
 */

const PROJECT = "project:";
const ANY_PROJECT = `${PROJECT}any`;

/** Tells a project's own from others'. */
export function isProjectTag(tag: string): boolean {
  return tag.startsWith(PROJECT);
}

/** The project that something with these tags is of; null where it is of none. */
export function projectIn(tags: readonly string[]): string | null {
  const tag = tags.find((one) => isProjectTag(one) && one !== ANY_PROJECT);
  return tag === undefined ? null : tag.slice(PROJECT.length);
}

/** What something is sent with. `scope`: the project's tags, none where it is of no project. */
export function sentTags(own: readonly string[], scope: readonly string[]): string[] {
  const isOfAll = scope.length === 0 && own.length > 0;
  return [...new Set([...own, ...scope, ...(isOfAll ? [ANY_PROJECT] : [])])];
}

/** By which a project asks for its own and for what is of no project; none where everything is asked for. */
export function askedTags(scope: readonly string[]): string[] {
  return scope.length === 0 ? [] : [...scope, ANY_PROJECT];
}

/** As the server would have it. */
export function isVisible(tags: readonly string[], scope: readonly string[]): boolean {
  const asked = askedTags(scope);
  return asked.length === 0 || tags.length === 0 || tags.some((tag) => asked.includes(tag));
}

/** Without what only says whose it is. */
export function ownTags(tags: readonly string[], scope: readonly string[]): string[] {
  return tags.filter((tag) => tag !== ANY_PROJECT && !scope.includes(tag));
}
