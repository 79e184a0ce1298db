/**
 * Compares new facts with what is known, in two steps: what takes time (vectors) before the lock is taken, the decision while
 * it is held, when nobody else can change what is known.
 */
import { factId } from "../core/fact-text.ts";
import type { Embedder } from "../core/ports.ts";
import { decide, type Evidence, FactMatcher, gather, type KnownFact } from "./dedup.ts";
import type { Compare, NewFact } from "./keep.ts";
import { likenessIn } from "./likeness.ts";
import type { RetentionWorkspace } from "./ports.ts";
import { currentFacts, syncMemories } from "./take-in.ts";

export async function comparison(
  workspace: RetentionWorkspace,
  embedders: readonly Embedder[],
  facts: readonly NewFact[],
): Promise<Compare> {
  syncMemories(workspace);
  const [embedder] = embedders;
  const help = embedder === undefined ? {} : { likeness: likenessIn(workspace, embedder) };
  const matchers = new TierMatchers();
  const evidence = new Map<string, Evidence>();
  const known: Pick<NewFact & KnownFact, "id" | "text" | "chat">[] = currentFacts(workspace).filter(
    ({ ended_at }) => ended_at === null,
  );
  for (const { text, chat } of facts) {
    const own = [factId(text, chat), factId(text, null)];
    if (known.some((fact) => own.includes(fact.id))) continue;
    const inTier = known.filter((fact) => fact.chat === null || fact.chat === chat);
    evidence.set(text, await gather(text, matchers.of(chat, inTier), help));
    // One reply may say the same twice.
    known.push({ id: factId(text, chat), text, chat });
  }
  return (text, holding, chat) => decide(text, matchers.of(chat, holding), evidence.get(text));
}

/** A matcher for each tier, kept in step: to prepare thousands of facts anew for each would take long. */
class TierMatchers {
  readonly #tiers = new Map<string | null, { matcher: FactMatcher; ids: ReadonlySet<string> }>();

  of(chat: string | null, known: readonly KnownFact[]): FactMatcher {
    const { matcher, ids } = this.#tiers.get(chat) ?? { matcher: new FactMatcher(), ids: new Set<string>() };
    const now = new Set(known.map(({ id }) => id));
    for (const id of ids) if (!now.has(id)) matcher.remove(id);
    for (const fact of known) if (!ids.has(fact.id)) matcher.add(fact);
    this.#tiers.set(chat, { matcher, ids: now });
    return matcher;
  }
}
