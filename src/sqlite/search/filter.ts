/** A search filter as SQL on the table of chunks. */
import { nameKey } from "../../core/documents/names.ts";
import type { MemoryFilter } from "../../core/ports/search.ts";

export interface SqlFilter {
  /** Conditions on `chunks`, joined with AND; "" if there are none. */
  readonly where: string;
  readonly values: (string | number)[];
}

export function sqlFilter(filter: MemoryFilter): SqlFilter {
  const { kinds, scopes, collection, documents, tags, since, until } = filter;
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
  if (since !== undefined) limit("at >= ?", since);
  if (until !== undefined) limit("at <= ?", until);
  return { where: conditions.join(" AND "), values };
}
