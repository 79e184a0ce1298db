/** A recall request for the server. Filters that the server may ignore are applied again to its response. */

import type { Kind } from "../../core/memory.ts";
import type { BackendQuestion } from "../../core/ports/backend.ts";
import { askedTags } from "./scope-tags.ts";

export interface RecallSettings {
  readonly hindsight_recall_budget: "low" | "mid" | "high";
  readonly hindsight_recall_max_tokens: number;
}

/** The kinds that a bank stores. */
const KINDS: readonly Kind[] = ["fact", "document", "message"];

/** The server rejects a query without words, which would count as a server failure. */
export function isWorthAsking({ query, kinds, limit }: BackendQuestion): boolean {
  const hasWord = /[\p{L}\p{N}]/u.test(shortened(query));
  return hasWord && limit > 0 && (kinds === null || kinds.some((kind) => KINDS.includes(kind)));
}

/** In bytes. The server rejects more than 500 tokens, and a token has at least two bytes in almost any text. */
const LONGEST_QUERY = 900;

/** Keeps the beginning and end of a long text, where the question usually is. */
function shortened(query: string): string {
  const bytes = Buffer.from(query);
  if (bytes.byteLength <= LONGEST_QUERY) return query;
  const ends = [bytes.subarray(0, LONGEST_QUERY / 2), bytes.subarray(-LONGEST_QUERY / 2)];
  return ends.map((part) => part.toString().replaceAll("\ufffd", "")).join(" ");
}

export function wireQuestion(
  { query, tags, since, until }: BackendQuestion,
  scope: readonly string[],
  settings: RecallSettings,
  now: number,
): object {
  return {
    query: shortened(query),
    budget: settings.hindsight_recall_budget,
    max_tokens: settings.hindsight_recall_max_tokens,
    include: { entities: null },
    ...tagsOf(tags, scope),
    // The server uses this for ranking, not as a filter.
    ...(since === null && until === null
      ? {}
      : { temporal_window: { start: iso(since ?? 0), end: iso(until ?? now) } }),
  };
}

/** A reflection uses the same memories as a recall. */
export function wireReflection(
  query: string,
  scope: readonly string[],
  { hindsight_recall_budget: budget }: Pick<RecallSettings, "hindsight_recall_budget">,
): object {
  return { query: shortened(query), budget, include: { facts: {} }, ...tagsOf([], scope) };
}

/** Matches the project's items and those of no project, with all requested tags. */
function tagsOf(tags: readonly string[], scope: readonly string[]): object {
  if (scope.length === 0) return tags.length === 0 ? {} : { tags, tags_match: "all_strict" };
  if (tags.length === 0) return { tags: askedTags(scope), tags_match: "any" };
  return {
    tag_groups: [
      { tags: askedTags(scope), match: "any" },
      { tags, match: "all_strict" },
    ],
  };
}

function iso(ms: number): string {
  return new Date(Math.max(-8.64e15, Math.min(8.64e15, ms))).toISOString();
}
