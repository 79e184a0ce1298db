/** Tag filters of requests. */
import { TAG_MATCHES, type TagRule } from "../../core/tag-rule.ts";
import * as z from "../../util/zod.ts";
import { invalid } from "./errors.ts";

/** Fields of a request that filters by tags. */
export const TAG_FIELDS = {
  tags: z.nullish(z.array(z.string())),
  tags_match: z.nullish(z.enum(TAG_MATCHES)),
  tag_groups: z.nullish(z.array(z.unknown())),
};

interface TagFields {
  readonly tags?: readonly string[] | null | undefined;
  readonly tags_match?: (typeof TAG_MATCHES)[number] | null | undefined;
  readonly tag_groups?: readonly unknown[] | null | undefined;
}

const LEAF = z.object({ tags: z.array(z.string()), match: z.optional(z.enum(TAG_MATCHES)) });
const AND = z.object({ and: z.array(z.unknown()) });
const OR = z.object({ or: z.array(z.unknown()) });
const NOT = z.object({ not: z.unknown() });

const DEEPEST = 8;

/** undefined if the request doesn't filter by tags. Throws 422. */
export function tagRuleIn({ tags, tags_match, tag_groups }: TagFields): TagRule | undefined {
  const match = tags_match ?? "any";
  const own = tags?.length || match === "exact" ? [{ tags: tags ?? [], match }] : [];
  const groups = (tag_groups ?? []).map((group, index) => ruleOf(group, ["body", "tag_groups", index], 1));
  const and = [...own, ...groups];
  return and.length === 0 ? undefined : { and };
}

function ruleOf(group: unknown, loc: readonly (string | number)[], depth: number): TagRule {
  if (depth > DEEPEST) throw invalid(loc, `Tag groups may be nested at most ${DEEPEST} deep.`);
  const all = (parts: readonly unknown[], name: string) =>
    parts.map((part, index) => ruleOf(part, [...loc, name, index], depth + 1));
  const leaf = LEAF.safeParse(group);
  if (leaf.success) return { tags: leaf.data.tags, match: leaf.data.match ?? "any_strict" };
  const and = AND.safeParse(group);
  if (and.success) return { and: all(and.data.and, "and") };
  const or = OR.safeParse(group);
  if (or.success) return { or: all(or.data.or, "or") };
  const not = NOT.safeParse(group);
  if (not.success) return { not: ruleOf(not.data.not, [...loc, "not"], depth + 1) };
  throw invalid(loc, "A tag group has tags, or and, or, or not.");
}
