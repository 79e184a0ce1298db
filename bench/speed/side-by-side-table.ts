/** Table 3 as Markdown, with notes for the reader. */
import { ms, printTable, type Timing } from "../measure.ts";
import { NODE, type SideBySide } from "./side-by-side.ts";

export function printSideBySide({ notes, vectorsPerSecond, figures, oneShots, remarks }: SideBySide): void {
  const asked = Object.values(figures)[0]?.asked ?? 0;
  const p50 = (timing: Timing | null | undefined) => (timing ? `${ms(timing.p50)} ms` : "-");
  printTable(
    [
      `${count(notes)} notes, p50`,
      "written a second",
      "one put",
      "search: a question",
      "search: one word",
      "whole command",
      `questions answered, of ${asked}`,
      `words answered, of ${asked}`,
    ],
    Object.entries(figures).map(([name, own]) => [
      name,
      own.perSecond === null ? "-" : count(own.perSecond),
      ...[own.put, own.question, own.word, oneShots[name]].map(p50),
      String(own.foundByQuestion),
      String(own.foundByWord),
    ]),
  );
  const lines = [
    `Answered: the note that the question was made from is among the first ten. In the same turns as the commands, \`${NODE}\`: ${p50(oneShots[NODE])}.`,
    `Retain writes durable files; their vectors follow, those of ${count(vectorsPerSecond)} notes a second. What mnemopi's hybrid writes includes vectors, by Retain's model. Its limit of 1,000 rows is lifted.`,
    "qmd's put is a new file and its `update`; its command runs on Bun where Node is older than the 22 that it needs. The command of server-memory is its start until it answers.",
    ...remarks,
  ];
  for (const line of lines) console.log(`\n${line}`);
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}
