/** Table 1: warm recall in process at growing sizes, without embedding the query. */
import { join } from "node:path";
import { ms, printTable, type Timing } from "../measure.ts";
import { runForJson } from "./processes.ts";
import type { ScaleResult } from "./scale.ts";

const LIMIT_MS = 3_600_000;
const NO_TIMING: Timing = { p50: Number.NaN, p95: Number.NaN };

/** One process per size; temporary files are below `root`. */
export async function measureWarm(
  sizes: readonly number[],
  root: string,
  sqliteVecLibrary: string | null,
): Promise<ScaleResult[]> {
  const results: ScaleResult[] = [];
  for (const size of sizes) {
    console.error(`${count(size)} memories in process ...`);
    const command = [
      process.execPath,
      join(import.meta.dir, "scale.ts"),
      String(size),
      String(roundsFor(size)),
    ];
    if (sqliteVecLibrary !== null) command.push(sqliteVecLibrary);
    const env = { ...process.env, TMPDIR: root };
    results.push(await runForJson<ScaleResult>(command, { limitMs: LIMIT_MS, env }));
  }
  return results;
}

export function printWarm(results: readonly ScaleResult[]): void {
  console.log("In process, warm, ms, p50 / p95; bare engines p50, the best 100 of each.\n");
  printTable(
    [
      "memories",
      "text",
      "meaning",
      "both",
      "bare FTS5",
      "bare vectors",
      "bare both",
      "both / bare both (bar 1.5)",
      "sqlite-vec",
      "Float32Array loop",
    ],
    results.map(({ size, timings }) => {
      const timing = (name: string) => timings[name] ?? NO_TIMING;
      const cell = (name: string) => `${ms(timing(name).p50)} / ${ms(timing(name).p95)}`;
      const p50 = (name: string) => (timings[name] === undefined ? "-" : ms(timing(name).p50));
      return [
        count(size),
        ...["text", "meaning", "both"].map(cell),
        ...["bare FTS5", "bare vectors", "bare both"].map(p50),
        (timing("both").p50 / timing("bare both").p50).toFixed(2),
        ...["sqlite-vec", "Float32Array loop"].map(p50),
      ];
    }),
  );
  console.log("");
  printTable(
    [
      "memories",
      "first search by meaning (loads vectors), ms",
      "written a second, in bulk: words, vectors",
      "one put, p50 / p95 ms",
      "index, MB",
      "peak memory, MB",
    ],
    results.map(({ size, firstMs, writesPerSecond, vectorsPerSecond, put, bytes, peakBytes }) => [
      count(size),
      ms(firstMs),
      `${count(writesPerSecond)}, ${count(vectorsPerSecond)}`,
      `${ms(put.p50)} / ${ms(put.p95)}`,
      megabytes(bytes),
      megabytes(peakBytes),
    ]),
  );
  console.log("");
  for (const [index, larger] of results.entries()) {
    const smaller = results[index - 1];
    if (smaller !== undefined) console.log(`${growthOf(smaller, larger)}\n`);
  }
  const agreements = results.map(({ agreement }) => `${(100 * agreement).toFixed(1)} %`).join(", ");
  console.log(`Share of an exact loop's ten nearest that the kernel finds: ${agreements}.`);
}

/** Many rounds if they are short; for long ones a few are enough for the p50. */
function roundsFor(size: number): number {
  if (size <= 10_000) return 400;
  return size <= 100_000 ? 60 : 20;
}

function growthOf(smaller: ScaleResult, larger: ScaleResult): string {
  const times = ["text", "meaning", "both"].map((name) => {
    const ratio = (larger.timings[name]?.p50 ?? Number.NaN) / (smaller.timings[name]?.p50 ?? Number.NaN);
    return `${name} ${ratio.toFixed(1)} times`;
  });
  const bar = larger.size === 10 * smaller.size ? " (bar: 10)" : "";
  return `From ${count(smaller.size)} to ${count(larger.size)}: ${times.join(", ")}${bar}.`;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(bytes < 10_000_000 ? 1 : 0);
}
