/** A hit for a fact that no search found, shown because of another hit, with its score. */
import type { Fact } from "../core/facts/fact.ts";
import type { Origin } from "../core/memory.ts";
import type { MemoryFilter } from "../core/ports/search.ts";
import { passes } from "./fetched-search.ts";

interface Found {
  readonly origin: Origin;
  readonly score: number;
  readonly guessed: boolean;
}

export function factHit({ id, text, created_at, source }: Fact, { origin, score, guessed }: Found) {
  return {
    ...({ kind: "fact", source: id, origin, title: null, heading: "", text, line: 1 } as const),
    ...{ tags: source.tags, speaker: null, session: source.session, trust: source.trust },
    ...{ at: Date.parse(created_at), score, guessed },
  };
}

/** The filter that the search had. */
export function isAllowed(hit: ReturnType<typeof factHit>, { scopes: _, ...filter }: MemoryFilter): boolean {
  return passes({ ...hit, id: hit.source, cosine: null, words: null }, filter);
}
