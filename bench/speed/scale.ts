/**
 * One size, in its own process: `bun bench/speed/scale.ts <memories> <rounds> [<sqlite-vec's library>]`. Filled and searched by
 * Retain, then searched by bare engines on the same memories.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { summarise, type Timing, timeInTurn } from "../measure.ts";
import { BareKernel, FloatLoop, PlainWords, SqliteVec, type VectorEngine } from "./bare.ts";
import { MemoryGenerator } from "./generate.ts";
import { asked, type EmbeddedQuestion, IndexedMemories } from "./indexed.ts";

export interface ScaleResult {
  size: number;
  writesPerSecond: number;
  vectorsPerSecond: number;
  put: Timing;
  bytes: number;
  /** The first vector search, which loads the vectors. */
  firstMs: number;
  timings: Record<string, Timing>;
  /** The share of an exact loop's ten nearest that the kernel also has. */
  agreement: number;
  /** For writing and searching, before any bare engine. */
  peakBytes: number;
  /** Why sqlite-vec is missing from the timings. */
  withoutSqliteVec?: string;
}

const SEED = 7;
const PUTS = 30;

const size = Number(process.argv[2]);
const rounds = Number(process.argv[3] ?? 40);
// The first fifty rounds are slower, before Bun's JIT has compiled everything.
const warmUp = Math.min(100, Math.max(20, rounds));
const directory = mkdtempSync(join(tmpdir(), "retain-speed-"));
try {
  console.log(JSON.stringify(await measure(process.argv[4])));
} finally {
  rmSync(directory, { recursive: true });
}

async function measure(sqliteVecLibrary: string | undefined): Promise<ScaleResult> {
  const generator = new MemoryGenerator(SEED);
  const retain = new IndexedMemories(join(directory, "retain.db"));
  for (const batch of generator.batches(size)) await retain.add(batch);
  const questions = Array.from({ length: 64 }, () => asked(generator.question(), generator.vector()));
  const questionOf = (round: number) => questions[round % questions.length] as EmbeddedQuestion;

  const start = performance.now();
  await retain.ask("semantic", questionOf(0));
  const firstMs = performance.now() - start;
  await timeInTurn({ both: (round) => retain.ask("both", questionOf(round)) }, 5);
  const peakBytes = process.resourceUsage().maxRSS * 1_024;

  const words = new PlainWords(join(directory, "plain.db"));
  const kernel = new BareKernel(size);
  const loop = new FloatLoop(size);
  const others: Record<string, VectorEngine> = { "Float32Array loop": loop };
  let withoutSqliteVec: string | undefined;
  try {
    if (sqliteVecLibrary !== undefined) others["sqlite-vec"] = new SqliteVec(sqliteVecLibrary);
  } catch (error) {
    withoutSqliteVec = error instanceof Error ? error.message : String(error);
  }
  for (const batch of new MemoryGenerator(SEED).batches(size))
    for (const engine of [words, kernel, ...Object.values(others)]) engine.add(batch);

  const own = await timeInTurn(
    {
      text: (round) => retain.ask("text", questionOf(round)),
      meaning: (round) => retain.ask("semantic", questionOf(round)),
      both: (round) => retain.ask("both", questionOf(round)),
      "bare FTS5": (round) => words.search(questionOf(round).query),
      "bare vectors": (round) => kernel.nearest(questionOf(round).embedding.vector),
      "bare both": (round) => {
        words.search(questionOf(round).query);
        kernel.nearest(questionOf(round).embedding.vector);
      },
    },
    rounds,
    warmUp,
  );
  // Separately, since they evict the caches of whatever runs next.
  const theirs = await timeInTurn(
    Object.fromEntries(
      Object.entries(others).map(([name, engine]) => [
        name,
        (round: number) => engine.nearest(questionOf(round).embedding.vector),
      ]),
    ),
    Math.min(rounds, 60),
    Math.min(warmUp, 10),
  );

  const puts: number[] = [];
  for (let number = 0; number < PUTS; number++) {
    const text = generator.text();
    const begun = performance.now();
    await retain.put(size + number, text);
    puts.push(performance.now() - begun);
  }
  return {
    size,
    writesPerSecond: (size / retain.writing) * 1_000,
    vectorsPerSecond: (size / retain.storingVectors) * 1_000,
    put: summarise(puts),
    bytes: retain.close(),
    firstMs,
    timings: { ...own, ...theirs },
    agreement: agreementOf(kernel, loop, questions),
    peakBytes,
    withoutSqliteVec,
  };
}

function agreementOf(
  kernel: VectorEngine,
  exact: VectorEngine,
  questions: readonly EmbeddedQuestion[],
): number {
  let shared = 0;
  for (const {
    embedding: { vector },
  } of questions) {
    const found = new Set(kernel.nearest(vector).slice(0, 10));
    shared += exact
      .nearest(vector)
      .slice(0, 10)
      .filter((row) => found.has(row)).length;
  }
  return shared / (questions.length * 10);
}
