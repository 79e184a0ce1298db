/**
 * A stand-in model that knows what a good memory would learn of an invented person (see bench/life): it reports the marked facts with
 * quotes, and names what they replace. It also proposes what must never become a fact, with a quote that it makes up or, as a sloppy
 * model would, with the words of the conversation.
 */
import { type Gold, matches, type Person } from "../../bench/life/people.ts";
import { exampleOf } from "./example-of.ts";
import {
  LearningServer,
  type ScriptedAnswer,
  type ScriptedFact,
  type ShownBatch,
} from "./learning-server.ts";

export type TrapQuotes = "invented" | "verbatim";

export function goldReader(person: Person, traps: TrapQuotes): LearningServer {
  return new LearningServer((shown) => answerOf(person, traps, shown));
}

function answerOf(
  { gold, sessions }: Person,
  quotes: TrapQuotes,
  { turns, known }: ShownBatch,
): ScriptedAnswer {
  const facts: ScriptedFact[] = [];
  const spoken = turns.map(({ text }) => text);
  for (const { id, turns: all } of sessions)
    for (const [index, { role, text }] of all.entries()) {
      if (role !== "user" || !spoken.includes(text)) continue;
      for (const mark of all[index + 1]?.marks ?? [])
        facts.push({ text: mark, quote: nearestPart(text, mark), replaces: replacedBy(mark, gold, known) });
      for (const trap of trapsAt(gold, `${id}/${index}`))
        facts.push({
          text: trap,
          quote: quotes === "invented" ? `I can tell you that ${trap}` : nearestPart(text, trap),
        });
    }
  return { facts };
}

function replacedBy(mark: string, { facts }: Gold, known: ShownBatch["known"]): string[] {
  const next = facts.filter(({ match }) => matches(match, mark)).map(({ id }) => id);
  const old = facts.filter(({ ended_by }) => ended_by !== null && next.includes(ended_by));
  return known.filter(({ text }) => old.some(({ match }) => matches(match, text))).map(({ id }) => id);
}

function trapsAt({ traps }: Gold, place: string): string[] {
  return traps.flatMap(({ from, match }) => {
    const text = exampleOf(match);
    return from === place && matches(match, text) ? [text] : [];
  });
}

/** The clause that shares most words with a text; the first of several. */
function nearestPart(said: string, text: string): string {
  const words = wordsOf(text);
  const parts = said
    .split(/[.,;:!?\n]+\s/)
    .map((part) => part.replace(/^[\s"'“”>`-]+|[\s"'“”`.!?]+$/g, ""))
    .filter((part) => part !== "");
  const shared = (part: string) => wordsOf(part).filter((word) => words.includes(word)).length;
  return parts.toSorted((a, b) => shared(b) - shared(a))[0] ?? said;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
