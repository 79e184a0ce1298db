/**
 * Compares new facts with known ones in two steps: slow work (index, vectors) before taking the lock, the decision while holding it,
 * when no other process can change the facts.
 */

import { factId } from "../../core/facts/fact-text.ts";
import { saysChange } from "../../core/language/change-words.ts";
import { isStopWord } from "../../core/language/stop-words.ts";
import type { Embedder } from "../../core/ports/documents.ts";
import type { MeaningHit, MemoryFilter, MemorySearch } from "../../core/ports/search.ts";
import { cjkBigrams, withoutCjk } from "../../core/text/cjk.ts";
import { wordsIn } from "../../util/text.ts";
import { type Compare, decide, type KnownFact, type NearFact } from "../compare/decide.ts";
import { FactList } from "../compare/fact-list.ts";
import type { FactWorkspace } from "../ports.ts";
import { currentFacts, syncMemories } from "../sync/sync-facts.ts";
import { FactEmbeddings, withCosines } from "./cosines.ts";

/** Known facts to compare with: by shared words, and for a change by meaning ("I live in Lisbon", "I moved to Porto"). */
const MOST_NEAR = 50;
const MOST_MEANT = 10;
/** New facts that may not be embedded yet. */
const MOST_RECENT = 32;

export async function comparison(
  workspace: FactWorkspace,
  embedders: readonly Embedder[],
  facts: readonly { readonly text: string; readonly chat: string | null }[],
): Promise<Compare> {
  if (facts.length > 0) syncMemories(workspace);
  const [embedder] = embedders;
  const embeddings = embedder === undefined ? null : new FactEmbeddings(workspace, embedder);
  const near = new Map<string, ReadonlyMap<string, NearFact>>();
  const current = currentFacts(workspace);
  const before = new Set(current.map(({ id }) => id));
  const recent = current.slice(-MOST_RECENT);
  // A reply may repeat or correct itself.
  const earlier = new FactList();
  for (const { text, chat } of facts) {
    const visible = recent.filter((fact) => fact.chat === null || fact.chat === chat);
    near.set(
      text,
      await nearTo(workspace, text, chat, { said: earlier.sharing(text), recent: visible }, embeddings),
    );
    earlier.add({ id: factId(text, chat), text });
  }
  return (text, holding, chat) => {
    const [own, shared] = [factId(text, chat), factId(text, null)];
    const found = near.get(text);
    const nearby: NearFact[] = [];
    for (const { id, text: said, key, doubts } of holding) {
      if (id === own || id === shared) return { kind: "same", as: id, why: "exact match" };
      const known = found?.get(id);
      if (known !== undefined) nearby.push({ ...known, key, doubts });
      // Facts that another process wrote in the meantime are compared by words only.
      else if (!before.has(id) && !earlier.has(id))
        nearby.push({ id, text: said, cosine: null, key, doubts });
    }
    return decide(text, nearby);
  };
}

interface Latest {
  /** The facts before this one in the same reply that share the most words with it. */
  readonly said: readonly KnownFact[];
  readonly recent: readonly KnownFact[];
}

async function nearTo(
  { search }: FactWorkspace,
  text: string,
  chat: string | null,
  { said, recent }: Latest,
  embeddings: FactEmbeddings | null,
): Promise<ReadonlyMap<string, NearFact>> {
  const words = wordsIn(withoutCjk(text)).filter((word) => !isStopWord(word));
  const query = {
    ...{ words: [...new Set(words)], bigrams: [...new Set(cjkBigrams(text))] },
    ...{ prefixes: [], phrases: [], wished: [], excluded: [] },
  };
  const filter = { kinds: ["fact"], scopes: chat === null ? [""] : ["", chat] } as const;
  const hits = search
    .byWords(query, filter, MOST_NEAR)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_NEAR);
  const change = saysChange(text) ? embeddings : null;
  const meant = change === null ? [] : await nearestIn(search, text, filter, change);
  const pending = (await change?.notEmbedded(text, recent)) ?? [];
  const near = [...hits, ...meant].map(({ chunkId }) => chunkId);
  const known = search.texts([...new Set(near)]).map(({ source: id, text }) => ({ id, text }));
  const found = await withCosines(text, [...known, ...pending, ...said], embeddings?.cosines);
  return new Map(found.map((fact) => [fact.id, fact]));
}

/** Reads all vectors, so it isn't for every fact. Empty if the text can't be embedded. */
async function nearestIn(
  search: MemorySearch,
  text: string,
  filter: MemoryFilter,
  embeddings: FactEmbeddings,
): Promise<readonly MeaningHit[]> {
  const vector = await embeddings.vectorOf(text);
  return (vector && search.byMeaning(embeddings.model, vector, filter, MOST_MEANT)?.hits) ?? [];
}
