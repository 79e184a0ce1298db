/** Whether two facts are about the same person or thing, as far as their first words show. */
import { givesValue, isNewWord, withoutChange } from "../../core/language/change-words.ts";
import { ARTICLES, SELF, SUBJECTS } from "../../core/language/function-words.ts";
import { isStopWord, isStopWordSomewhere } from "../../core/language/stop-words.ts";
import { contentWords, factWords, kindOf, tokensOf } from "./fact-words.ts";

/**
 * "other" for "My mother lives in Madrid" and "I no longer live in Madrid", or "The Luna project ..." and "The Sol project ...";
 * "unclear" for "Staging runs ..." and "The staging database runs ...".
 */
export function compareSubjects(known: string, added: string): "same" | "unclear" | "other" {
  const [before, now] = [factWords(known), factWords(added)];
  const [subject, changed] = [subjectIn(known), subjectIn(withoutChange(added))];
  const lacks = (words: readonly string[], all: readonly string[]) =>
    words.length > 0 && !words.some((word) => all.some((other) => isForm(word, other)));
  const isMissing = subject.owned.some((words) => lacks(words, now));
  if (isMissing && (changed.isMe || changed.owned.length > 0)) return "other";
  if (changed.owned.some((words) => lacks(words, before))) return "other";
  if (lacks(subject.first, now) && lacks(changed.first, before)) return "other";
  const hasOwn = (text: string, all: readonly string[]) => ownedIn(text).some((word) => !all.includes(word));
  const isOfOther = hasOwn(known, now) && hasOwn(added, before);
  const isOfMe = subject.isMe && isNameIn(known, added.split(/\s+/)[0] ?? "");
  return isMissing || isOfOther || isOfMe || namesMore(before, added) ? "unclear" : "same";
}

/** "jefa" for the stem of "jefe". */
function isForm(stem: string, other: string): boolean {
  return other.startsWith(stem) && other.length <= stem.length + 1;
}

interface Subject {
  /** "mother" of "my mother", "boss" and "wife" of "my boss's wife": of each group, the other fact must have a word. */
  readonly owned: readonly (readonly string[])[];
  /** Any other first word, which may be a name, a thing or a verb. */
  readonly first: readonly string[];
  readonly isMe: boolean;
}

const MY =
  /^(?:my|our|your|his|her|their|user's|mein\p{L}*|dein\p{L}*|unser\p{L}*|mis?|tus?|sus?|nuestr\p{L}*|mon|ma|mes|notre|nos)$/iu;
const OF = /^(?:of|de|del|von|vom|du)$/i;
const IS_NAME = /^\p{Lu}/u;

/** "I", "I'm", "We", "User"; not "User's". */
function isSelf(word: string): boolean {
  const bare = word.toLowerCase().replace(/'(?:m|re|ve|ll|d)$/, "");
  return SELF.has(bare) || bare === "user";
}

function subjectIn(text: string): Subject {
  const words = text
    .replaceAll("’", "'")
    .trim()
    .split(/[\s,;:]+/);
  const [first = "", , third = ""] = words;
  if (isSelf(first)) return { owned: [], first: [], isMe: true };
  const isOwner = (word: string) => MY.test(word) || /'s$/i.test(word);
  if (isOwner(first) || (ARTICLES.has(first.toLowerCase()) && OF.test(third))) {
    const last = words.findIndex((word, at) => at > 0 && !isOwner(word) && !isNewWord(word));
    const [noun = "", name = ""] = words.slice(Math.max(0, last));
    const head = factWords(IS_NAME.test(name) ? `${noun} ${name}` : noun);
    const owners = words.slice(0, Math.max(0, last)).filter((word) => !MY.test(word) && isOwner(word));
    return { owned: [...owners.map(factWords), head], first: [], isMe: false };
  }
  const named = contentWords(text).filter((word) => kindOf(word) === null);
  return { owned: [], first: named.slice(0, 1), isMe: false };
}

/** "mother" in "I call my mother on Sundays". */
function ownedIn(text: string): string[] {
  const words = text.replaceAll("’", "'").split(/[\s,;:]+/);
  return words.flatMap((word, at) => (MY.test(word) ? factWords(words[at + 1] ?? "").slice(0, 1) : []));
}

/** Whether a word is a name in the middle of a text. */
function isNameIn(text: string, word: string): boolean {
  return IS_NAME.test(word) && text.split(/[\s,;:.]+/).indexOf(word) > 0;
}

/** Whether the subject has other words besides: "The staging database runs ..." for "Staging runs ...". */
function namesMore(before: readonly string[], added: string): boolean {
  const changed = withoutChange(added);
  const words = changed.trim().split(/\s+/);
  const verb = words.findIndex((word) => givesValue(word.toLowerCase()));
  const isOther = (word: string) => !before.includes(word) && !isStopWordSomewhere(word);
  if (verb > 0 && factWords(words.slice(0, verb).join(" ")).some(isOther)) return true;
  const now = factWords(changed);
  const [first = "", second = ""] = before;
  const [at, next] = [now.indexOf(first), now.indexOf(second)];
  const more = at > 0 ? now.slice(0, at) : at === 0 ? now.slice(1, Math.max(1, next)) : [];
  return more.length > 0 && more.every((word) => !before.includes(word));
}

/** They don't show what a fact is about. */
export const FILLERS: ReadonlySet<string> = new Set(["the", "a", "an", "user", "user's"]);

/** "I weigh 80 kg", "User runs 5 km a day": the second word is a verb. */
export function saysWhatOneDoes(text: string): boolean {
  return SUBJECTS.has(text.toLowerCase().split(/\s/)[0] ?? "");
}

/** "i" in "I live in Lisbon" and "We live in Lisbon", "my sister" in "My sister lives in Madrid". */
export function subjectOf(text: string): string {
  const [first = "", second = ""] = tokensOf(text);
  if (isSelf(first)) return "i";
  return isStopWord(first) && !SUBJECTS.has(first) ? `${first} ${second}` : first;
}

/** "I work at Acme", "I work at Globex now": the same first words, at least one of them not a stop word. */
export function beginTheSame(known: string, added: string): boolean {
  const now = tokensOf(added);
  const before = tokensOf(known);
  const different = before.findIndex((word, at) => word !== now[at]);
  return different > 1 && before.slice(0, different).some((word) => !isStopWord(word) && !FILLERS.has(word));
}

/** "Coffee costs 3 euros", "Tea costs 2 euros"; "I drink kombucha", "I brew kombucha". */
export function beginWithOthers(known: string, added: string): boolean {
  const [before, now] = [factWords(known), factWords(added)];
  return !now.includes(before[0] ?? "") && !before.includes(now[0] ?? "");
}

/** "Invoice 1041 is paid" and "Invoice 1042 is paid": a number that names the thing that the sentence is about. */
export function nameOtherThings(known: string, added: string): boolean {
  const words = (text: string) => tokensOf(text).filter((word) => !FILLERS.has(word));
  const [before, now] = [words(known), words(added)];
  const different = before.findIndex((word, at) => word !== now[at]);
  const isNumber = (word = "") => /\d/.test(word);
  return (
    isNumber(before[different]) &&
    isNumber(now[different]) &&
    different > 0 &&
    (different < MOST_BEFORE_NAME || givesValue(before[different + 1] ?? "")) &&
    !isStopWord(before[different - 1] ?? "") &&
    before.slice(different + 1).join(" ") === now.slice(different + 1).join(" ") &&
    before.length > different + 1
  );
}

const MOST_BEFORE_NAME = 3;
