/**
 * Converts the server's results to hits. Its scores are a cosine and an unbounded BM25, which becomes a share of the best.
 */

import { documentSource, TRUSTS, type Trust, tagOfChat } from "../../core/memory.ts";
import type { BackendHit, UntimedQuestion } from "../../core/ports/backend.ts";
import { withoutControls } from "../../util/text.ts";
import type { DocumentIds } from "./document-ids.ts";
import { stringsOf, type WireResult } from "./protocol.ts";
import { ownTags } from "./scope-tags.ts";

/** `id` is "collection/id" for a document, otherwise the memory's own id. */
export function hitsOf(
  results: readonly WireResult[],
  ids: DocumentIds,
  scope: readonly string[],
): BackendHit[] {
  const best = Math.max(0, ...results.map(({ scores }) => scores?.keyword ?? 0));
  return results.map((result, rank) => {
    const { scores } = result;
    const metadata = stringsOf(result.metadata);
    const named = ids.read(result.document_id ?? "");
    const cosine = share(scores?.semantic);
    const words = best > 0 ? share((scores?.keyword ?? 0) / best) : null;
    const isScored = cosine !== null || (words ?? 0) > 0;
    return {
      id: named?.kind === "document" ? documentSource(named.ref) : result.id,
      kind: named?.kind ?? "fact",
      text: withoutControls(result.text),
      tags: [...ownTags(result.tags ?? [], scope), ...chatTag(metadata)],
      session: metadata.session_id ?? null,
      at: timeOf(result.mentioned_at ?? result.occurred_start),
      trust: trustOf(metadata.trust),
      cosine,
      words: isScored ? words : (results.length - rank) / results.length,
    };
  });
}

export function passes(hit: BackendHit, { kinds, tags, since, until }: UntimedQuestion): boolean {
  const held = new Set(hit.tags.map((tag) => tag.toLowerCase()));
  return (
    (kinds === null || kinds.includes(hit.kind)) &&
    tags.every((tag) => held.has(tag.toLowerCase())) &&
    (since === null || (hit.at !== null && hit.at >= since)) &&
    (until === null || (hit.at !== null && hit.at <= until))
  );
}

/** Messages of a chat get its tag; a chat's facts have it already. */
export function chatTag({ chat }: Readonly<Record<string, string>>): string[] {
  return chat === undefined ? [] : [tagOfChat(chat)];
}

export function trustOf(word: string | undefined): Trust {
  return TRUSTS.find((trust) => trust === word) ?? "inferred";
}

export function timeOf(text: string | null | undefined): number | null {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : time;
}

function share(score: number | null | undefined): number | null {
  return score === null || score === undefined ? null : Math.min(1, Math.max(0, score));
}
