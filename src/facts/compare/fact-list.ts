/** An in-memory word index of facts, for comparing many at a time. */
import type { KnownFact } from "./decide.ts";
import { factWords } from "./fact-words.ts";

/** More would be pointless: the most similar facts share the most words. */
const MOST_SHARING = 50;

export class FactList {
  readonly #facts = new Map<string, KnownFact & { readonly words: ReadonlySet<string> }>();
  readonly #holding = new Map<string, Set<string>>();

  constructor(facts: readonly KnownFact[] = []) {
    for (const fact of facts) this.add(fact);
  }

  /** Replaces a fact with the same id. */
  add({ id, text }: KnownFact): void {
    this.remove(id);
    const words = new Set(factWords(text));
    this.#facts.set(id, { id, text, words });
    for (const word of words) {
      const ids = this.#holding.get(word);
      if (ids === undefined) this.#holding.set(word, new Set([id]));
      else ids.add(id);
    }
  }

  remove(id: string): void {
    for (const word of this.#facts.get(id)?.words ?? []) this.#holding.get(word)?.delete(id);
    this.#facts.delete(id);
  }

  has(id: string): boolean {
    return this.#facts.has(id);
  }

  /** The facts that share the most words with the text; rare words count more. */
  sharing(text: string, most = MOST_SHARING): KnownFact[] {
    const weights = new Map<string, number>();
    for (const word of new Set(factWords(text))) {
      const ids = this.#holding.get(word) ?? [];
      const size = this.#holding.get(word)?.size ?? 1;
      for (const id of ids) weights.set(id, (weights.get(id) ?? 0) + Math.log(1 + this.#facts.size / size));
    }
    return [...weights]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .flatMap(([id]) => this.#facts.get(id) ?? []);
  }
}
