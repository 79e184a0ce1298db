/**
 * What keeps two facts apart although their vectors are alike: MiniLM hardly sees numbers, names, dates, denials and word
 * order, and these are what facts differ in.
 */
import {
  DETAIL_STARTS,
  EMPTY_WORDS,
  NEGATORS,
  OPPOSITE_PAIRS,
  PREPOSITIONS,
  TIME_WORDS,
  WEIGHTY,
} from "./dedup-lexicon.ts";
import type { Statement } from "./dedup-statement.ts";
import { sameWord, type Word } from "./dedup-words.ts";

const NUMBER_WORDS: ReadonlyMap<string, string> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, number) => [word, String(number)] as const),
);

/** Why the two must not be merged for being alike; null where nothing keeps them apart. Denials are looked at elsewhere. */
export function keptApartBy(known: Statement, added: Statement): string | null {
  if (differ(numbersOf(known), numbersOf(added))) return "numbers differ";
  if (differ(pick(known, TIME_WORDS), pick(added, TIME_WORDS))) return "dates differ";
  if (differ(namesOf(known, added), namesOf(added, known))) return "names differ";
  if (differ(pick(known, WEIGHTY), pick(added, WEIGHTY))) return "how much, when or where differs";
  const [old, fresh] = [onlyIn(known, added), onlyIn(added, known)];
  if (old.some((a) => fresh.some((b) => OPPOSITE_PAIRS.has(`${a.word}/${b.word}`)))) return "opposites";
  if (old.some((a) => fresh.some((b) => areOneStem(a.word, b.word)))) return "endings differ";
  const [ways, others] = [pick(known, PREPOSITIONS), pick(added, PREPOSITIONS)];
  if (ways.some((way) => !others.includes(way)) && others.some((way) => !ways.includes(way)))
    return "how things relate differs";
  if (contentIn(known, added).join(" ") !== contentIn(added, known).join(" ")) return "the order differs";
  return null;
}

const STEM = 4;
const LONGEST_ENDING = 2;

/** One stem with two endings, in which the model sees one word: "hermano" and "hermana", "employer" and "employee". */
function areOneStem(a: string, b: string): boolean {
  const stem = Math.max(STEM, Math.max(a.length, b.length) - LONGEST_ENDING);
  return a.slice(0, stem) === b.slice(0, stem);
}

function differ(a: readonly string[], b: readonly string[]): boolean {
  return [...new Set(a)].sort().join(" ") !== [...new Set(b)].sort().join(" ");
}

function numbersOf({ words }: Statement): string[] {
  return words.flatMap(({ word }) => {
    const spelt = NUMBER_WORDS.get(word);
    return spelt !== undefined ? [spelt] : /\p{N}/u.test(word) ? [word] : [];
  });
}

function pick({ words }: Statement, set: ReadonlySet<string>): string[] {
  return words.filter(({ word, base }) => set.has(word) || set.has(base)).map(({ base }) => base);
}

/** Words with a capital that the other fact does not have in small letters. A fact's first word has one anyway. */
function namesOf(statement: Statement, other: Statement): string[] {
  const plain = new Set(other.words.filter(({ capital }) => !capital).map(({ base }) => base));
  return statement.words
    .filter(({ capital, word, base, text }, at) => {
      const isSign = /[@/_]|\p{Lu}.*\p{Lu}|\p{Ll}\p{Lu}/u.test(text);
      return (isSign || (capital && at > 0)) && !plain.has(base) && !EMPTY_WORDS.has(word);
    })
    .map(({ base }) => base);
}

function isContent({ word }: Word): boolean {
  if (word === "there" || word === "here") return false;
  return !EMPTY_WORDS.has(word) && !DETAIL_STARTS.has(word) && !PREPOSITIONS.has(word) && !NEGATORS.has(word);
}

/** Words of content that the other does not have; no more of them than are asked for. */
export function onlyIn({ words }: Statement, other: Statement, most = Number.POSITIVE_INFINITY): Word[] {
  const found: Word[] = [];
  for (const word of words) {
    if (found.length === most) break;
    if (isContent(word) && !other.words.some((its) => sameWord(word, its))) found.push(word);
  }
  return found;
}

/** Words of content that both have, in this one's order. */
function contentIn({ words }: Statement, other: Statement): string[] {
  return words
    .filter((word) => isContent(word) && other.words.some((its) => sameWord(word, its)))
    .map(({ base }) => base);
}
