/**
 * How a new fact stands to a known one, told by their words alone. Where words do not tell, the answer is null, and likeness
 * of meaning may be asked; `different` says that it need not be.
 */
import { type Attribute, isWhenOrWhere } from "./dedup-attributes.ts";
import {
  COUNTRIES,
  DETAIL_STARTS,
  MANY_NOUNS,
  MANY_VERBS,
  MONTHS,
  NARROWING,
  OPPOSITE_PAIRS,
} from "./dedup-lexicon.ts";
import { mayHaveOwners } from "./dedup-owner.ts";
import type { Statement } from "./dedup-statement.ts";
import { isJoined, isSentenceMore, sameWord, singular, type Word } from "./dedup-words.ts";

export interface Relation {
  readonly kind: "same" | "supersedes" | "unsure" | "different";
  /** For a person. */
  readonly why: string;
}

export interface Surroundings {
  /** Whom a subject names: "" for the user, under whatever name. */
  subjectOf(statement: Statement): string;
  /** Other facts speak of something of this name: as a key it is a topic, not an attribute. */
  isTopic(name: string): boolean;
}

const COVERED = "the known fact says it with more detail";
const ADDED = "says the same with more detail";
const SAYS_MORE: Relation = { kind: "unsure", why: "the known fact says something else as well" };
/** Without the detail more is claimed, or denied. */
const NARROWED: Relation = { kind: "unsure", why: "one says it under a condition" };

export function relationOf(known: Statement, added: Statement, around: Surroundings): Relation | null {
  if (around.subjectOf(known) !== around.subjectOf(added)) return null;
  if (known.negated !== added.negated) return contradiction(known, added);
  const relation = ofAttributes(known, added, around) ?? replacement(known, added) ?? ofBodies(known, added);
  return relation?.kind === "same" && known.denials !== added.denials ? NARROWED : relation;
}

/** One says what the other denies. A denial holds for all that is narrower: "no coffee" for "coffee with milk". */
function contradiction(known: Statement, added: Statement): Relation | null {
  const [denied, affirmed] = known.negated ? [known.body, added.body] : [added.body, known.body];
  if (denied.length === 0 || !begins(affirmed, denied)) return null;
  if (denied.length < affirmed.length && !detailBegins(affirmed, denied.length, "")) return null;
  if (added.negated && isJoined(affirmed.slice(denied.length))) return SAYS_MORE;
  const why = added.negated ? "denies it" : "says what it denies";
  return { kind: "supersedes", why: `${why}, and was said later` };
}

function ofAttributes(known: Statement, added: Statement, around: Surroundings): Relation | null {
  if (known.attribute === null || known.attribute.name !== added.attribute?.name) return null;
  const relation = ofValues(known.attribute, added.attribute, around);
  const noun = singular(known.subject.split(" ").at(-1) ?? "");
  return relation?.kind === "supersedes" && known.attribute.name === "name" && MANY_NOUNS.has(noun)
    ? { kind: "unsure", why: `there can be more than one ${noun}` }
    : relation;
}

function ofValues(known: Attribute, added: Attribute, around: Surroundings): Relation | null {
  if (known.holds === "many" || added.holds === "many") return ofLists(known, added);
  if (known.core.length === 0 || added.core.length === 0) return null;
  if (known.holds === "open" && !(isNamed(known) && isNamed(added))) return null;
  const isSame = sameValue(known.core, added.core);
  if (known.scope !== added.scope) {
    if (isSame && known.scope === "" && begins(added.detail, known.detail))
      return { kind: "supersedes", why: ADDED };
    return { kind: "unsure", why: `'${known.name}' may hold for different times or purposes` };
  }
  if (isSame) return ofDetails(known, added);
  if (endsWithin(known.core, added.core)) return { kind: "same", why: COVERED };
  if (known.isClause || added.isClause) return null;
  if (added.core.length < known.core.length && begins(known.core, added.core))
    return known.name === "name"
      ? { kind: "same", why: COVERED }
      : { kind: "unsure", why: `'${known.name}' may be the same, with less detail` };
  if (!isSameSort(known, added) || (known.holds === "open" && around.isTopic(known.name)))
    return { kind: "unsure", why: `both are about '${known.name}'` };
  if (isSentenceMore(known.detail)) return SAYS_MORE;
  if (mayHaveOwners(known.name, known.holds === "open", known.core, added.core))
    return { kind: "unsure", why: `'${known.name}' may be of different owners` };
  return { kind: "supersedes", why: `same attribute '${known.name}', new value` };
}

