/** Separates the hits of a hosted index: chunks that are on this machine, and memories that only other machines have. */
import { endOfDay } from "../../core/facts/until.ts";
import { type Origin, tagOfChat } from "../../core/memory.ts";
import type { MeaningHit, MemoryFilter } from "../../core/ports/search.ts";
import type { VectorHit, VectorMetadata } from "../../core/ports/vector-index.ts";
import type { HostedHits } from "../../recall/ports.ts";
import { sanitizeHits } from "../remote/sanitize-hits.ts";
import type { HostedScope } from "./hosted-scope.ts";

export function sortHits(
  scopes: readonly HostedScope[],
  found: readonly VectorHit[],
  filter: MemoryFilter,
  now: Date,
): HostedHits {
  const all = new Map(found.map((hit) => [hit.id, hit]));
  const ids = [...all.keys()];
  const here = new Map<Origin, MeaningHit[]>();
  for (const { local, chunks } of scopes) {
    const near = chunks
      .find(ids, filter)
      .map(({ id, chunkId }) => ({ chunkId, cosine: all.get(id)?.cosine ?? 0 }));
    here.set(
      local.origin,
      near.sort((a, b) => b.cosine - a.cosine),
    );
  }
  const known = new Set(scopes.flatMap(({ chunks }) => [...chunks.known(ids)]));
  const unknown = [...all.values()].filter(({ id }) => !known.has(id));
  // What this machine sent and no longer has is about to be deleted, or was just deleted.
  const own = new Set(unknown.length === 0 ? [] : scopes.flatMap(({ uploads }) => [...uploads.ownIds()]));
  const elsewhere = unknown.flatMap(({ id, cosine, about }) =>
    about === null || own.has(id) || isPast(about, now)
      ? []
      : sanitizeHits([hitOf(id, about)]).map((hit) => ({ hit, cosine })),
  );
  return { here, elsewhere };
}

function isPast({ until }: VectorMetadata, now: Date): boolean {
  return until !== null && endOfDay(until) < now;
}

/** Its words are compared here; only the cosine comes from the index. */
function hitOf(id: string, about: VectorMetadata) {
  const { type: kind, fact: text, session_id: session, date: at, trust, chat } = about;
  const tags = chat === "" ? about.tags : [...about.tags, tagOfChat(chat)];
  return { id, kind, text, tags, session, at, trust, cosine: null, words: null };
}
