/** Whether a fact is about the person who uses Retain rather than about the project. Pure. */
import { keyedFact } from "../../core/facts/fact-text.ts";
import { tokensOf } from "../compare/fact-words.ts";
import type { NewFact } from "./written.ts";

/** A category of only these words is about the person: "User Preferences", "About me". */
const PERSONAL: ReadonlySet<string> = new Set(
  "about me my user person personal preference preferences profile".split(" "),
);
/** The first word of a statement about oneself, in the languages of requests. */
const FIRST_PERSON: ReadonlySet<string> = new Set(
  "i my me mine ich mein meine meinen meiner meinem mir mich yo mi mis".split(" "),
);

/**
 * Its writer says so, or its category does ("User preference: tea" has one too). Only a person's own words can begin with "I": in a
 * model's, it could be anyone.
 */
export function isAboutPerson({
  about,
  chat,
  category,
  text,
  source,
}: Pick<NewFact, "about" | "chat" | "category" | "text" | "source">): boolean {
  if (chat !== null) return false;
  if (about !== undefined) return about === "person";
  const keyed = keyedFact(text);
  const words = tokensOf(category ?? (keyed?.isCategory ? keyed.key : ""));
  if (words.length > 0) return words.every((word) => PERSONAL.has(word));
  return source.trust === "stated" && isFirstPerson(text);
}

function isFirstPerson(text: string): boolean {
  // Chinese has no spaces: "我" is I, and "我们" is we.
  return text.startsWith("我") ? !/^我[们們]/.test(text) : FIRST_PERSON.has(tokensOf(text)[0] ?? "");
}
