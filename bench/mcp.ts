/**
 * Retain as an MCP server, compared with the protocol's reference memory server on the same work in the same run: one client that
 * puts and searches at several sizes, and many clients on one workspace. Over stdio; many clients of Retain also share one server
 * over HTTP. server-memory searches for one word; Retain searches for that word without vectors, and for the whole question. The
 * factor next to each rate is relative to server-memory.
 *
 *   bun run build && bun bench/mcp.ts [--sizes 100,1000,10000] [--calls 200] [--clients 20] [--many 1000]
 *                                     [--server-memory <node_modules> | none]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Candidate, retainDocuments, retainFacts, serverMemory } from "./mcp/candidates.ts";
import { ms, printTable, summarise } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";
import { makeNotes, type NoteCorpus, type Question } from "./speed/notes.ts";
import { install } from "./speed/peers/install.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "100,1000,10000" },
    calls: { type: "string", default: "200" },
    clients: { type: "string", default: "20" },
    many: { type: "string", default: "1000" },
    "server-memory": { type: "string" },
  },
});
const CALLS = Number(options.calls);
const CLIENTS = Number(options.clients);
const MANY = Number(options.many);
/** Warm-up puts, of which the slowest is reported. */
const FIRST_PUTS = 12;

interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly most: number;
}

async function timed(count: number, call: (number: number) => Promise<unknown>): Promise<Rate> {
  const samples: number[] = [];
  const begun = performance.now();
  for (let number = 0; number < count; number++) {
    const start = performance.now();
    await call(number);
    samples.push(performance.now() - start);
  }
  const perSecond = (count / (performance.now() - begun)) * 1_000;
  return { perSecond, ...summarise(samples), most: Math.max(...samples) };
}

interface Alone {
  readonly name: string;
  readonly started: number;
  readonly first: number;
  readonly keep: Rate;
  readonly recall: Rate;
  readonly found: string;
}

/** New texts for every candidate, since some share a memory. */
function newTexts(): () => [text: string, number: number] {
  const number = ++measured * 1_000_000;
  const generator = new MemoryGenerator(99 + measured);
  let count = 0;
  return () => [`${generator.text()}.`, number + count++];
}

let measured = 0;

type NewTexts = ReturnType<typeof newTexts>;

async function oneClient(
  { name, connect }: Candidate,
  corpus: NoteCorpus,
  newText: NewTexts,
): Promise<Alone> {
  const begun = performance.now();
  const memory = await connect();
  const started = performance.now() - begun;
  for (const question of corpus.warmUp) await memory.recall(question);
  let found = 0;
  const recall = await timed(CALLS, async (number) => {
    if (await memory.recall(corpus.questions[number % corpus.questions.length] as Question)) found++;
  });
  const first = await timed(FIRST_PUTS, () => memory.keep(...newText()));
  const keep = await timed(CALLS, () => memory.keep(...newText()));
  await memory.close();
  return { name, started, first: first.most, keep, recall, found: `${found}/${CALLS}` };
}

interface Together {
  readonly name: string;
  readonly rate: Rate;
  readonly failed: number;
  readonly lost: number;
}

/** Every other call is a put. */
async function manyClients(candidate: Candidate, corpus: NoteCorpus, newText: NewTexts): Promise<Together> {
  const memories = await Promise.all(Array.from({ length: CLIENTS }, candidate.connect));
  const samples: number[] = [];
  const kept: string[] = [];
  const failed: unknown[] = [];
  let next = 0;
  const begun = performance.now();
  await Promise.all(
    memories.map(async (memory) => {
      for (let number = next++; number < MANY; number = next++) {
        const start = performance.now();
        const [text, numbered] = newText();
        const question = corpus.questions[number % corpus.questions.length] as Question;
        const call = number % 2 === 0 ? memory.keep(text, numbered) : memory.recall(question);
        await call.then(() => number % 2 === 0 && kept.push(text)).catch((error) => failed.push(error));
        samples.push(performance.now() - start);
      }
    }),
  );
  const perSecond = (MANY / (performance.now() - begun)) * 1_000;
  await Promise.all(memories.map((memory) => memory.close()));
  for (const error of failed.slice(0, 1)) console.error(`${candidate.name}: ${error}`);
  const lost = kept.length - (await candidate.count(kept));
  return {
    name: candidate.name,
    rate: { perSecond, ...summarise(samples), most: Math.max(...samples) },
    failed: failed.length,
    lost,
  };
}

/** "412 (14x)": the factor to server-memory's rate, if known. */
function rateCells({ perSecond, p50, p95 }: Rate, peer: Rate | undefined): string[] {
  const times = peer === undefined ? "" : ` (${(perSecond / peer.perSecond).toPrecision(2)}x)`;
  return [`${perSecond.toFixed(0)}${times}`, ms(p50), ms(p95)];
}

/** null if it can't be installed. */
async function serverMemoryModules(): Promise<string | null> {
  const given = options["server-memory"];
  if (given !== undefined) return given === "none" ? null : given;
  try {
    return await install("@modelcontextprotocol/server-memory", join(tmpdir(), "retain-bench-packages"));
  } catch (error) {
    console.log(`server-memory skipped: ${error instanceof Error ? error.message : error}\n`);
    return null;
  }
}

async function measure(size: number, modules: string | null, root: string): Promise<void> {
  const corpus = makeNotes(size);
  const own = [
    ...(await retainFacts(corpus, join(root, "facts"))),
    ...(await retainDocuments(corpus, join(root, "documents"))),
  ];
  const peers = modules === null ? [] : [await serverMemory(corpus, root, modules)];
  const alone: Alone[] = [];
  for (const candidate of [...own, ...peers].filter(({ only }) => only !== "together"))
    alone.push(await oneClient(candidate, corpus, newTexts()));
  const isPeer = ({ name }: { name: string }) => peers.some((peer) => peer.name === name);
  const peer = alone.find(isPeer);
  console.log(`${size} entries, one client, ${CALLS} calls of each kind, times in ms\n`);
  const kinds = ["put", "search"].flatMap((kind) => [`${kind}/s`, "p50", "p95"]);
  printTable(
    ["", "start", "slowest of the first puts", ...kinds, "found"],
    alone.map(({ name, started, first, keep, recall, found }) => [
      name,
      ms(started),
      ms(first),
      ...rateCells(keep, peer?.keep),
      ...rateCells(recall, peer?.recall),
      found,
    ]),
  );
  const together: Together[] = [];
  for (const candidate of [...own, ...peers].filter(({ only }) => only !== "alone"))
    together.push(await manyClients(candidate, corpus, newTexts()));
  const other = together.find(isPeer)?.rate;
  console.log(`\n${size} entries, ${CLIENTS} clients, ${MANY} calls in total, half of them puts\n`);
  printTable(
    ["", "calls/s", "p50", "p95", "failed", "lost"],
    together.map(({ name, rate, failed, lost }) => [
      name,
      ...rateCells(rate, other),
      String(failed),
      String(lost),
    ]),
  );
  console.log("");
}

const modules = await serverMemoryModules();
for (const size of options.sizes.split(",").map(Number)) {
  const root = mkdtempSync(join(tmpdir(), "retain-bench-"));
  try {
    await measure(size, modules, root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
process.exit(0);
