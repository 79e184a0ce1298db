/** Shared helpers: a workspace of a given size, and timing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain, type Retain } from "../src/index.ts";

export const RETAIN = join(import.meta.dir, "../bin/retain");

export interface Timing {
  p50: number;
  p95: number;
}

export function summarise(samples: readonly number[]): Timing {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Runs the candidates in turn, so that load of the machine affects all of them; `warmUp` rounds don't count. */
export async function timeInTurn(
  candidates: Record<string, (round: number) => unknown>,
  rounds: number,
  warmUp = 2,
): Promise<Record<string, Timing>> {
  const samples = Object.fromEntries(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let round = -warmUp; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const start = performance.now();
      await run(round + warmUp);
      if (round >= 0) samples[name]?.push(performance.now() - start);
    }
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, summarise(values)]));
}

const HANGS_AFTER_MS = 120_000;

/** Runs a whole process. Throws if it fails or hangs. */
export function spawn(
  command: string[],
  env: Record<string, string | undefined> = process.env,
  stdin = "",
): void {
  const result = Bun.spawnSync(command, {
    env,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    timeout: HANGS_AFTER_MS,
  });
  if (result.exitCode !== 0) throw new Error(`${command.join(" ")}: ${result.stderr}`);
}

export interface FilledWorkspace {
  home: string;
  env: Record<string, string | undefined>;
  retain: Retain;
  /** The time to fill it, in ms. */
  filling: number;
  remove(): void;
}

/** Documents of about 1.5 KB with the usual fields, in five collections. */
export async function fillWorkspace(size: number): Promise<FilledWorkspace> {
  const home = mkdtempSync(join(tmpdir(), "retain-bench-"));
  const env = { ...process.env, RETAIN_HOME: home, RETAIN_LOCAL_SCOPING: "global" };
  const retain = openRetain({ cwd: home, env });
  const sources = Array.from({ length: size }, (_, index) => ({
    name: String(index),
    read: () => ({
      content: `# Document ${index}\n\n${`Topic ${index % 97} is about something that matters. `.repeat(30)}\n`,
      id: `doc-${index}`,
      collection: `collection-${index % 5}`,
      tags: [`tag-${index % 10}`, `tag-${index % 7}`],
      context: `Research for issue ${index % 300}`,
      priority: index % 3 === 0 ? "high" : "low",
    }),
  }));
  const start = performance.now();
  await retain.documents.putMany(sources);
  const filling = performance.now() - start;
  await retain.documents.list();
  return {
    home,
    env,
    retain,
    filling,
    remove() {
      retain.close();
      rmSync(home, { recursive: true });
    },
  };
}

export function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0);
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  for (const row of [header, header.map(() => "---"), ...rows]) console.log(`| ${row.join(" | ")} |`);
}
