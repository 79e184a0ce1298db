/**
 * The known facts, prepared so that a new one is compared with ten thousand of them in a few milliseconds: those that say it
 * letter by letter, those of the same attribute, and a shortlist of those that share the most telling words.
 */
import { cjkBigrams } from "../core/cjk.ts";
import { normalForm } from "../core/fact-text.ts";
import { EMPTY_WORDS } from "./dedup-lexicon.ts";
import type { Surroundings } from "./dedup-relation.ts";
import { MOST_WORDS, type Statement, statementOf } from "./dedup-statement.ts";

export interface KnownFact {
  readonly id: string;
  readonly text: string;
}

export interface PreparedFact extends KnownFact {
  readonly normal: string;
  readonly statement: Statement;
  readonly terms: readonly string[];
}

/** Of each of the two rankings. */
const SHORTLIST = 25;
/** Words are followed from the rarest on, until they have led to so many facts: what most facts have tells little. */
const MOST_FOLLOWED = 3000;

/** May change between comparisons; one that waits for a likeness or a judge answers by what was known when it began. */
export class FactMatcher implements Surroundings {
  private readonly facts: (PreparedFact | null)[] = [];
  private readonly places = new Map<string, number>();
  private readonly byNormal = new Map<string, number[]>();
  private readonly byTerm = new Map<string, number[]>();
  private readonly byAttribute = new Map<string, number[]>();
  private readonly names = new Map<string, number>();

  /** `owners`: names of the user, whom facts without a subject are about. Facts that say the name teach it too. */
  constructor(known: Iterable<KnownFact> = [], owners: readonly string[] = []) {
    for (const name of owners) count(this.names, normalForm(name), 1);
    for (const fact of known) this.add(fact);
  }

  get size(): number {
    return this.places.size;
  }

  /** A fact with the id of a known one takes its place. */
  add(fact: KnownFact): void {
    this.remove(fact.id);
    const prepared = prepare(fact);
    const place = this.facts.push(prepared) - 1;
    this.places.set(fact.id, place);
    for (const [map, key] of this.entries(prepared)) listed(map, key).push(place);
    this.noteName(prepared.statement, 1);
  }

  /** false where there is no such fact. */
  remove(id: string): boolean {
    const place = this.places.get(id);
    const fact = place === undefined ? undefined : this.facts[place];
    if (place === undefined || fact === undefined || fact === null) return false;
    for (const [map, key] of this.entries(fact)) {
      const places = map.get(key);
      places?.splice(places.indexOf(place), 1);
      if (places?.length === 0) map.delete(key);
    }
    this.noteName(fact.statement, -1);
    this.facts[place] = null;
    this.places.delete(id);
    return true;
  }

  get(id: string): PreparedFact | null {
    const place = this.places.get(id);
    return place === undefined ? null : (this.facts[place] ?? null);
  }

  /** The known facts with this normal form. */
  identical(normal: string): PreparedFact[] {
    return this.at(this.byNormal.get(normal) ?? []);
  }

  /** Those that give the same attribute a value, of whatever subject. */
  sharing({ statement: { attribute } }: PreparedFact): PreparedFact[] {
    return attribute === null ? [] : this.at(this.byAttribute.get(attribute.name) ?? []);
  }

  /** Those that share the most telling words with it: fifty at most. */
  shortlist({ terms }: PreparedFact): PreparedFact[] {
    return this.at([...new Set(this.bestPlaces(terms))]);
  }

  subjectOf({ subject }: Statement): string {
    if (this.names.size === 0 || subject === "") return subject;
    for (let end = subject.length; end > 0; end = subject.lastIndexOf(" ", end - 1))
      if (this.names.has(subject.slice(0, end))) return subject.slice(end + 1);
    return subject;
  }

  isTopic(name: string): boolean {
    if ((this.byAttribute.get(name)?.length ?? 0) > 1) return true;
    const words = name.split(" ");
    const [rarest = []] = this.placesOf(words);
    return this.at(rarest).some(
      ({ statement, terms }) =>
        statement.attribute?.name !== name && words.every((word) => terms.includes(word)),
    );
  }

  /** Where each of the words occurs, the rarest first. */
  private placesOf(terms: readonly string[]): number[][] {
    return terms
      .map((term) => this.byTerm.get(term) ?? [])
      .filter((places) => places.length > 0)
      .sort((a, b) => a.length - b.length);
  }

  private at(places: readonly number[]): PreparedFact[] {
    return places.flatMap((place) => this.facts[place] ?? []);
  }

  private *entries({ normal, statement, terms }: PreparedFact): Generator<[Map<string, number[]>, string]> {
    yield [this.byNormal, normal];
    if (statement.attribute !== null) yield [this.byAttribute, statement.attribute.name];
    for (const term of terms) yield [this.byTerm, term];
  }

  /** "Name: Jamie" says that facts about Jamie are about the user. */
  private noteName({ subject, attribute }: Statement, by: 1 | -1): void {
    if (attribute?.name !== "name" || subject !== "" || attribute.core[0]?.capital !== true) return;
    const said = attribute.core.map(({ word }) => word);
    for (const name of new Set([said[0] ?? "", said.join(" ")])) count(this.names, name, by);
  }

  /** The best by the weight of the words shared, and by that weight for each word of their own. */
  private bestPlaces(terms: readonly string[]): number[] {
    const weights = new Map<number, number>();
    let followed = 0;
    for (const places of this.placesOf(terms)) {
      followed += places.length;
      if (followed > MOST_FOLLOWED && weights.size > 0) break;
      const weight = Math.log(1 + this.size / places.length);
      for (const place of places) weights.set(place, (weights.get(place) ?? 0) + weight);
    }
    const best = new Best(SHORTLIST);
    const densest = new Best(SHORTLIST);
    for (const [place, weight] of weights) {
      best.offer(place, weight);
      densest.offer(place, weight / (this.facts[place]?.terms.length ?? 1));
    }
    return [...best.places, ...densest.places];
  }
}

/** The few with the highest scores, in any order. */
class Best {
  readonly places: number[] = [];
  private readonly scores: number[] = [];
  private lowest = Number.NEGATIVE_INFINITY;

  constructor(private readonly most: number) {}

  offer(place: number, score: number): void {
    if (score <= this.lowest) return;
    const isFull = this.places.length === this.most;
    const at = isFull ? this.scores.indexOf(this.lowest) : this.places.length;
    this.places[at] = place;
    this.scores[at] = score;
    if (this.places.length === this.most) this.lowest = Math.min(...this.scores);
  }
}

export function prepare(fact: KnownFact): PreparedFact {
  const statement = statementOf(fact.text);
  const words = statement.words.slice(0, MOST_WORDS).filter(({ word }) => !EMPTY_WORDS.has(word));
  const terms = new Set([...words.map(({ base }) => base), statement.verb, ...cjkBigrams(fact.text)]);
  terms.delete("");
  return { ...fact, normal: normalForm(fact.text), statement, terms: [...terms] };
}

function listed(map: Map<string, number[]>, key: string): number[] {
  let list = map.get(key);
  if (list === undefined) {
    list = [];
    map.set(key, list);
  }
  return list;
}

function count(map: Map<string, number>, key: string, by: number): void {
  const sum = (map.get(key) ?? 0) + by;
  if (sum > 0) map.set(key, sum);
  else map.delete(key);
}
