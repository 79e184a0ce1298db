/**
 * Recall quality on real questions: `bun bench/recall-quality.ts <dir> [--json] [--echo N] [--unanswerable]`. Each corpus is its
 * own store, indexed and searched by Retain, next to the usual methods on the same texts. `--echo N`: each question was asked N
 * times before. `--unanswerable`: each corpus also gets the questions of the next one, with names swapped; recall then returns
 * nothing if nothing is relevant, as it does for people and agents.
 */
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbedder } from "../src/embed/open.ts";
import { type RecallMode, recall } from "../src/recall/recall.ts";
import { PlainFts, PlainVectors, reciprocalRanks } from "./quality/baselines.ts";
import { findCorpora, loadCorpus } from "./quality/corpus.ts";
import { METRICS, mean, type Scores, scoresOf } from "./quality/metrics.ts";
import { openStore } from "./quality/store.ts";
import { foreignQuestions, withEcho } from "./quality/variants.ts";

const MODES: readonly [method: string, mode: RecallMode][] = [
  ["Retain, text", "text"],
  ["Retain, meaning", "semantic"],
  ["Retain, both", "both"],
];
const DEPTH = 20;

interface Answer extends Scores {
  category: string;
}

const words = process.argv.slice(2);
const echoAt = words.indexOf("--echo");
const echo = echoAt === -1 ? 0 : Number(words.splice(echoAt, 2)[1]);
if (!Number.isInteger(echo) || echo < 0) throw new Error("--echo must be a whole number, 0 or more");
const unanswerable = words.includes("--unanswerable");
const [directory = ""] = words.filter((word) => !word.startsWith("--"));
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
const loaded = await Promise.all(corpora.map(loadCorpus));
let foreign = 0;
let silent = 0;
for (const [place, corpus] of loaded.entries()) {
  const { questions } = corpus;
  const turns = withEcho(corpus, echo);
  const store = await openStore(turns, embedder);
  const fts = new PlainFts(turns);
  const vectorsOf = async (texts: string[]) => (await embedder.embed(texts)).map(({ vector }) => vector);
  const vectors = new PlainVectors(turns, await vectorsOf(turns.map(({ text }) => text)));
  const queryVectors = await vectorsOf(questions.map(({ query }) => query));
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
      const { hits } = await recall(store.ports, {
        ...{ query, mode, limit: DEPTH, filter: {} },
        selective: unanswerable,
      });
      note(method, [...new Set(hits.map((hit) => store.idOf(hit)))]);
    }
  }
  const other = loaded[(place + 1) % loaded.length];
  if (unanswerable && other !== undefined && other !== corpus)
    for (const query of foreignQuestions(corpus, other)) {
      const { hits } = await recall(store.ports, {
        ...{ query, mode: "both", limit: DEPTH, filter: {} },
        selective: true,
      });
      foreign++;
      if (hits.length === 0) silent++;
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
if (json)
  console.log(
    JSON.stringify({ directory, corpora: corpora.length, echo, foreign, silent, methods: rows }, null, 2),
  );
else print();

function print(): void {
  const percent = (scores: Scores) =>
    METRICS.map((metric) => (100 * scores[metric]).toFixed(1).padStart(7)).join(" ");
  console.log(`${corpora.length} corpora, ${rows[0]?.questions ?? 0} questions, %\n`);
  console.log(`${"".padEnd(18)} ${METRICS.map((metric) => metric.padStart(7)).join(" ")}`);
  for (const { method, all } of rows) console.log(`${method.padEnd(18)} ${percent(all)}`);
  if (unanswerable)
    console.log(
      `\nUnanswerable: ${silent} of ${foreign} give nothing, ${((100 * silent) / foreign).toFixed(1)} %`,
    );
  const best = rows.at(-1);
  console.log(`\n${best?.method}, by category`);
  for (const [category, scores] of Object.entries(best?.categories ?? {}))
    console.log(`${category.padEnd(18)} ${percent(scores)}`);
}
