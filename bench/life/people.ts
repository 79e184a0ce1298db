/** Invented people: weeks of sessions, and the facts that a good memory has at the end. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Turn {
  readonly role: "user" | "assistant";
  readonly text: string;
  /** The facts that a good model would mark after this exchange. */
  readonly marks?: readonly string[];
}

export interface Session {
  readonly id: string;
  readonly date: string;
  readonly turns: readonly Turn[];
}

export interface GoldFact {
  readonly id: string;
  readonly text: string;
  readonly ended_by: string | null;
  /** A regular expression that recognises any wording. */
  readonly match: string;
  readonly key?: string;
}

export interface Question {
  readonly id: string;
  readonly q: string;
  readonly answers: string;
  readonly stale: string | null;
}

export interface Gold {
  readonly facts: readonly GoldFact[];
  /** `from` is a session and the number of its turn: "s02/2". */
  readonly traps: readonly { readonly from: string; readonly match: string }[];
  readonly additions: readonly (readonly string[])[];
  readonly questions: readonly Question[];
}

export interface Person {
  readonly name: string;
  readonly gold: Gold;
  readonly sessions: readonly Session[];
}

export function loadPeople(directory: string): Person[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .filter((name) => existsSync(join(directory, name, "gold.json")))
    .map((name) => ({
      name,
      gold: JSON.parse(readFileSync(join(directory, name, "gold.json"), "utf8")) as Gold,
      sessions: linesOf<Session>(join(directory, name, "sessions.jsonl")),
    }));
}

/** Facts about other people, as if they were the user's. */
export function loadDistractors(directory: string): string[] {
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name, "corpus.jsonl"))
    .filter((path) => existsSync(path))
    .flatMap((path) => linesOf<{ text: string }>(path).map(({ text }) => text.replace(/^\w+/, "User")));
}

function linesOf<T>(path: string): T[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as T);
}

export function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, "i").test(text);
}
