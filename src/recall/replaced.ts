/** For a question about the past: the facts that the hits replaced. */
import type { Fact } from "../core/facts/fact.ts";
import type { MemoryRef, Origin } from "../core/memory.ts";
import type { MemoryFilter } from "../core/ports/search.ts";
import { localDay } from "../util/days.ts";
import { factHit, isAllowed } from "./fact-hit.ts";
import { asksOfPast } from "./latest-first.ts";
import type { RecallPorts } from "./ports.ts";
import type { Query } from "./query.ts";

interface Hit extends MemoryRef {
  readonly origin: Origin;
  readonly score: number;
  readonly guessed: boolean;
}

/** "Where did I use to live?" "Who was product manager before Lukas?" */
const BEFORE =
  /(?<!\p{L})(?:used? to|before|former(?:ly)?|previous(?:ly)?|at first|originally|früher|vorher|zuvor|antes|anteriormente|avant|auparavant)(?!\p{L})|以前|之前/iu;

/**
 * Puts the facts that a hit replaced right behind it, with the day on which they ended; in front of it, the fact that held at the end
 * of the period that the question names, and those that a question asks for as what was before. A question that names a period
 * without a word of the past gets only the former.
 */
export function withEnded<One extends Hit>(
  { workspaces }: RecallPorts,
  hits: readonly One[],
  filter: MemoryFilter,
  query: Query,
) {
  const end = query.period?.until ?? null;
  const searches = new Map(workspaces.map(({ origin, search }) => [origin, search]));
  /** A long chain matters only for a period, of which one fact of it is shown. Merged histories may contain a circle. */
  const allBefore = (origin: Origin, ids: readonly string[]): readonly Fact[] => {
    const found = new Map<string, Fact>();
    for (let next = ids; next.length > 0; ) {
      const facts = (searches.get(origin)?.replacedBy(next) ?? []).filter(({ id }) => !found.has(id));
      for (const fact of facts) found.set(fact.id, fact);
      next = end === null ? [] : facts.map(({ id }) => id);
    }
    return [...found.values()];
  };
  const isFirst = ({ created_at, ended_at }: Fact) =>
    end === null
      ? BEFORE.test(query.text)
      : Date.parse(created_at) <= end && end < Date.parse(ended_at ?? "");
  return hits.flatMap((hit) => {
    const { kind, origin, source: by, score } = hit;
    const facts = kind === "fact" ? allBefore(origin, [by]) : [];
    const shown = (some: readonly Fact[]) =>
      some
        .map((fact) => ({
          ...factHit(fact, hit),
          parts: [{ name: "before", value: score, note: fact.superseded_by ?? by } as const],
          until: localDay(fact.ended_at ?? ""),
          replacedBy: fact.superseded_by ?? by,
        }))
        .filter((old) => isAllowed(old, filter));
    const isDirect = ({ superseded_by }: Fact) => superseded_by === by;
    const rest = asksOfPast(query) ? facts.filter((fact) => isDirect(fact) && !isFirst(fact)) : [];
    return [...shown(facts.filter(isFirst)), hit, ...shown(rest)];
  });
}
