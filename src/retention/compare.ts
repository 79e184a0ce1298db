/**
 * Compares new facts with what is known, in two steps: what takes time (vectors) before the lock is taken, the decision while
 * it is held, when nobody else can change what is known.
 */
import type { Fact } from "../core/fact.ts";
import { factId } from "../core/fact-text.ts";
import type { Embedder, FactIndex } from "../core/ports.ts";
import { detached } from "../util/detached.ts";
import { differing } from "../util/lists.ts";
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
  const help =
    embedder === undefined ? {} : { likeness: likenessIn(workspace, embedder), onlyDecisive: true };
  const matchers = matchersOf(workspace.facts);
  const evidence = new Map<string, Evidence>();
  const holding = currentFacts(workspace).filter(({ ended_at }) => ended_at === null);
  const said: Pick<NewFact & KnownFact, "id" | "text" | "chat">[] = [];
  for (const { text, chat } of facts) {
    const isInTier = (fact: Pick<Fact, "chat">) => fact.chat === null || fact.chat === chat;
    const matcher = matchers.of(chat, [...holding.filter(isInTier), ...said.filter(isInTier)]);
    const [own, shared] = [factId(text, chat), factId(text, null)];
    if (matcher.get(own) !== null || matcher.get(shared) !== null) continue;
    evidence.set(text, await gather(text, matcher, help));
    // One reply may say the same twice.
    said.push({ id: own, text, chat });
  }
  return (text, holding, chat) => decide(text, matchers.of(chat, holding), evidence.get(text));
}

/** At once: some ten milliseconds. */
const READ_AT_ONCE = 200;

/** While nobody waits: reads what a next fact would be compared with, a little at a time, where one was compared already. */
export async function readAhead({ facts }: Pick<RetentionWorkspace, "facts">): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const readOn = () => {
    if (PREPARED.get(facts)?.readSome(READ_AT_ONCE) === true) setImmediate(readOn);
    else resolve();
  };
  readOn();
  return promise;
}

/** For a process that goes on: what was prepared for one fact serves the next. */
const PREPARED = new WeakMap<FactIndex, TierMatchers>();

function matchersOf(facts: FactIndex): TierMatchers {
  const known = PREPARED.get(facts);
  if (known !== undefined) return known;
  const matchers = new TierMatchers();
  PREPARED.set(facts, matchers);
  return matchers;
}

/** As many tiers stay prepared: each holds all facts of the workspace. */
const MOST_TIERS = 2;

/** A matcher for each tier, kept in step: to prepare thousands of facts anew for each would take long. */
class TierMatchers {
  readonly #tiers = new Map<string | null, { matcher: FactMatcher; known: readonly KnownFact[] }>();

  /** false where nothing is left to read. */
  readSome(count: number): boolean {
    return [...this.#tiers.values()].some(({ matcher }) => matcher.readSome(count));
  }

  /** Of exactly these facts, whatever it was of before. */
  of(chat: string | null, known: readonly KnownFact[]): FactMatcher {
    const { matcher, known: before } = this.#tiers.get(chat) ?? { matcher: new FactMatcher(), known: [] };
    const { gone, come } = differing(before, known);
    const texts = new Map(gone.map(({ id, text }) => [id, text]));
    for (const { id, text } of come) {
      if (texts.get(id) !== text) matcher.add({ id, text: detached(text) });
      texts.delete(id);
    }
    for (const id of texts.keys()) matcher.remove(id);
    this.#tiers.delete(chat);
    this.#tiers.set(chat, { matcher, known });
    for (const tier of this.#tiers.keys()) if (this.#tiers.size > MOST_TIERS) this.#tiers.delete(tier);
    return matcher;
  }
}
