/** A search filter as SQL on the table of chunks. */
import { nameKey } from "../../core/documents/names.ts";
import type { MemoryFilter } from "../../core/ports/search.ts";
import type { TagRule } from "../../core/tag-rule.ts";

interface SqlFilter {
  /** Conditions on `chunks`, joined with AND; "" if there are none. */
  readonly where: string;
  readonly values: (string | number)[];
}

export function sqlFilter(filter: MemoryFilter): SqlFilter {
  const { kinds, scopes, collection, documents, tags, tagRule, since, until, except } = filter;
  const conditions: string[] = [];
  const values: (string | number)[] = [];
  const limit = (condition: string, ...bound: (string | number)[]) => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (kinds !== undefined) limit("kind IN (SELECT value FROM json_each(?))", JSON.stringify(kinds));
  if (scopes !== undefined) limit("scope IN (SELECT value FROM json_each(?))", JSON.stringify(scopes));
  if (collection !== undefined)
    limit("kind = 'document' AND source >= ? AND source < ?", `${collection}/`, `${collection}0`);
  if (documents !== undefined)
    limit("kind = 'document' AND source IN (SELECT value FROM json_each(?))", JSON.stringify(documents));
  for (const tag of tags ?? [])
    limit("EXISTS (SELECT 1 FROM json_each(chunks.tag_keys) WHERE value = ?)", nameKey(tag));
  if (tagRule !== undefined) {
    const rule = sqlRule(tagRule);
    limit(rule.where, ...rule.values);
  }
  if (since !== undefined) limit("at >= ?", since);
  if (until !== undefined) limit("at <= ?", until);
  if (except !== undefined)
    limit(
      "NOT (session IS ? AND (kind = 'summary' OR kind = 'message' AND CAST(source AS INTEGER) > ?))",
      except.session,
      except.after,
    );
  return { where: conditions.join(" AND "), values };
}

/** Must agree with `passesTags`. */
function sqlRule(rule: TagRule): SqlFilter {
  if ("and" in rule) return joined(rule.and, " AND ", "1");
  if ("or" in rule) return joined(rule.or, " OR ", "0");
  if ("not" in rule) {
    const { where, values } = sqlRule(rule.not);
    return { where: `NOT (${where})`, values };
  }
  const wanted = [...new Set(rule.tags.map(nameKey))];
  const values = [JSON.stringify(wanted)];
  const held = `(SELECT count(DISTINCT value) FROM json_each(chunks.tag_keys)
    WHERE value IN (SELECT value FROM json_each(?)))`;
  const all = `${held} = ${wanted.length}`;
  if (rule.match === "exact")
    return {
      where: `${all} AND (SELECT count(DISTINCT value) FROM json_each(chunks.tag_keys)) = ${wanted.length}`,
      values,
    };
  if (wanted.length === 0) return { where: "1", values: [] };
  const where = rule.match.startsWith("any") ? `${held} > 0` : all;
  return { where: rule.match.endsWith("_strict") ? where : `(${where} OR chunks.tag_keys = '[]')`, values };
}

function joined(rules: readonly TagRule[], by: string, none: string): SqlFilter {
  const parts = rules.map(sqlRule);
  return {
    where: parts.length === 0 ? none : `(${parts.map(({ where }) => `(${where})`).join(by)})`,
    values: parts.flatMap(({ values }) => values),
  };
}
