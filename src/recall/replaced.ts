/** For a question about the past: the facts that the hits replaced. */
import type { MemoryRef, Origin } from "../core/memory.ts";
import type { MemoryFilter } from "../core/ports/search.ts";
import { localDay } from "../util/text.ts";
import { passes } from "./fetched-search.ts";
import type { RecallPorts } from "./ports.ts";

interface Hit extends MemoryRef {
  readonly origin: Origin;
  readonly score: number;
  readonly guessed: boolean;
}

/** Puts the facts that a hit replaced right behind it, with the day on which they ended. */
export function withEnded<One extends Hit>(
  { workspaces }: RecallPorts,
  hits: readonly One[],
  { scopes: _, ...filter }: MemoryFilter,
) {
  const replaced = new Map(
    workspaces.map(({ origin, search }) => {
      const own = hits.filter((hit) => hit.kind === "fact" && hit.origin === origin);
      const facts = search.replacedBy(own.map(({ source }) => source));
      return [origin, Map.groupBy(facts, ({ superseded_by }) => superseded_by)] as const;
    }),
  );
  return hits.flatMap((hit) => {
    if (hit.kind !== "fact") return hit;
    const { origin, source: by, score, guessed } = hit;
    const before = (replaced.get(origin)?.get(by) ?? []).map(
      ({ id, text, created_at, ended_at, source }) => ({
        ...({ kind: "fact", source: id, origin, title: null, heading: "", text, line: 1 } as const),
        ...{ tags: source.tags, speaker: null, session: source.session, trust: source.trust, score, guessed },
        at: Date.parse(created_at),
        parts: [{ name: "before", value: score, note: by } as const],
        until: localDay(ended_at ?? ""),
        replacedBy: by,
      }),
    );
    return [
      hit,
      ...before.filter((old) => passes({ ...old, id: old.source, cosine: null, words: null }, filter)),
    ];
  });
}
