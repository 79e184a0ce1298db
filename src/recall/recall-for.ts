/** Recall for callers that combine the results of several questions and count them afterwards. */
import type { Embedder } from "../core/ports/documents.ts";
import { worthTelling } from "./context.ts";
import type { RecallPorts } from "./ports.ts";
import type { RecallHit } from "./recall.ts";
import { ask, countRecalls, type ScopedOptions } from "./search.ts";

type Wanted = Required<Pick<ScopedOptions, "kinds" | "scopes" | "limit">>;

/** Embeds a repeated query only once. */
export function recallFor(ports: RecallPorts) {
  const once = { ...ports, embedders: ports.embedders.map(embedOnce) };
  return {
    /** Relevant hits, best first. */
    async recall(query: string, wanted: Wanted): Promise<RecallHit[]> {
      if (ports.fetch === undefined && wanted.kinds.length === 1 && !hasAny(ports, wanted)) return [];
      return worthTelling((await ask(once, query, wanted, false)).hits);
    },
    count: (recalled: Parameters<typeof countRecalls>[1]) => countRecalls(ports, recalled),
  };
}

/** The fuzzy fallback is slow, so skip it if there is nothing to find. */
function hasAny({ workspaces }: RecallPorts, { kinds, scopes }: Wanted): boolean {
  return workspaces.some(({ search }) => search.newest({ kinds, scopes }, 1).length > 0);
}

function embedOnce(embedder: Embedder): Embedder {
  const known = new Map<string, Promise<Float32Array[]>>();
  return {
    model: embedder.model,
    embed(texts, ...more) {
      const [text] = texts;
      if (text === undefined || texts.length > 1) return embedder.embed(texts, ...more);
      const vector = known.get(text) ?? embedder.embed(texts, ...more);
      known.set(text, vector);
      return vector;
    },
    close: () => embedder.close(),
  };
}
