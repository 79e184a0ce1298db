/**
 * The same fact in other words, by the likeness of its meaning. The thresholds were measured (docs/benchmarks.md, "Same fact
 * or another"): a wrong merge loses a fact, a missed one only repeats it, so they are high.
 */
import { keptApartBy, onlyIn } from "./dedup-guards.ts";
import type { Relation, Surroundings } from "./dedup-relation.ts";
import { MOST_WORDS, type Statement } from "./dedup-statement.ts";
import { isJoined } from "./dedup-words.ts";

const THRESHOLDS = {
  /** Both have the same words of content. */
  sameWords: 0.9,
  /** One has words that the other has not, or each has one of its own. */
  otherWords: 0.97,
  /** One denies what the other says. */
  denial: 0.75,
  /** A judge is asked from here on. */
  unsure: 0.85,
} as const;

const LOWEST = Math.min(...Object.values(THRESHOLDS));

/** Whether there is a cosine that would merge the two, so that it is worth finding out. */
export function likenessDecides(known: Statement, added: Statement, around: Surroundings): boolean {
  if (known.denials === added.denials && !wordsAgree(known, added)) return false;
  const kind = relationByLikeness(known, added, 1, around)?.kind ?? "unsure";
  return kind !== "unsure";
}

/** One says no more than the other, or each has one word of its own. */
function wordsAgree(known: Statement, added: Statement): boolean {
  const old = onlyIn(known, added, 2).length;
  if (old === 0) return true;
  const fresh = onlyIn(added, known, 2).length;
  return fresh === 0 || old + fresh === 2;
}

/** null: they are not alike enough to say anything. */
export function relationByLikeness(
  known: Statement,
  added: Statement,
  cosine: number,
  around: Surroundings,
): Relation | null {
  if (cosine < LOWEST) return null;
  const unsure = (why: string): Relation | null =>
    cosine >= THRESHOLDS.unsure ? { kind: "unsure", why: `much alike, but ${why}` } : null;
  if (!isReadable(known) || !isReadable(added)) return unsure("the model reads this script badly");
  if (isLong(known) || isLong(added)) return unsure("long");
  const apart =
    subjectsApart(known, added, around) ?? attributesApart(known, added) ?? keptApartBy(known, added);
  if (apart !== null) return unsure(apart);
  if (known.denials !== added.denials)
    return cosine >= THRESHOLDS.denial ? denial(known, added) : unsure("one denies something");
  const [old, fresh] = [onlyIn(known, added).length, onlyIn(added, known).length];
  if (old + fresh === 0 && cosine >= THRESHOLDS.sameWords)
    return { kind: "same", why: "the same in other words" };
  if (fresh === 0 && cosine >= THRESHOLDS.otherWords)
    return { kind: "same", why: "the known fact says it with more detail" };
  if (old === 0 && cosine >= THRESHOLDS.otherWords)
    return { kind: "supersedes", why: "says the same with more detail" };
  if (old === 1 && fresh === 1 && added.words.length <= MANY_WORDS && cosine >= THRESHOLDS.otherWords)
    return { kind: "supersedes", why: "the same in other words" };
  return unsure("not in the same words");
}

/** A denial holds for all that is narrower: what is denied must have no words that the other has not. */
function denial(known: Statement, added: Statement): Relation {
  const [denied, affirmed] = added.negated ? [added, known] : [known, added];
  const saysMore = added.negated && isJoined(known.words) && onlyIn(known, added).length > 0;
  if (known.negated === added.negated || onlyIn(denied, affirmed).length > 0 || saysMore)
    return { kind: "unsure", why: "one may deny the other" };
  const why = added.negated ? "denies it" : "says what it denies";
  return { kind: "supersedes", why: `${why}, and was said later` };
}

/** Somebody else, or something of theirs. "The child" and "the young child" can be one. */
function subjectsApart(known: Statement, added: Statement, around: Surroundings): string | null {
  if (!known.hasSubject || !added.hasSubject) return null;
  const [old, fresh] = [around.subjectOf(known), around.subjectOf(added)];
  if (old === fresh) return null;
  const isOwned = [known, added].some(({ words }) => words.some(({ owns }) => owns));
  const [words, others] = [old.split(" "), fresh.split(" ")];
  const within = words.every((word) => others.includes(word)) || others.every((word) => words.includes(word));
  return isOwned || old === "" || fresh === "" || !within ? "about something else" : null;
}

function attributesApart(known: Statement, added: Statement): string | null {
  const isApart =
    known.attribute !== null && added.attribute !== null && known.attribute.name !== added.attribute.name;
  return isApart ? "of another attribute" : null;
}

/** One word of many hardly moves the vector. */
const MANY_WORDS = 16;

function isLong({ words }: Statement): boolean {
  return words.length > MOST_WORDS;
}

/** MiniLM reads Latin letters; of other scripts it sees next to nothing, and finds everything alike. */
function isReadable({ words }: Statement): boolean {
  const letters = words.flatMap(({ text }) => text.match(/\p{L}/gu) ?? []);
  return letters.filter((letter) => /\p{Script=Latin}/u.test(letter)).length > letters.length * LATIN_SHARE;
}
const LATIN_SHARE = 0.9;
