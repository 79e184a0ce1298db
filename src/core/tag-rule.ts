/** Which memories a question is about, by their tags: one list with a way to match, or a combination of such rules. */
import { nameKey } from "./documents/names.ts";

/**
 * "any" and "all" also match memories without tags, unless they are strict. "exact": the same tags and no others; with no tags,
 * only memories without tags.
 */
export const TAG_MATCHES = ["any", "all", "any_strict", "all_strict", "exact"] as const;
export type TagMatch = (typeof TAG_MATCHES)[number];

export type TagRule =
  | { readonly tags: readonly string[]; readonly match: TagMatch }
  | { readonly and: readonly TagRule[] }
  | { readonly or: readonly TagRule[] }
  | { readonly not: TagRule };

/** Whether a memory with these tags matches. Ignores case, like every comparison of tags. */
export function passesTags(tags: readonly string[], rule: TagRule): boolean {
  if ("and" in rule) return rule.and.every((part) => passesTags(tags, part));
  if ("or" in rule) return rule.or.some((part) => passesTags(tags, part));
  if ("not" in rule) return !passesTags(tags, rule.not);
  const held = new Set(tags.map(nameKey));
  const wanted = [...new Set(rule.tags.map(nameKey))];
  const has = (tag: string) => held.has(tag);
  if (rule.match === "exact") return held.size === wanted.length && wanted.every(has);
  if (wanted.length === 0) return true;
  if (held.size === 0) return !rule.match.endsWith("_strict");
  return rule.match.startsWith("any") ? wanted.some(has) : wanted.every(has);
}
