/**
 * What a fact is about and what it says: "Jamie's timezone: Madrid" is Madrid as the timezone of Jamie, "Lives in Berlin" is
 * Berlin as the home of the user. Only patterns that leave no doubt give an attribute; any other fact is a subject and words.
 */
import { type KeyedFact, keyedFact, plainFact } from "../core/fact-text.ts";
import { type Attribute, attributeOfNoun, attributeOfSentence } from "./dedup-attributes.ts";
import {
  ADVERBS,
  AUXILIARIES,
  FREQUENCIES,
  MODALS,
  NEGATORS,
  PAST_VERBS,
  VERB_CLASSES,
  VERB_FORMS,
} from "./dedup-lexicon.ts";
import { ownerLength, ownerOf } from "./dedup-owner.ts";
import { telling, type Word, wordsOf, wordsOfPlain } from "./dedup-words.ts";

export interface Statement {
  /** Whom or what it is about, in lower case; "" is the user, said or not. */
  readonly subject: string;
  /** Whether it could be told what the subject is; "Vegetarian" and "There is no milk" do not say. */
  readonly hasSubject: boolean;
  readonly attribute: Attribute | null;
  /** The main verb in its base form; "" where none was found. */
  readonly verb: string;
  /** What is said of the subject: the verb and all that follows, without words that say nothing. */
  readonly body: readonly Word[];
  /** The main verb is denied: "does not like", "no longer uses", "hates". */
  readonly negated: boolean;
  /** How many words deny something, anywhere in it. */
  readonly denials: number;
  /** All words of the fact. */
  readonly words: readonly Word[];
}

const MOST_SUBJECT_WORDS = 7;
export const COPULAS: ReadonlySet<string> = new Set(["is", "are", "am", "was", "were", "be"]);
const BEFORE_NOUNS = new Set("the a an my our of for with and".split(" "));
const PRONOUNS = new Set(["i", "we", "you", "they"]);
/** Not a part of whom it is about. */
const SUBJECT_FILLERS = new Set("the a an my our your user i there here this that".split(" "));
/** Before a verb that ends in -ing: it is over. */
const ENDINGS = new Set(["stopped", "quit", "stop", "stops"]);

/** Between the subject and the main verb. */
const HELPERS = new Set([
  ...ADVERBS,
  ...AUXILIARIES,
  ...NEGATORS,
  ...FREQUENCIES,
  ...ENDINGS,
  "just",
  "longer",
]);
/** With what else a group of words around a verb can begin. */
const OPENINGS = new Set([...HELPERS, ...COPULAS, ...MODALS, ...PAST_VERBS, ...VERB_FORMS.keys()]);

/** What has more words is no fact: it is the same only letter by letter. */
export const MOST_WORDS = 200;

/** "Meeting on Monday": no verb, although it could be one. */
const NOUNS_IN_ING = new Set("meeting training building drawing painting".split(" "));

/** A fact's words and its verb: what it is found by. */
export interface Reading extends Pick<Statement, "words" | "verb"> {
  /** The key that names an attribute; null where the fact is a sentence. */
  readonly keyed: KeyedFact | null;
}

/** `plain` is the text as `plainFact` gives it. */
export function readingOf(text: string, plain: string): Reading {
  const found = plain.includes(": ") ? keyedFact(text) : null;
  const words = found?.isCategory ? wordsOf(found.value) : wordsOfPlain(plain);
  const isLong = words.length > MOST_WORDS;
  const keyed = isLong || found === null || found.isCategory || isVerbKey(found.key) ? null : found;
  const group = isLong || keyed !== null ? null : verbGroup(words);
  return { words, keyed, verb: group === null ? "" : verbOf(words, group) };
}

export function statementOf(text: string): Statement {
  return statementFrom(readingOf(text, plainFact(text)));
}

export function statementFrom({ words, keyed }: Reading): Statement {
  if (words.length > MOST_WORDS) return { ...wordsOnly(words), body: [] };
  if (keyed === null) return sentenceOf(words);
  const [owner, noun] = ownerAndNoun(wordsOf(keyed.key));
  const value = wordsOf(keyed.value);
  const owned = ownerLength(noun, value);
  const subject = joined(owner, ownerOf(value.slice(0, owned)));
  const attribute = attributeOfNoun(noun, value.slice(owned), "key");
  return { ...wordsOnly(words), subject, hasSubject: true, attribute };
}

