/** One size, in a process of its own: filled by Retain's own writes, asked by Retain's own recall and by the bare engine. */
import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder, MemoryFilter } from "../../src/core/ports.ts";
import type { RecallPorts } from "../../src/recall/ports.ts";
import { type RecallMode, recall } from "../../src/recall/recall.ts";
import { SqliteMemoryIndex } from "../../src/sqlite/chunks.ts";
import { WorkspaceDatabase } from "../../src/sqlite/database.ts";
import { SqliteMemorySearch } from "../../src/sqlite/memory-search.ts";
import { SqliteEmbeddingQueue } from "../../src/sqlite/pending.ts";
import { SqliteRecallLog } from "../../src/sqlite/recalls.ts";
import { storedPassages, VectorMatrix } from "../../src/sqlite/vector-matrix.ts";
import { summarise, type Timing, timeInTurn } from "../measure.ts";
import { DIMENSIONS, Generator } from "./generate.ts";

export interface ScaleResult {
  size: number;
  writesPerSecond: number;
  vectorsPerSecond: number;
  put: Timing;
  bytes: number;
  /** The first search by meaning: loads the vectors. */
  firstMs: number;
  timings: Record<string, Timing>;
  peakBytes: number;
}

const MODEL = "generated";
const BATCH = 1_000;

const size = Number(process.argv[2]);
const rounds = Number(process.argv[3] ?? 40);
const directory = mkdtempSync(join(tmpdir(), "retain-speed-"));
const database = new WorkspaceDatabase(
  join(directory, "retain.db"),
  () => {},
  (message) => console.error(message),
);
const index = new SqliteMemoryIndex(database);
const queue = new SqliteEmbeddingQueue(database, { id: process.pid, isAlive: () => true });
const generator = new Generator(7);
const now = new Date("2026-11-15T12:00:00Z");

const plain = new Database(join(directory, "plain.db"));
plain.run("PRAGMA journal_mode = WAL");
plain.run("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')");
const bare = new VectorMatrix(DIMENSIONS);
bare.reserve(size);

function memory(number: number, text: string) {
  return {
    kind: "fact" as const,
    source: `fact-${number}`,
    scope: "",
    tags: [],
    session: null,
    speaker: null,
    at: now.getTime() - number * 60_000,
    trust: "stated" as const,
    importance: 0.5,
    chunks: [{ heading: "", text, line: 1 }],
    neighbours: "",
  };
}

let writing = 0;
let embedding = 0;
await queue.useModel(MODEL);
for (let first = 0; first < size; first += BATCH) {
  const texts = Array.from({ length: Math.min(BATCH, size - first) }, () => generator.text());
  let start = performance.now();
  await database.exclusively(() => {
    for (const [offset, text] of texts.entries()) index.put(memory(first + offset, text));
  });
  writing += performance.now() - start;
  const vectors = texts.map(() => generator.vector());
  const taken = await queue.take(BATCH, now);
  start = performance.now();
  await queue.store(
    MODEL,
    taken.map((chunk, offset) => ({ chunk, vectors: [vectors[offset] as Float32Array] })),
  );
  embedding += performance.now() - start;
  plain.transaction(() => {
    for (const [offset, text] of texts.entries())
      plain.query("INSERT INTO plain (rowid, text) VALUES (?, ?)").run(first + offset + 1, text);
  })();
  bare.add(
    vectors.map((vector, offset) => [first + offset + 1, first + offset + 1, storedPassages([vector])]),
  );
}

const questions = Array.from({ length: 64 }, () => ({
  query: generator.question(),
  vector: generator.vector(),
}));
let asked = 0;
const embedder: Embedder = {
  model: MODEL,
  embed: async () => [questions[asked]?.vector as Float32Array],
  close() {},
};
const ports: RecallPorts = {
  workspaces: [
    { place: "home", search: new SqliteMemorySearch(database), queue, log: new SqliteRecallLog(database) },
  ],
  embedders: [embedder],
  clock: () => now,
  warn: (message) => console.error(message),
};
const filter: MemoryFilter = {};

async function ask(mode: RecallMode, round: number): Promise<void> {
  asked = round % questions.length;
  await recall(ports, { query: questions[asked]?.query ?? "", mode, limit: 10, filter });
}

function bareWords(round: number): void {
  const words = questions[round % questions.length]?.query.split(" ") ?? [];
  plain
    .query("SELECT rowid, rank FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 100")
    .values(words.map((word) => `"${word}"`).join(" OR "));
}

function bareVectors(round: number): void {
  bare.nearest(questions[round % questions.length]?.vector as Float32Array, 100, null);
}

const start = performance.now();
await ask("semantic", 0);
const firstMs = performance.now() - start;
const timings = await timeInTurn(
  {
    text: (round) => ask("text", round),
    meaning: (round) => ask("semantic", round),
    both: (round) => ask("both", round),
    "bare FTS5": bareWords,
    "bare vectors": bareVectors,
    "bare both": (round) => {
      bareWords(round);
      bareVectors(round);
    },
  },
  rounds,
);

const puts: number[] = [];
for (let number = 0; number < 30; number++) {
  const begun = performance.now();
  await database.exclusively(() => index.put(memory(size + number, generator.text())));
  puts.push(performance.now() - begun);
}
database.close();
const result: ScaleResult = {
  size,
  writesPerSecond: (size / writing) * 1_000,
  vectorsPerSecond: (size / embedding) * 1_000,
  put: summarise(puts),
  bytes: statSync(join(directory, "retain.db")).size,
  firstMs,
  timings,
  peakBytes: process.resourceUsage().maxRSS * 1_024,
};
console.log(JSON.stringify(result));
rmSync(directory, { recursive: true });
