/**
 * Learning with a model from invented people (see bench/life.ts), through the whole pipeline:
 *
 *   bun bench/extract.ts --endpoint <url> --model <name> [--people <dir>] [--key-env <variable>] [--json]
 *
 * The endpoint speaks OpenAI's chat completions. Without one, a fake model answers from gold.json and proposes the traps, once with
 * invented quotes and once with verbatim ones. That measures the pipeline and its checks, not a model.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LedgerLine } from "../src/agent/learn/ledger.ts";
import { goldReader, type TrapQuotes } from "../test/helpers/gold-reader.ts";
import { type KnownFact, Life, moment } from "./life/live.ts";
import { loadPeople, matches, type Person } from "./life/people.ts";
import { type Counts, scoreFacts, scoreTurns } from "./life/score.ts";
import { printTable } from "./measure.ts";

process.env.TZ = "UTC";
const args = process.argv.slice(2);
const option = (name: string) => (args.includes(name) ? (args[args.indexOf(name) + 1] ?? "") : null);
const endpoint = option("--endpoint");
const model = option("--model") ?? "reader";
const people = loadPeople(option("--people") ?? "");
if (people.length === 0) {
  console.log(
    "Nobody to read: skipped. Give --people, a folder with gold.json and sessions.jsonl for each person.",
  );
  process.exit(0);
}

interface Learned {
  readonly facts: readonly KnownFact[];
  readonly lines: readonly LedgerLine[];
  readonly problems: readonly string[];
}

const base = mkdtempSync(join(tmpdir(), "retain-extract-"));
const rows = new Map<string, Counts>();
const problems: string[] = [];
try {
  if (endpoint === null)
    for (const quotes of ["invented", "verbatim"] as const)
      for (const person of people) await withStandIn(person, quotes);
  else
    for (const person of people)
      rows.set(person.name, scored(person, await learned(person, endpoint, "real")));
} finally {
  rmSync(base, { recursive: true });
}

async function withStandIn(person: Person, quotes: TrapQuotes): Promise<void> {
  await using server = await goldReader(person, quotes).start();
  rows.set(`${person.name}, ${quotes} quotes`, scored(person, await learned(person, server.url, quotes)));
}

/** Stores each session as another agent would, then learns from it. */
async function learned({ name, sessions }: Person, url: string, run: string): Promise<Learned> {
  const key_env = option("--key-env");
  const endpoints = [{ name: "bench", url, ...(key_env !== null && { key_env }) }];
  using life = new Life(join(base, name, run), {
    settings: { learning_model: `bench/${model}`, model_endpoints: endpoints, learning_daily_limit: 1_000 },
    env: process.env,
  });
  const { learning } = life.retain;
  await learning.run();
  const lines: LedgerLine[] = [];
  for (const { id, date, turns } of sessions) {
    for (const [index, { role, text }] of turns.entries()) {
      life.now = moment(date, index);
      await life.say(id, index, role, text);
    }
    const { batches, stopped } = await learning.run();
    lines.push(...batches);
    if (stopped !== null) problems.push(`${name}, ${id}: ${stopped}`);
  }
  return { facts: await life.facts(), lines, problems };
}

function scored({ gold, sessions }: Person, { facts, lines }: Learned): Counts {
  const sum = (count: (line: LedgerLine) => number | null) =>
    lines.reduce((total, line) => total + (count(line) ?? 0), 0);
  const isGold = ({ text }: KnownFact) => gold.facts.some(({ match }) => matches(match, text));
  return {
    ...scoreFacts(gold, facts, sessions, []),
    ...scoreTurns(gold, facts),
    noted: facts.length,
    right: facts.filter(isGold).length,
    dropped: sum(({ dropped }) => dropped),
    calls: lines.length,
    input: sum(({ input_tokens }) => input_tokens),
    output: sum(({ output_tokens }) => output_tokens),
    cost: sum(({ cost }) => cost),
  };
}

function total(of: readonly Counts[]): Counts {
  const sum: Counts = {};
  for (const counts of of)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

const groups = Map.groupBy([...rows], ([name]) => name.split(", ")[1] ?? "");
for (const [group, its] of groups)
  rows.set(["all", group].filter(Boolean).join(", "), total(its.map(([, counts]) => counts)));
if (args.includes("--json"))
  console.log(JSON.stringify({ rows: Object.fromEntries(rows), problems }, null, 2));
else {
  const of = (part = 0, whole = 0) => `${part} of ${whole}`;
  const share = (part = 0, whole = 0) => (whole === 0 ? "-" : `${Math.round((100 * part) / whole)} %`);
  printTable(
    [
      "",
      "facts found",
      "changes handled",
      "wrongly ended",
      "traps kept",
      "precision",
      "dropped",
      "calls",
      "tokens in / out",
      "cost",
    ],
    [...rows].map(([name, n]) => [
      ...[name, of(n.saved, n.facts), of(n.handled, n.changes), of(n.wronglyEnded, n.shouldLive)],
      ...[of(n.trapsKept, n.traps), share(n.right, n.noted), String(n.dropped), String(n.calls)],
      ...[`${n.input} / ${n.output}`, `$${(n.cost ?? 0).toFixed(2)}`],
    ]),
  );
  for (const problem of problems) console.log(`! ${problem}`);
}
