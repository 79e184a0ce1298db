/**
 * Places of facts by a key that is costly to work out: a fact is filed when somebody asks for a key that it may have by a
 * glance. A process that compares one fact files few of those it knows; one that goes on asking files them all.
 */
import type { Glance } from "./dedup-glance.ts";

/** So often, the facts that wait are looked through; then all are filed. */
const MOST_GLANCES = 8;
/** Fewer facts are filed sooner than looked through. */
const FEW_FACTS = 8;
/** To look for more keys takes as long as to file. */
const MANY_KEYS = 40;

interface Indexed {
  readonly normal: string;
}

/** Answers as if all facts had been filed when they were added. */
export class LazyIndex<Fact extends Indexed> {
  readonly #places = new Map<string, number[]>();
  readonly #waiting = new Map<number, Fact>();
  /** Keys that no fact that waits can have. */
  readonly #complete = new Set<string>();
  #glances = 0;

  /** `glanceFor` gives what passes every fact with one of the keys. */
  constructor(
    private readonly keysOf: (fact: Fact) => readonly string[],
    private readonly glanceFor: (keys: readonly string[]) => Glance,
  ) {}

  /** Places are added in rising order. */
  add(place: number, fact: Fact): void {
    this.#waiting.set(place, fact);
    if (this.#complete.size > 0) this.#complete.clear();
  }

  remove(place: number, fact: Fact): void {
    if (this.#waiting.delete(place)) return;
    for (const key of this.keysOf(fact)) unlist(this.#places, key, place);
  }

  /** For each key, the places of the facts that have it, in rising order. */
  of(keys: readonly string[]): (readonly number[])[] {
    if (this.#waiting.size > 0) this.#file(keys.filter((key) => !this.#complete.has(key)));
    return keys.map((key) => this.#places.get(key) ?? []);
  }

  /** Files some of those that wait, whatever they may have; false where none is left. */
  fileSome(count: number): boolean {
    let left = count;
    for (const [place, fact] of this.#waiting) {
      if (left-- === 0) return true;
      this.#fileOne(place, fact);
    }
    return false;
  }

  #fileOne(place: number, fact: Fact): void {
    this.#waiting.delete(place);
    for (const key of this.keysOf(fact)) list(this.#places, key, place);
  }

  #file(keys: readonly string[]): void {
    if (keys.length === 0) return;
    const isForAll =
      this.#waiting.size < FEW_FACTS || keys.length > MANY_KEYS || ++this.#glances > MOST_GLANCES;
    const passes = isForAll ? null : this.glanceFor(keys);
    for (const [place, fact] of this.#waiting) {
      if (passes?.(fact.normal) === false) continue;
      this.#fileOne(place, fact);
    }
    for (const key of keys) this.#complete.add(key);
  }
}

/** In rising order. */
export function list(places: Map<string, number[]>, key: string, place: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, [place]);
  else if ((known.at(-1) ?? place) < place) known.push(place);
  else known.splice(known.findLastIndex((other) => other < place) + 1, 0, place);
}

export function unlist(places: Map<string, number[]>, key: string, place: number): void {
  const known = places.get(key);
  known?.splice(known.indexOf(place), 1);
  if (known?.length === 0) places.delete(key);
}
