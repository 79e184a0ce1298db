/** Harder variants of a corpus: its questions were asked before, or it can't answer them. */
import type { Corpus, Question, Turn } from "./corpus.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The turns, then each question `times` times in its own session, answered "I am not sure." */
export function withEcho({ turns, questions }: Corpus, times: number): readonly Turn[] {
  const last = Math.max(0, ...turns.map(({ date }) => Date.parse(date ?? "") || 0));
  const asked = Array.from({ length: times }, (_, round) =>
    questions.flatMap(({ query }, index): Turn[] => {
      const session = `echo-${round}-${index}`;
      const date = new Date(last + (round + 1) * DAY_MS + index * MINUTE_MS).toISOString();
      return [
        { id: session, text: query, session, date, speaker: "user" },
        { id: `${session}-reply`, text: "I am not sure.", session, date, speaker: "assistant" },
      ];
    }),
  );
  return [...turns, ...asked.flat()];
}

/** Another corpus's questions with this corpus's names. */
export function foreignQuestions(own: Corpus, other: Corpus): string[] {
  const people = peopleOf(own);
  const swap = new Map(peopleOf(other).map((name, index) => [name, people[index % people.length] ?? name]));
  return other.questions.map(({ query }: Question) =>
    query.replace(/[\p{L}\p{N}]+/gu, (word) => swap.get(word) ?? word),
  );
}

function peopleOf({ turns }: Corpus): string[] {
  return [...new Set(turns.flatMap(({ speaker }) => speaker ?? []))];
}