/** The value is the same; what is added to it may not be. */
function ofDetails(known: Attribute, added: Attribute): Relation {
  if (begins(known.detail, added.detail))
    return { kind: "same", why: added.detail.length === known.detail.length ? "says the same" : COVERED };
  if (begins(added.detail, known.detail)) return { kind: "supersedes", why: ADDED };
  return { kind: "unsure", why: `same '${known.name}', other details` };
}

const SHORT = 4;
/** The value is a name or a noun, not a sentence about a topic. */
function isNamed({ core, detail, isClause }: Attribute): boolean {
  return !isClause && core.length + detail.length <= SHORT;
}

/** A country is no city; and "Anna" and "angry" need not be values of one thing, unless its name says so. */
function isSameSort(known: Attribute, added: Attribute): boolean {
  const [old, fresh] = [known.core[0] as Word, added.core[0] as Word];
  if (known.name === "home") return COUNTRIES.has(old.word) === COUNTRIES.has(fresh.word);
  const isTold = known.holds === "one" && !known.mayDescribe && !added.mayDescribe;
  const sort = ({ capital, word }: Word) => (/\p{N}/u.test(word) ? "number" : capital ? "name" : "word");
  return isTold || sort(old) === sort(fresh);
}

/** "America/Mexico_City" says "Mexico City" with more detail. */
function endsWithin(whole: readonly Word[], end: readonly Word[]): boolean {
  const path = whole.length === 1 ? (whole[0]?.word ?? "") : "";
  return path.includes("/") && path.endsWith(`/${end.map(({ word }) => word).join("_")}`);
}

/** The day before or after the month is one date: "March 15", "15th of March". */
function sameValue(a: readonly Word[], b: readonly Word[]): boolean {
  if (sameWords(a, b)) return true;
  return a.some(({ word }) => MONTHS.has(word)) && dateOf(a) === dateOf(b);
}

function dateOf(value: readonly Word[]): string {
  const parts = value.map(({ word }) => word.replace(/^(\d+)(?:st|nd|rd|th)$/, "$1"));
  return parts
    .filter((part) => part !== "of")
    .sort()
    .join(" ");
}

function ofLists(known: Attribute, added: Attribute): Relation | null {
  const [old, fresh] = [itemsOf([...known.core, ...known.detail]), itemsOf([...added.core, ...added.detail])];
  if (known.scope !== added.scope) return null;
  if (holdsAll(old, fresh))
    return { kind: "same", why: old.length === fresh.length ? "says the same" : COVERED };
  if (holdsAll(fresh, old)) return { kind: "supersedes", why: `'${known.name}' with more than before` };
  const overlap = fresh.some((item) => old.some((other) => sameWords(item, other)));
  return overlap
    ? { kind: "unsure", why: `'${known.name}' was listed differently` }
    : { kind: "different", why: `'${known.name}' can have many values` };
}

/** "Switched from VS Code to Zed" ends what was said of VS Code. */
function replacement(known: Statement, added: Statement): Relation | null {
  if (!/^(?:switched|migrated|moved|changed|upgraded|transitioned|converted)$/.test(added.verb)) return null;
  if (added.body[1]?.word !== "from" || !/^(?:use|prefer|run|work|live|be)$/.test(known.verb)) return null;
  const to = added.body.findIndex(({ word }) => word === "to" || word === "into");
  const from = added.body.slice(2, Math.max(to, 2));
  const object = known.body
    .slice(known.verb === "be" ? 0 : 1)
    .filter(({ word }) => !/^(?:in|at|on|with)$/.test(word));
  if (from.length === 0 || !begins(object, from)) return null;
  if (object.length > from.length && !detailBegins(object, from.length, known.verb)) return null;
  if (isJoined(object.slice(from.length))) return SAYS_MORE;
  return { kind: "supersedes", why: `'${from.map(({ text }) => text).join(" ")}' was replaced` };
}

function ofBodies(known: Statement, added: Statement): Relation | null {
  const [old, fresh] = [known.body, added.body];
  if (old.length === 0 || fresh.length === 0) return null;
  if (sameWords(old, fresh)) return { kind: "same", why: "the same words" };
  if (begins(fresh, old) && detailBegins(fresh, old.length, added.verb))
    return known.negated ? NARROWED : { kind: "supersedes", why: ADDED };
  if (begins(old, fresh) && detailBegins(old, fresh.length, known.verb))
    return known.negated || old.some((_, at) => at >= fresh.length && narrows(old, at))
      ? NARROWED
      : { kind: "same", why: COVERED };
  return ofObjects(known, added) ?? turnedRound(known, added) ?? oneWordApart(known, added);
}