function wordsOnly(words: readonly Word[]): Statement {
  const denials = words.filter(({ word }) => NEGATORS.has(word)).length;
  const body = telling(words);
  return { subject: "", hasSubject: false, attribute: null, verb: "", body, negated: false, denials, words };
}

/** "Likes: coffee" is a sentence with a colon in it. */
function isVerbKey(key: string): boolean {
  const first = key.split(" ")[0] ?? "";
  return first.endsWith("s") && VERB_FORMS.has(first);
}

function sentenceOf(words: readonly Word[]): Statement {
  const group = verbGroup(words);
  const bare = wordsOnly(words);
  if (group === null) return isDenial(words, 0) ? { ...bare, negated: true, body: bare.body.slice(1) } : bare;
  const [owner, noun] = ownerAndNoun(words.slice(0, group.start));
  const found = words[group.verb]?.word ?? "";
  const verb = verbOf(words, group);
  const said = words.slice(group.verb).filter((_, at) => !group.denials.has(group.verb + at));
  const isDenied = group.denials.size > 0;
  const named = VERB_CLASSES.get(verb) ?? verb;
  const isOpposite = named.startsWith("-") && !isDenied;
  const meaning = named.startsWith("-") && isDenied ? verb : named;
  const negated = isDenied || isOpposite;
  const isPlain =
    !negated &&
    !group.often &&
    !isIndefinite(words, group.start) &&
    found !== "were" &&
    (found !== "was" || said[1]?.word === "born");
  const given = isPlain ? attributeOfSentence(noun, verb, said) : null;
  const spoken = said.map((word, at) => (at === 0 ? asVerb(word, meaning) : word));
  const denied = [...group.denials].filter((at) => NEGATORS.has(words[at]?.word ?? "")).length;
  return {
    ...bare,
    subject: given?.isNoun ? owner : joined(owner, noun),
    attribute: given?.attribute ?? null,
    verb,
    body: given?.isNoun ? bare.body : telling([...group.before, ...spoken]),
    hasSubject: group.start === 0 || !/^(?:there|it|this|that)$/.test(words[0]?.word ?? ""),
    negated,
    denials: bare.denials - denied + (negated ? 1 : 0),
  };
}

function verbOf(words: readonly Word[], group: VerbGroup): string {
  const found = words[group.verb]?.word ?? "";
  return COPULAS.has(found) ? "be" : (VERB_FORMS.get(found) ?? found);
}

/** "A friend lives in Berlin": the next may be another friend. */
function isIndefinite(words: readonly Word[], subjectLength: number): boolean {
  return (
    subjectLength > 0 && /^(?:a|an|one|another|some|any|every|each|most|many)$/.test(words[0]?.word ?? "")
  );
}

function asVerb(word: Word, meaning: string): Word {
  const base = meaning.replace(/^-/, "");
  return VERB_FORMS.has(word.word) ? { ...word, word: base, base } : word;
}

function joined(owner: string, noun: string): string {
  return owner === "" || noun === "" ? owner + noun : `${owner} ${noun}`;
}

/** "Jamie's sister": of whom, and what; "the birthday of Jamie" likewise. The user is "". */
function ownerAndNoun(words: readonly Word[]): [owner: string, noun: string] {
  const named = words.filter(({ word }) => !ADVERBS.has(word) && !SUBJECT_FILLERS.has(word));
  const text = (some: readonly Word[]) => some.map(({ word }) => word).join(" ");
  const last = named.findLastIndex(({ owns }) => owns);
  if (last !== -1) return [text(named.slice(0, last + 1)), text(named.slice(last + 1))];
  const of = named.findIndex(({ word }) => word === "of");
  if (of > 0 && named[of + 1]?.capital === true) return [text(named.slice(of + 1)), text(named.slice(0, of))];
  return ["", text(named)];
}

interface VerbGroup {
  /** How many words stand before it: the subject. */
  readonly start: number;
  /** Where the main verb stands. */
  readonly verb: number;
  /** Where the words stand that deny it. */
  readonly denials: ReadonlySet<number>;
  /** Adverbs before it that change what is said. */
  readonly before: readonly Word[];
  readonly often: boolean;
}

