/** Document commands at growing sizes, in process and as whole processes. Run: bun bench/documents.ts */
import { fillWorkspace, ms, printTable, RETAIN, spawn, timeInTurn } from "./measure.ts";

const SIZES = [100, 1_000, 10_000];
const ROUNDS = 30;
const VERBS = ["put", "get", "update", "list"] as const;

const rows: string[][] = [];
const filling: string[] = [];
for (const size of SIZES) {
  const { retain, env, filling: took, remove } = await fillWorkspace(size);
  filling.push(`${size.toLocaleString("en")}: ${((size / took) * 1_000).toFixed(0)}/s`);
  const text = (round: number) => `# New ${round}\n\n${"Some words. ".repeat(100)}\n`;
  const existing = (round: number) => `doc-${(round * 37) % size}`;
  const timings = await timeInTurn(
    {
      "put in process": (round) => retain.documents.put({ content: text(round), id: `new-${round}` }),
      "get in process": (round) => retain.documents.get(existing(round)),
      "update in process": (round) => retain.documents.update(existing(round), { tags: [`round-${round}`] }),
      "list in process": () => retain.documents.list(),
      "put whole": (round) => spawn([RETAIN, "put", "-", "--id", `piped-${round}`], env, text(round)),
      "get whole": (round) => spawn([RETAIN, "get", existing(round)], env),
      "update whole": (round) => spawn([RETAIN, "update", existing(round), "--tags", `whole-${round}`], env),
      "list whole": () => spawn([RETAIN, "list"], env),
      "node -e 1": () => spawn(["node", "-e", "1"]),
    },
    ROUNDS,
  );
  remove();
  const cell = (name: string) => `${ms(timings[name]?.p50 ?? 0)} / ${ms(timings[name]?.p95 ?? 0)}`;
  const node = timings["node -e 1"]?.p50 ?? Number.NaN;
  for (const verb of VERBS) {
    const ratio = (timings[`${verb} whole`]?.p50 ?? 0) / node;
    rows.push([
      verb,
      size.toLocaleString("en"),
      cell(`${verb} in process`),
      cell(`${verb} whole`),
      ratio.toFixed(2),
    ]);
  }
}
rows.sort((a, b) => VERBS.indexOf(a[0] as "put") - VERBS.indexOf(b[0] as "put"));
printTable(
  ["verb", "documents", "in process, p50 / p95 ms", "whole process, p50 / p95 ms", "of node -e 1"],
  rows,
);
console.log(`\nputMany, durable: ${filling.join(", ")}`);
