/**
 * Uncertain facts: unconfirmed ones are labelled. If one fact may replace another, the newer ranks first and the older is marked
 * until a person decides.
 */
import type { MemoryRef, Origin, Trust } from "../core/memory.ts";
import type { ScorePart } from "./fuse.ts";
import type { RecallPorts } from "./ports.ts";

interface Hit extends MemoryRef {
  readonly origin: Origin;
  readonly trust: Trust;
  readonly score: number;
  readonly parts: readonly ScorePart[];
  readonly mayBeOutdatedBy?: string;
  readonly unconfirmed?: boolean;
}

/** Labels unconfirmed facts. */
export function labelled<One extends Hit>({ workspaces }: RecallPorts, hits: readonly One[]): One[] {
  const facts = hits.filter(({ kind }) => kind === "fact");
  const unconfirmed = new Set(
    workspaces.flatMap(({ origin, search }) => {
      const own = facts.filter((hit) => hit.origin === origin).map(({ source }) => source);
      return search.unconfirmed(own).map((id) => `${origin} ${id}`);
    }),
  );
  return hits.map((hit) =>
    hit.kind === "fact" && unconfirmed.has(`${hit.origin} ${hit.source}`)
      ? { ...hit, unconfirmed: true }
      : hit,
  );
}

/**
 * Moves each newer fact in front of the one it may replace, but never a model's inference in front of a person's statement. Other
 * hits keep their order.
 */
export function newerFirst<One extends Hit>({ workspaces }: RecallPorts, hits: readonly One[]): One[] {
  const ordered = [...hits];
  for (const { origin, search } of workspaces) {
    const facts = hits.filter((hit) => hit.kind === "fact" && hit.origin === origin);
    for (const { newer, older } of search.doubts(facts.map(({ source }) => source))) {
      const of = (id: string) =>
        ordered.findIndex((hit) => hit.kind === "fact" && hit.origin === origin && hit.source === id);
      const [from, to] = [of(newer), of(older)];
      const [moved, outdated] = [ordered[from], ordered[to]];
      if (moved === undefined || outdated === undefined) continue;
      ordered[to] = { ...outdated, mayBeOutdatedBy: newer };
      if (from < to || (outdated.trust === "stated" && moved.trust !== "stated")) continue;
      ordered.splice(from, 1);
      // So that scores agree with the order, and `--explain` says why.
      const value = Math.max(0, outdated.score - moved.score);
      const parts = [...moved.parts, { name: "newer", value } as const];
      ordered.splice(to, 0, { ...moved, score: moved.score + value, parts });
    }
  }
  return ordered;
}
