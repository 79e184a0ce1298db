/** What a fact is about: whose thing, which person, which of several things of the same kind. */
import { givesValue, withoutChange } from "../../core/text/change-words.ts";
import { isStopWord } from "../../core/text/stop-words.ts";
import { factWords, tokensOf } from "./fact-words.ts";

/** They don't show what a fact is about. */
export const FILLERS: ReadonlySet<string> = new Set(["the", "a", "an", "user", "user's"]);

const PRONOUNS: ReadonlySet<string> = new Set(
  "i we you he she they it ich wir du er sie es yo nosotros ella ellos je nous il elle".split(" "),
);

/** "I", "you", "he" ... as the subject. */
export function isPerson(text: string): boolean {
  return PRONOUNS.has(tokensOf(text)[0] ?? "");
}

/** "I weigh 80 kg", "User runs 5 km a day": the second word is a verb. */
export function saysWhatOneDoes(text: string): boolean {
  const [first = ""] = text.toLowerCase().split(/\s/);
  return first === "user" || PRONOUNS.has(first);
}

/** "i" in "I live in Lisbon", "my sister" in "My sister lives in Madrid". */
export function subjectOf(text: string): string {
  const [first = "", second = ""] = tokensOf(text);
  return isStopWord(first) && !PRONOUNS.has(first) ? `${first} ${second}` : first;
}

/** "I work at Acme", "I work at Globex now": the same first words, at least one of them not a stop word. */
export function beginTheSame(known: string, added: string): boolean {
  const now = tokensOf(added);
  const before = tokensOf(known);
  const different = before.findIndex((word, at) => word !== now[at]);
  return different > 1 && before.slice(0, different).some((word) => !isStopWord(word) && !FILLERS.has(word));
}

/** "deploy mobile app" in "Deploys of the mobile app are on Thursdays"; empty if it has no verb like "is". */
export function subjectWords(text: string): string[] {
  const words = text.split(/\s+/);
  const verb = words.findIndex((word) => givesValue(word.toLowerCase()));
  return verb < 0 ? [] : factWords(withoutChange(words.slice(0, verb).join(" ")));
}

/** "Ana" in "Ana's flight", "son" in "my son's dentist". */
export function ownersIn(text: string): string[] {
  return [...text.toLowerCase().matchAll(/([\p{L}\p{N}]+)['’]s(?![\p{L}\p{N}])/gu)].map(
    ([, owner = ""]) => owner,
  );
}

/** Whether a fact is about a thing of somebody whom the other one doesn't mention: "my son's dentist", "my dentist". */
export function namesAnotherOwner(text: string, other: string): boolean {
  const mentioned = tokensOf(other);
  return ownersIn(text).some((owner) => !FILLERS.has(owner) && !mentioned.includes(owner));
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
