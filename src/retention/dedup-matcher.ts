/**
 * The known facts, prepared so that a new one is compared with ten thousand of them in a few milliseconds: those that say it
 * letter by letter, those of the same attribute, and a shortlist of those that share the most telling words.
 */
import { cjkBigrams } from "../core/cjk.ts";
import { normalForm, plainFact } from "../core/fact-text.ts";
import { glanceForAttributes, glanceForTerms } from "./dedup-glance.ts";
import { LazyIndex, list, unlist } from "./dedup-index.ts";
import { EMPTY_WORDS } from "./dedup-lexicon.ts";
import type { Surroundings } from "./dedup-relation.ts";
import { MOST_WORDS, type Reading, readingOf, type Statement, statementFrom } from "./dedup-statement.ts";

export interface KnownFact {
  readonly id: string;
  readonly text: string;
}

/** Terms and statement are worked out when they are first asked for, which those of most known facts never are. */
export interface PreparedFact extends KnownFact {
  readonly normal: string;
  readonly terms: readonly string[];
  readonly statement: Statement;
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
  private readonly byTerm = new LazyIndex<PreparedFact>(({ terms }) => terms, glanceForTerms);
  private readonly byAttribute = new LazyIndex<PreparedFact>(
    ({ statement: { attribute } }) => (attribute === null ? [] : [attribute.name]),
    glanceForAttributes,
  );
  private readonly owners: readonly string[];
  /** Of the user; null where facts came or went since they were asked for. */
  private names: ReadonlySet<string> | null = null;

  /** `owners`: names of the user, whom facts without a subject are about. Facts that say the name teach it too. */
  constructor(known: Iterable<KnownFact> = [], owners: readonly string[] = []) {
    this.owners = owners.map(normalForm);
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
    list(this.byNormal, prepared.normal, place);
    this.byTerm.add(place, prepared);
    this.byAttribute.add(place, prepared);
    this.names = null;
  }

  /** false where there is no such fact. */
  remove(id: string): boolean {
    const place = this.places.get(id);
    const fact = place === undefined ? undefined : this.facts[place];
    if (place === undefined || fact === undefined || fact === null) return false;
    unlist(this.byNormal, fact.normal, place);
    this.byTerm.remove(place, fact);
    this.byAttribute.remove(place, fact);
    this.names = null;
    this.facts[place] = null;
    this.places.delete(id);
    return true;
  }

  /** Reads some of the facts that no question has concerned yet; false where none is left. */
  readSome(count: number): boolean {
    return [this.byTerm, this.byAttribute].map((index) => index.fileSome(count)).includes(true);
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
    return attribute === null ? [] : this.having(attribute.name);
  }

  /** Those that share the most telling words with it: fifty at most. */
  shortlist({ terms }: Pick<PreparedFact, "terms">): PreparedFact[] {
    return this.at([...new Set(this.bestPlaces(terms))]);
  }

  subjectOf({ subject }: Statement): string {
    if (subject === "") return subject;
    this.names ??= new Set([...this.owners, ...this.having("name").flatMap(namesTaughtBy)]);
    if (this.names.size === 0) return subject;
    for (let end = subject.length; end > 0; end = subject.lastIndexOf(" ", end - 1))
      if (this.names.has(subject.slice(0, end))) return subject.slice(end + 1);
    return subject;
  }

  isTopic(name: string): boolean {
    if (this.having(name).length > 1) return true;
    const words = name.split(" ");
    const [rarest = []] = this.placesOf(words);
    return this.at(rarest).some(
      (fact) => words.every((word) => fact.terms.includes(word)) && fact.statement.attribute?.name !== name,
    );
  }

  /** Those that give this attribute a value. */
  private having(attribute: string): PreparedFact[] {
    return this.byAttribute.of([attribute]).flatMap((places) => this.at(places));
  }

  /** Where each of the words occurs, the rarest first. */
  private placesOf(terms: readonly string[]): (readonly number[])[] {
    return this.byTerm
      .of(terms)
      .filter((places) => places.length > 0)
      .sort((a, b) => a.length - b.length);
  }

  private at(places: readonly number[]): PreparedFact[] {
    return places.flatMap((place) => this.facts[place] ?? []);
  }

  /** The best by the weight of the words shared, and by that weight for each word of their own. */
  private bestPlaces(terms: readonly string[]): number[] {
    const weights = new Float64Array(this.facts.length);
    const reached: number[] = [];
    let followed = 0;
    for (const places of this.placesOf(terms)) {
      followed += places.length;
      if (followed > MOST_FOLLOWED && reached.length > 0) break;
      const weight = Math.log(1 + this.size / places.length);
      for (const place of places) {
        const before = weights[place] ?? 0;
        if (before === 0) reached.push(place);
        weights[place] = before + weight;
      }
    }
    const best = new Best(SHORTLIST);
    const densest = new Best(SHORTLIST);
    for (const place of reached) {
      const weight = weights[place] ?? 0;
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
  return new Prepared(fact);
}

class Prepared implements PreparedFact {
  readonly id: string;
  readonly text: string;
  readonly normal: string;
  readonly #plain: string;
  #reading: Reading | null = null;
  #terms: readonly string[] | null = null;
  #statement: Statement | null = null;

  constructor({ id, text }: KnownFact) {
    this.id = id;
    this.text = text;
    this.#plain = plainFact(text);
    this.normal = this.#plain.toLowerCase();
  }

  get terms(): readonly string[] {
    this.#terms ??= termsOf(this.text, this.reading());
    return this.#terms;
  }

  get statement(): Statement {
    this.#statement ??= statementFrom(this.reading());
    return this.#statement;
  }

  private reading(): Reading {
    this.#reading ??= readingOf(this.text, this.#plain);
    return this.#reading;
  }
}

function termsOf(text: string, { words, verb }: Reading): string[] {
  const terms = new Set<string>();
  for (const { word, base } of words.slice(0, MOST_WORDS)) if (!EMPTY_WORDS.has(word)) terms.add(base);
  terms.add(verb);
  for (const pair of cjkBigrams(text)) terms.add(pair);
  terms.delete("");
  return [...terms];
}

/** "Name: Jamie" says that facts about Jamie are about the user. */
function namesTaughtBy({ statement: { subject, attribute } }: PreparedFact): string[] {
  if (subject !== "" || attribute?.core[0]?.capital !== true) return [];
  const said = attribute.core.map(({ word }) => word);
  return [said[0] ?? "", said.join(" ")];
}
