/**
 * How well recall answers real questions: `bun bench/recall-quality.ts <dir> [--json]`. Each corpus is its own store, taken
 * in and asked by Retain's own index and recall, beside what most systems do on the same texts.
 */
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedder } from "../src/embed/open.ts";
import { type RecallMode, recall } from "../src/recall/recall.ts";
import { PlainFts, PlainVectors, reciprocalRanks } from "./quality/baselines.ts";
import { findCorpora, loadCorpus } from "./quality/corpus.ts";
import { METRICS, mean, type Scores, scoresOf } from "./quality/metrics.ts";
import { openStore } from "./quality/store.ts";

const MODES: readonly [method: string, mode: RecallMode][] = [
  ["Retain, text", "text"],
  ["Retain, meaning", "semantic"],
  ["Retain, both", "both"],
];
const DEPTH = 20;

interface Answer extends Scores {
  category: string;
}

const [directory = ""] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const json = process.argv.includes("--json");
const corpora = findCorpora(directory);
if (corpora.length === 0) {
  console.log(
    `No corpus in '${directory}': skipped. Give a folder with corpus.jsonl and queries.jsonl, or of such folders.`,
  );
  process.exit(0);
}

const cacheDirectory = join(process.env.XDG_CACHE_HOME ?? join(homedir() || tmpdir(), ".cache"), "retain");
const embedder = openEmbedder(
  { embedding: "minilm", embedding_url: "", embedding_model: "", embedding_key: "" },
  { cacheDirectory, warn: (message) => console.error(message) },
);
if (embedder === null) throw new Error("No embedding");

const answers = new Map<string, Answer[]>();
for (const path of corpora) {
  const { turns, questions } = await loadCorpus(path);
  const store = await openStore(turns, embedder);
  const fts = new PlainFts(turns);
  const vectors = new PlainVectors(turns, await embedder.embed(turns.map(({ text }) => text)));
  const queryVectors = await embedder.embed(questions.map(({ query }) => query));
  for (const [index, { query, relevant, category = "all" }] of questions.entries()) {
    const note = (method: string, ranking: readonly string[]) => {
      const known = answers.get(method) ?? [];
      known.push({ ...scoresOf(ranking, relevant), category });
      answers.set(method, known);
    };
    const byWords = fts.search(query, 100);
    const byMeaning = vectors.search(queryVectors[index] as Float32Array, 100);
    note("FTS5 BM25", byWords);
    note("MiniLM cosine", byMeaning);
    note("both, RRF k=60", reciprocalRanks([byWords, byMeaning], 60));
    note("both, RRF k=10", reciprocalRanks([byWords, byMeaning], 10));
    for (const [method, mode] of MODES) {
      const { hits } = await recall(store.ports, { query, mode, limit: DEPTH, filter: {} });
      note(method, [...new Set(hits.map((hit) => store.idOf(hit)))]);
    }
  }
  store.close();
}
embedder.close();

const rows = [...answers].map(([method, own]) => ({
  method,
  questions: own.length,
  all: mean(own),
  categories: Object.fromEntries(
    [...Map.groupBy(own, ({ category }) => category)].map(([category, some]) => [category, mean(some)]),
  ),
}));
if (json) console.log(JSON.stringify({ directory, corpora: corpora.length, methods: rows }, null, 2));
else print();

function print(): void {
  const percent = (scores: Scores) =>
    METRICS.map((metric) => (100 * scores[metric]).toFixed(1).padStart(7)).join(" ");
  console.log(`${corpora.length} corpora, ${rows[0]?.questions ?? 0} questions, %\n`);
  console.log(`${"".padEnd(18)} ${METRICS.map((metric) => metric.padStart(7)).join(" ")}`);
  for (const { method, all } of rows) console.log(`${method.padEnd(18)} ${percent(all)}`);
  const best = rows.at(-1);
  console.log(`\n${best?.method}, by category`);
  for (const [category, scores] of Object.entries(best?.categories ?? {}))
    console.log(`${category.padEnd(18)} ${percent(scores)}`);
}
