/**
 * Six weeks with a memory: `bun bench/life.ts <dir of people> [--json] [--distractors <dir of fact corpora>]`. Does a changed fact
 * replace the old one, does the current answer come first, and does it still after the same questions were asked before?
 *
 * A: a model marks facts. A2: its marks name the facts they replace. A3: its marks have keys. B: no model, only turns. C: recall
 * after A. D: the same after every question was asked twice without an answer.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { askInVain, keyed, Life, liveWithMarks, liveWithTurns, moment, naming, plain } from "./life/live.ts";
import { loadDistractors, loadPeople, type Person } from "./life/people.ts";
import { type Counts, scoreFacts, scoreRecall, scoreTurns } from "./life/score.ts";
import { printTable } from "./measure.ts";

process.env.TZ = "UTC";
const args = process.argv.slice(2);
const from = args.indexOf("--distractors");
const [directory = ""] = args.filter((word, at) => !word.startsWith("--") && (from < 0 || at !== from + 1));
const people = loadPeople(directory);
if (people.length === 0) {
  console.log(
    `Nobody in '${directory}': skipped. Give a folder of people, each with gold.json and sessions.jsonl.`,
  );
  process.exit(0);
}
const distractors = from < 0 ? [] : loadDistractors(args[from + 1] ?? "");

const TABLES = ["A", "A2", "A3", "B", "C", "D"] as const;
type Tables = Record<(typeof TABLES)[number], Counts>;

const base = mkdtempSync(join(tmpdir(), "retain-life-"));
const results = new Map<string, Tables>();
for (const person of people) results.set(person.name, await measured(person));
rmSync(base, { recursive: true });

async function measured(person: Person): Promise<Tables> {
  const { name, gold, sessions } = person;
  const home = (table: string) => join(base, name, table);
  const marked = async (table: string, marking: typeof plain) =>
    scoreFacts(gold, await liveWithMarks(home(table), person, marking, distractors), sessions, distractors);
  const recalled = async (table: string) => {
    using life = new Life(home(table));
    life.now = moment(sessions.at(-1)?.date ?? "", 0, 3);
    return await scoreRecall(life, gold);
  };
  const A = await marked("A", plain);
  cpSync(home("A"), home("D"), { recursive: true });
  const [A2, A3] = [await marked("A2", naming(gold)), await marked("A3", keyed(gold))];
  const kept = scoreTurns(gold, await liveWithTurns(home("B"), person));
  const B = { ...kept, ...(await recalled("B")) };
  const C = await recalled("A");
  await askInVain(home("D"), person);
  return { A, A2, A3, B, C, D: await recalled("D") };
}

function total(table: keyof Tables): Counts {
  const sum: Counts = {};
  for (const tables of results.values())
    for (const [name, count] of Object.entries(tables[table])) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const totals = Object.fromEntries(TABLES.map((table) => [table, total(table)])) as Tables;

if (args.includes("--json"))
  console.log(JSON.stringify({ totals, personas: Object.fromEntries(results) }, null, 2));
else print();

function print(): void {
  const of = (part = 0, whole = 0) =>
    whole === 0 ? "-" : `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;
  const rows = (table: keyof Tables, cells: (counts: Counts) => string[]) =>
    [
      ...[...results].map(([name, tables]) => [name, tables[table]] as const),
      ["all", totals[table]] as const,
    ].map(([name, counts]) => [name, ...cells(counts)]);
  for (const [table, title] of [
    ["A", "A. A model marks facts"],
    ["A2", "A2. Marks name what they replace"],
    ["A3", "A3. Marks carry keys"],
  ] as const) {
    console.log(`\n${title}\n`);
    printTable(
      ["", "saved", "changes handled", "wrongly ended", "distractors ended", "duplicates", "additions kept"],
      rows(table, (n) => [
        ...[of(n.saved, n.facts), of(n.handled, n.changes), `${n.wronglyEnded} of ${n.shouldLive}`],
        ...[String(n.distractorsEnded), String(n.duplicates), of(n.additionsKept, n.additions)],
      ]),
    );
  }
  console.log("\nB. Without a model: turns alone\n");
  printTable(
    ["", "facts kept", "traps kept", "answer first", "within 5"],
    rows("B", (n) => [
      ...[of(n.kept, n.facts), of(n.trapsKept, n.traps), of(n.first, n.questions), of(n.in5, n.questions)],
    ]),
  );
  for (const [table, title] of [
    ["C", "C. Recall after A"],
    ["D", "D. The same after every question was asked twice in vain"],
  ] as const) {
    console.log(`\n${title}\n`);
    printTable(
      [
        "",
        "answer first",
        "within 5",
        "changed: first",
        "stale first",
        "of it messages",
        "recall has it",
        "recall: stale first",
      ],
      rows(table, (n) => [
        ...[of(n.first, n.questions), of(n.in5, n.questions), of(n.changedFirst, n.staleQuestions)],
        ...[of(n.staleFirst, n.staleQuestions), String(n.staleByMessage), of(n.textHas, n.questions)],
        of(n.textStaleFirst, n.staleQuestions),
      ]),
    );
  }
}