/** Without what begins here, more is claimed. */
function narrows(words: readonly Word[], at: number): boolean {
  return NARROWING.has(words[at]?.word ?? "") || isWhenOrWhere(words, at);
}

/** "Speaks Spanish" and "Speaks Spanish and French". */
function ofObjects(known: Statement, added: Statement): Relation | null {
  if (known.verb !== added.verb || !MANY_VERBS.has(known.verb)) return null;
  if (!sameWords(known.body.slice(0, 1), added.body.slice(0, 1))) return null;
  const [old, fresh] = [itemsOf(known.body.slice(1)), itemsOf(added.body.slice(1))];
  if (old.length > 1 && holdsAll(old, fresh)) return { kind: "same", why: COVERED };
  if (fresh.length > 1 && holdsAll(fresh, old)) return { kind: "supersedes", why: ADDED };
  return null;
}

/** "tabs over spaces", "spaces over tabs": the same words, two of them in each other's place. */
function turnedRound(known: Statement, added: Statement): Relation | null {
  const [old, fresh] = [known.body, added.body];
  const sorted = (body: readonly Word[]) =>
    body
      .map(({ base }) => base)
      .sort()
      .join(" ");
  if (old.length !== fresh.length || sorted(old) !== sorted(fresh)) return null;
  const weighed = old.some(({ word }) => /^(?:over|to|than|before)$/.test(word));
  if (known.verb === "prefer" && weighed) return { kind: "supersedes", why: "the other way round" };
  return { kind: "unsure", why: "the same words in another order" };
}

/** A value in another's place. Of what there can be many, that is another fact, unless it is a number or the opposite. */
function oneWordApart(known: Statement, added: Statement): Relation | null {
  const [old, fresh] = [known.body, added.body];
  if (old.length !== fresh.length || old.length < 2) return null;
  const apart = old.flatMap((word, at) => (sameWord(word, fresh[at] as Word) ? [] : [at]));
  const [a, b] = [old[apart[0] ?? 0] as Word, fresh[apart[0] ?? 0] as Word];
  if (apart.length !== 1) return null;
  const areNumbers = [a, b].every(({ word }) => /\p{N}/u.test(word));
  const isInside = apart[0] !== 0;
  const isMany = MANY_VERBS.has(known.verb) && isInside;
  if (
    areNumbers ||
    OPPOSITE_PAIRS.has(`${a.word}/${b.word}`) ||
    (!isMany && isInside && a.capital && b.capital)
  )
    return { kind: "unsure", why: "the same but for one value" };
  return isMany ? { kind: "different", why: "another of many" } : null;
}

/** The parts of a list: "Spanish, French and German". "salt and vinegar crisps" is one thing. */
export function itemsOf(words: readonly Word[]): Word[][] {
  const items: Word[][] = [[]];
  let commas = 0;
  for (const word of words) {
    const isAnd = /^(?:and|&|plus)$/.test(word.word);
    if (word.afterBreak && !isAnd) commas++;
    if ((isAnd || word.afterBreak) && items.at(-1)?.length !== 0) items.push([]);
    if (!isAnd) items.at(-1)?.push(word);
  }
  const [first = [], second = []] = items;
  return items.length === 2 && commas === 0 && second.length > first.length ? [[...words]] : items;
}

function holdsAll(items: readonly Word[][], others: readonly Word[][]): boolean {
  return others.every((other) => items.some((item) => sameWords(item, other)));
}

function sameWords(a: readonly Word[], b: readonly Word[]): boolean {
  return a.length === b.length && begins(a, b);
}

function begins(whole: readonly Word[], part: readonly Word[]): boolean {
  return part.length <= whole.length && part.every((word, at) => sameWord(word, whole[at] as Word));
}

/** What could go on as "Bun" does in "Bun 1.4", "Go" does not in "Go karts". */
const VERSIONED = new Set(["use", "run", "be", "need", "build", "have"]);

/** Whether what stands before this place is complete without the rest. */
function detailBegins(words: readonly Word[], at: number, verb: string): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.afterBreak || DETAIL_STARTS.has(word.word)) return true;
  const before = words[at - 1]?.word ?? "";
  return VERSIONED.has(verb) && /^v?\d/.test(word.word) && !/\d/.test(before);
}
