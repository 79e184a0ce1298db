/**
 * Same fact, a change, or another one: `bun bench/compare-facts.ts [<dir of pairs> [<dir of fact corpora>]]`. Pairs are JSON lines
 * `{a, b, label}`: a is known, b is new. Prints the decisions for each kind of pair, for test/facts/fact-pairs.ts, and for the
 * facts of whole corpora added one by one.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openEmbedder } from "../src/embed/open.ts";
import { decide, type Verdict } from "../src/facts/compare/decide.ts";
import { FactList } from "../src/facts/compare/fact-list.ts";
import { AGAINST, FIRST, HALVES, HELD_OUT, isWanted, OTHERS, SECOND } from "../test/facts/fact-pairs.ts";
import { printTable } from "./measure.ts";
import { findCorpora, loadCorpus } from "./quality/corpus.ts";

const KINDS = ["same", "supersedes", "unsure", "new"] as const;

const [pairsDirectory, factsDirectory = ""] = process.argv.slice(2);

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
  for (const [at, text] of missing.entries()) vectors.set(text, made[at]?.vector as Float32Array);
}

function cosine(a: string, b: string): number {
  const [u, v] = [vectors.get(a) as Float32Array, vectors.get(b) as Float32Array];
  return u.reduce((sum, value, at) => sum + value * (v[at] ?? 0), 0);
}

function verdictOf(known: string, added: string, byVectors = true): Verdict {
  return decide(added, [{ id: "a", text: known, cosine: byVectors ? cosine(known, added) : null }]);
}

const rows: string[][] = [];
const files = pairsDirectory === undefined ? [] : readdirSync(pairsDirectory);
for (const file of files.filter((name) => name.endsWith(".jsonl"))) {
  const lines = readFileSync(join(pairsDirectory ?? "", file), "utf8")
    .trim()
    .split("\n");
  const pairs = lines.map((line) => JSON.parse(line) as { a: string; b: string; label: string });
  await embedAll(pairs.flatMap(({ a, b }) => [a, b]));
  for (const [label, own] of Map.groupBy(pairs, (pair) => pair.label)) {
    const kinds = own.map(({ a, b }) => verdictOf(a, b).kind);
    const counts = KINDS.map((kind) => String(kinds.filter((one) => one === kind).length));
    rows.push([basename(file, ".jsonl"), label, String(own.length), ...counts]);
  }
}
if (rows.length > 0) {
  console.log("\nDecisions for pairs\n");
  printTable(["set", "label", "pairs", ...KINDS], rows);
}

const own: string[][] = [];
for (const [name, pairs] of Object.entries({ FIRST, SECOND, HELD_OUT, AGAINST, OTHERS, HALVES })) {
  await embedAll(pairs.flatMap((pair) => pair.slice(0, 2)));
  for (const byVectors of [false, true]) {
    const outcomes = pairs.map(([known, added, wanted]) => ({
      wanted,
      isRight: isWanted(wanted, verdictOf(known, added, byVectors).kind),
    }));
    const of = (wanted: string) => {
      const some = outcomes.filter((one) => one.wanted === wanted);
      return `${some.filter(({ isRight }) => isRight).length} of ${some.length}`;
    };
    const wanted = ["both", "not same", "not lost", "supersedes", "same"];
    own.push([name, byVectors ? "words and vectors" : "words", ...wanted.map(of)]);
  }
}
console.log("\nPairs of test/facts/fact-pairs.ts with the expected result\n");
printTable(["part", "by", "both stay", "not left out", "not ended", "replaced", "the same"], own);

for (const path of findCorpora(factsDirectory)) {
  const { name, turns } = await loadCorpus(path);
  await embedAll(turns.map(({ text }) => text));
  const known = new FactList();
  const counts: Record<string, number> = {};
  for (const { id, text } of turns) {
    const near = known.sharing(text).map((fact) => ({ ...fact, cosine: cosine(fact.text, text) }));
    const verdict = decide(text, near);
    counts[verdict.kind] = (counts[verdict.kind] ?? 0) + 1;
    if (verdict.kind === "supersedes") for (const old of verdict.ids) known.remove(old);
    if (verdict.kind !== "same") known.add({ id, text });
  }
  console.log(`\n${name}: ${turns.length} facts, one by one: ${JSON.stringify(counts)}`);
}
embedder.close();
rmSync(cacheDirectory, { recursive: true });
