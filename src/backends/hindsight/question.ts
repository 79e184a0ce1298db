/** A question as the server takes it. What it does not promise to heed is looked at again when the answer is read. */

import type { Kind } from "../../core/memory.ts";
import type { BackendQuestion } from "../../core/ports/backend.ts";
import { askedTags } from "./scope-tags.ts";

export interface RecallSettings {
  readonly hindsight_recall_budget: "low" | "mid" | "high";
  readonly hindsight_recall_max_tokens: number;
}

/** What a bank gives: anything else is not asked for. */
const KINDS: readonly Kind[] = ["fact", "document", "message"];

/** A question without a word is refused by a server, which would then count as one that fails. */
export function isWorthAsking({ query, kinds, limit }: BackendQuestion): boolean {
  const hasWord = /[\p{L}\p{N}]/u.test(shortened(query));
  return hasWord && limit > 0 && (kinds === null || kinds.some((kind) => KINDS.includes(kind)));
}

/** In bytes, of which a token has two at least in nearly any text: a server refuses more than 500 tokens. */
const LONGEST_QUERY = 900;

/** Of a long text, its beginning and its end say what is wanted. */
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
    // This ranks and does not filter.
    ...(since === null && until === null
      ? {}
      : { temporal_window: { start: iso(since ?? 0), end: iso(until ?? now) } }),
  };
}

/** Of the project, or of no project; and having all that were asked for. */
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
