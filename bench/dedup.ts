/**
 * Same fact or another: `bun bench/dedup.ts <dir of pairs> [<dir of fact corpora>]`. Pairs are JSON lines `{a, b, label}`: a is
 * known, b is new. Says what becomes of each kind of pair, which thresholds of likeness merge what with and without the
 * guards, how the facts of test/retention/fact-pairs.ts come out, and how long a comparison takes.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openEmbedder } from "../src/embed/open.ts";
import { compareFact, FactMatcher, type Likeness, type Verdict } from "../src/retention/dedup.ts";
import { keptApartBy, onlyIn } from "../src/retention/dedup-guards.ts";
import { statementOf } from "../src/retention/dedup-statement.ts";
import { AGAINST, type FactPair, FIRST, HELD_OUT, isWanted, SECOND } from "../test/retention/fact-pairs.ts";
import { ms, printTable, summarise } from "./measure.ts";
import { findCorpora, loadCorpus } from "./quality/corpus.ts";

interface Pair {
  readonly a: string;
  readonly b: string;
  readonly label: string;
}

const KINDS = ["same", "supersedes", "unsure", "new"] as const;
/** Labels of pairs that say the same, or of which one follows from the other. */
const DUPLICATES = new Set(["duplicate", "entailment"]);
const SWEEP = [0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98];

const [pairsDirectory = "", factsDirectory = ""] = process.argv.slice(2);
if (!existsSync(pairsDirectory)) {
  console.log(`No pairs in '${pairsDirectory}': give a folder of .jsonl files with {a, b, label}.`);
  process.exit(0);
}

const cacheDirectory = mkdtempSync(join(tmpdir(), "retain-bench-"));
const embedder = openEmbedder(
  { embedding: "minilm", embedding_url: "", embedding_model: "", embedding_key: "" },
  { cacheDirectory, warn: (message) => console.error(message) },
);
if (embedder === null) throw new Error("No embedding");
const vectors = new Map<string, Float32Array>();

async function embedAll(texts: readonly string[]): Promise<void> {
  const missing = [...new Set(texts)].filter((text) => !vectors.has(text));
  const made = (await embedder?.embed(missing)) ?? [];
  for (const [at, text] of missing.entries()) vectors.set(text, made[at] as Float32Array);
}

function cosine(a: string, b: string): number {
  const [u, v] = [vectors.get(a) as Float32Array, vectors.get(b) as Float32Array];
  return u.reduce((sum, value, at) => sum + value * (v[at] ?? 0), 0);
}

const likeness: Likeness = async (text, known) => known.map((fact) => cosine(text, fact.text));

async function verdictOf(
  a: string,
  b: string,
  help: { likeness?: Likeness } = { likeness },
): Promise<Verdict> {
  return compareFact(b, [{ id: "a", text: a }], help);
}

const share = (part: number, whole: number) => (whole === 0 ? "-" : (part / whole).toFixed(2));

for (const file of readdirSync(pairsDirectory).filter((name) => name.endsWith(".jsonl"))) {
  const lines = readFileSync(join(pairsDirectory, file), "utf8").trim().split("\n");
  await measurePairs(
    basename(file, ".jsonl"),
    lines.map((line) => JSON.parse(line)),
  );
}
await measureOwn();
for (const path of findCorpora(factsDirectory)) await measureCorpus(path);
await measureSpeed();
embedder.close();
rmSync(cacheDirectory, { recursive: true });

async function measurePairs(name: string, pairs: readonly Pair[]): Promise<void> {
  await embedAll(pairs.flatMap(({ a, b }) => [a, b]));
  const judged = await Promise.all(
    pairs.map(async (pair) => ({ ...pair, verdict: await verdictOf(pair.a, pair.b) })),
  );
  const labels = [...new Set(pairs.map(({ label }) => label))];
  console.log(`\n${name}: what becomes of the pairs, as built\n`);
  printTable(
    ["label", "pairs", ...KINDS],
    labels.map((label) => {
      const own = judged.filter((pair) => pair.label === label);
      const of = (kind: string) => own.filter(({ verdict }) => verdict.kind === kind).length;
      return [
        label,
        String(own.length),
        ...KINDS.map((kind) => `${of(kind)} (${share(of(kind), own.length)})`),
      ];
    }),
  );
  const isDenial = ({ verdict }: { verdict: Verdict }) =>
    verdict.kind === "supersedes" && /den(?:y|ies)/.test(verdict.why);
  const merged = judged.filter((pair) => /same|supersedes/.test(pair.verdict.kind) && !isDenial(pair));
  const right = merged.filter(({ label }) => DUPLICATES.has(label)).length;
  const all = pairs.filter(({ label }) => DUPLICATES.has(label)).length;
  console.log(
    `\nmerged ${merged.length}: precision ${share(right, merged.length)}, recall ${share(right, all)}`,
  );
  const denials = judged.filter(isDenial);
  const contradictions = denials.filter(({ label }) => label === "contradiction").length;
  console.log(`superseded by a denial ${denials.length}: precision ${share(contradictions, denials.length)}`);
  console.log(
    `\n${name}: merged by likeness alone, by threshold (pairs, precision; contradictions among them)\n`,
  );
  const groups = ["same words of content", "one has more", "one other word each"];
  printTable(
    ["cosine", "all", "past the guards", ...groups.map((group) => `of these, ${group}`)],
    sweep(pairs),
  );
}

