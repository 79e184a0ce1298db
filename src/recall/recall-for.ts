/** Recall for callers that build one text from several queries; `count` records which memories it used. */
import { vectorsOnce } from "../core/vectors-once.ts";
import { withoutWeakHits } from "./context.ts";
import type { AskHosted, RecallPorts } from "./ports.ts";
import type { RecallHit } from "./recall.ts";
import { ask, countRecalls, type ScopedOptions } from "./search.ts";

type Wanted = Required<Pick<ScopedOptions, "kinds" | "scopes" | "limit">> & Pick<ScopedOptions, "except">;

/** Embeds a repeated query only once, and asks a hosted index once for all kinds. */
export function recallFor(ports: RecallPorts) {
  const { hosted } = ports;
  const embedders = ports.embedders.map(vectorsOnce);
  const once = { ...ports, embedders, ...(hosted !== undefined && { hosted: askedOnce(hosted) }) };
  return {
    /** Relevant hits, best first. */
    async recall(query: string, wanted: Wanted): Promise<RecallHit[]> {
      const isHereOnly = ports.fetch === undefined && ports.hosted === undefined;
      if (isHereOnly && wanted.kinds.length === 1 && !hasAny(ports, wanted)) return [];
      return withoutWeakHits((await ask(once, query, wanted, false)).hits);
    },
    count: (recalled: Parameters<typeof countRecalls>[1]) =>
      countRecalls(ports.workspaces, recalled, ports.clock()),
  };
}

function askedOnce(hosted: AskHosted): AskHosted {
  const asked = new Map<string, ReturnType<AskHosted>>();
  return ({ kinds: _, ...question }, embedder) => {
    const key = JSON.stringify(question);
    const answer = asked.get(key) ?? hosted(question, embedder);
    asked.set(key, answer);
    return answer;
  };
}

/** The fuzzy fallback is slow, so skip it if there is nothing to find. */
function hasAny({ workspaces }: RecallPorts, { kinds, scopes }: Wanted): boolean {
  return workspaces.some(({ search }) => search.newest({ kinds, scopes }, 1).length > 0);
}