/** The first group of words that can be the verb of a sentence, with what stands around it. */
function verbGroup(words: readonly Word[]): VerbGroup | null {
  const limit = Math.min(words.length, MOST_SUBJECT_WORDS);
  for (let start = 0; start < limit; start++) {
    if (!opensGroup(words, start)) continue;
    const group = groupAt(words, start);
    if (group !== null) return group;
  }
  return null;
}

/** "just" is "only", except before what is past: "just moved". */
function isSkipped(words: readonly Word[], at: number): boolean {
  const word = words[at]?.word ?? "";
  if (word === "just") return PAST_VERBS.has(words[at + 1]?.word ?? "");
  return ADVERBS.has(word) || AUXILIARIES.has(word);
}

function opensGroup(words: readonly Word[], at: number): boolean {
  const { word, text } = words[at] as Word;
  if (!OPENINGS.has(word) && !text.endsWith("ed")) return false;
  return (
    isVerb(words, at) || ADVERBS.has(word) || AUXILIARIES.has(word) || NEGATORS.has(word) || ENDINGS.has(word)
  );
}

/** From adverbs, helpers and denials on to the main verb; null where none follows. */
function groupAt(words: readonly Word[], start: number): VerbGroup | null {
  const denials = new Set<number>();
  const before: Word[] = [];
  let at = start;
  for (; at < words.length; at++) {
    const word = words[at]?.word ?? "";
    if (!HELPERS.has(word)) break;
    if (isDenial(words, at)) denials.add(at);
    else if (word === "longer" && denials.has(at - 1)) denials.add(at);
    else if (ENDINGS.has(word) && isGerund(words, at + 1)) denials.add(at);
    else if (FREQUENCIES.has(word)) before.push(words[at] as Word);
    else if (!isSkipped(words, at)) break;
  }
  const helped = at > start;
  if (!isVerb(words, at) && !(helped && VERB_FORMS.has(words[at]?.word ?? ""))) return null;
  const main = mainVerb(words, at, denials);
  if (words[main + 1]?.word === "no") denials.add(main + 1);
  return { start, verb: main, denials, before, often: before.length > 0 };
}

/** "is not living": the verb is "living". What stands between and denies it is noted. */
function mainVerb(words: readonly Word[], at: number, denials: Set<number>): number {
  const word = words[at]?.word ?? "";
  if (!COPULAS.has(word) && !MODALS.has(word) && word !== "has" && word !== "have") return at;
  let next = at + 1;
  for (; next < words.length; next++) {
    if (isDenial(words, next) && words[next]?.word !== "no") denials.add(next);
    else if (words[next]?.word === "longer" && words[next - 1]?.word === "no") {
      denials.add(next - 1);
      denials.add(next);
    } else if (!ADVERBS.has(words[next]?.word ?? "") && words[next]?.word !== "no") break;
  }
  return COPULAS.has(word) && isGerund(words, next) ? next : at;
}

function isDenial(words: readonly Word[], at: number): boolean {
  const word = words[at]?.word ?? "";
  return NEGATORS.has(word) && word !== "without";
}

function isGerund(words: readonly Word[], at: number): boolean {
  const word = words[at]?.word ?? "";
  return word.endsWith("ing") && VERB_FORMS.has(word);
}

/** A base form is a verb only where a fact begins or after a pronoun or a plural: "the work laptop" has none. */
function isVerb(words: readonly Word[], at: number): boolean {
  const word = words[at]?.word ?? "";
  if (COPULAS.has(word) || MODALS.has(word)) return true;
  const before = words[at - 1];
  if (before?.owns === true || BEFORE_NOUNS.has(before?.word ?? "")) return false;
  const base = VERB_FORMS.get(word);
  if (PAST_VERBS.has(word)) return true;
  if (base === undefined)
    return at > 0 && before?.capital === true && /^\p{Ll}{3,}ed$/u.test(words[at]?.text ?? "");
  if (at === 0) return !NOUNS_IN_ING.has(word);
  if (word.endsWith("ing")) return false;
  if (word !== base) return true;
  return PRONOUNS.has(before?.word ?? "") || (before?.capital === false && before.word !== before.base);
}