/** Pairs that a threshold would merge: all, those that no guard holds back, and these by how their words differ. */
function sweep(pairs: readonly Pair[]): string[][] {
  const prepared = pairs.map(({ a, b, label }) => {
    const [known, added] = [statementOf(a), statementOf(b)];
    const passes = keptApartBy(known, added) === null && known.denials === added.denials;
    const [old, fresh] = [onlyIn(known, added).length, onlyIn(added, known).length];
    return { label, cosine: cosine(a, b), passes, old, fresh };
  });
  const cell = (merged: typeof prepared) => {
    const right = merged.filter(({ label }) => DUPLICATES.has(label)).length;
    const wrong = merged.filter(({ label }) => label === "contradiction").length;
    return `${merged.length}, ${share(right, merged.length)}${wrong > 0 ? `; ${wrong}` : ""}`;
  };
  return SWEEP.map((from) => {
    const alike = prepared.filter((pair) => pair.cosine >= from);
    const passing = alike.filter(({ passes }) => passes);
    return [
      from.toFixed(2),
      cell(alike),
      cell(passing),
      cell(passing.filter(({ old, fresh }) => old + fresh === 0)),
      cell(passing.filter(({ old, fresh }) => (old === 0) !== (fresh === 0))),
      cell(passing.filter(({ old, fresh }) => old === 1 && fresh === 1)),
    ];
  });
}

async function measureOwn(): Promise<void> {
  const parts: readonly [string, readonly FactPair[]][] = [
    ["first", FIRST],
    ["second", SECOND],
    ["held out", HELD_OUT],
    ["against", AGAINST],
  ];
  console.log("\nour own pairs of facts\n");
  const rows: string[][] = [];
  for (const [name, pairs] of parts)
    for (const [title, help] of [
      ["words", {}],
      ["words and vectors", { likeness }],
    ] as const) {
      await embedAll(pairs.flat());
      const outcomes = await Promise.all(
        pairs.map(async ([known, added, wanted]) => ({
          wanted,
          kind: (await verdictOf(known, added, help)).kind,
        })),
      );
      const right = outcomes.filter(({ wanted, kind }) => isWanted(wanted, kind)).length;
      const kept = outcomes.filter(
        ({ wanted, kind }) => !isWanted(wanted, kind) && /new|unsure/.test(kind),
      ).length;
      const lost = pairs.length - right - kept;
      rows.push([
        name,
        title,
        String(pairs.length),
        `${right} (${share(right, pairs.length)})`,
        String(kept),
        String(lost),
      ]);
    }
  printTable(["part", "by", "pairs", "right", "both kept in vain", "wrongly merged"], rows);
}

/** Facts of real conversations, one after the other: almost none is a repetition. */
async function measureCorpus(path: string): Promise<void> {
  const { name, turns } = await loadCorpus(path);
  await embedAll(turns.map(({ text }) => text));
  const matcher = new FactMatcher();
  const counts: Record<string, number> = {};
  for (const { id, text } of turns) {
    const verdict = await compareFact(text, matcher, { likeness });
    counts[verdict.kind] = (counts[verdict.kind] ?? 0) + 1;
    if (verdict.kind === "supersedes") for (const old of verdict.ids) matcher.remove(old);
    if (verdict.kind !== "same") matcher.add({ id, text });
  }
  console.log(`\n${name}: ${turns.length} facts one after the other: ${JSON.stringify(counts)}`);
}

async function measureSpeed(): Promise<void> {
  const people = "Anna Tom Maria Jonas Priya Daniel Lea Max Ines Sam".split(" ");
  const sayings = [
    "uses Rust for",
    "likes working on",
    "met Noor about",
    "wrote the parser of",
    "prefers Postgres for",
  ];
  const known = Array.from({ length: 10_000 }, (_, at) => ({
    id: String(at),
    text: `${people[at % 10]} ${sayings[(at >> 4) % 5]} project ${at % 977} since ${2000 + (at % 25)}`,
  }));
  const building: number[] = [];
  let matcher = new FactMatcher();
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    matcher = new FactMatcher(known);
    building.push(performance.now() - start);
  }
  const samples: number[] = [];
  for (const [, added] of [
    ...FIRST,
    ...SECOND,
    ...known.slice(0, 200).map(({ text }) => ["", `${text} again`] as const),
  ]) {
    const start = performance.now();
    await compareFact(added, matcher, {});
    samples.push(performance.now() - start);
  }
  const { p50, p95 } = summarise(samples);
  console.log(
    `\n10,000 known facts: prepared in ${ms(summarise(building).p50)} ms, compared in ${ms(p50)} / ${ms(p95)} ms (p50 / p95)`,
  );
}
