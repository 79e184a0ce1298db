/**
 * Retain as an MCP server, next to the protocol's own memory server doing the same work in the same run: one client that keeps
 * and recalls, at several sizes, and many clients at once. Over pipes; many clients of Retain share one server over HTTP too.
 *
 *   bun bench/mcp.ts [--sizes 1000,10000] [--calls 200] [--clients 20] [--many 1000] [--server-memory <node_modules> | none]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRetain } from "../src/index.ts";
import { HttpClients } from "./mcp/http-clients.ts";
import { ms, printTable, RETAIN, summarise } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";
import { makeNotes, type NoteCorpus, type Question } from "./speed/notes.ts";
import { install } from "./speed/peers/install.ts";
import { McpClient } from "./speed/peers/mcp-client.ts";
import { startServer } from "./speed/peers/server-memory.ts";

const { values: options } = parseArgs({
  options: {
    sizes: { type: "string", default: "1000,10000" },
    calls: { type: "string", default: "200" },
    clients: { type: "string", default: "20" },
    many: { type: "string", default: "1000" },
    "server-memory": { type: "string" },
  },
});
const CALLS = Number(options.calls);
const CLIENTS = Number(options.clients);
const MANY = Number(options.many);

/** A client as the figures need it. */
interface Memory {
  keep(text: string, number: number): Promise<unknown>;
  /** Whether the note that the question was made from is in the answer. */
  recall(question: Question): Promise<boolean>;
  close(): Promise<void>;
}

/** A full memory, at which clients can be started. */
interface Candidate {
  readonly name: string;
  connect(): Promise<Memory>;
  /** How many of these texts it has now. */
  count(texts: readonly string[]): Promise<number>;
}

function overRetain(call: McpClient["call"], close: () => Promise<void>): Memory {
  return {
    keep: (content) => call("retain", { items: [{ content }] }),
    async recall({ query, answer }) {
      const { hits } = await call<{ hits: { id: string }[] }>("recall", { query });
      return hits.some(({ id }) => id === answer);
    },
    close,
  };
}

/** The notes as documents, with their vectors. */
async function fillRetain(corpus: NoteCorpus, home: string): Promise<Candidate[]> {
  const env = { ...process.env, RETAIN_HOME: home };
  using retain = openRetain({ cwd: home, env });
  await retain.putMany(
    corpus.notes.map(({ text, ...note }) => ({ name: note.id, read: () => ({ ...note, content: text }) })),
  );
  await retain.embed();
  const count = async (texts: readonly string[]) => {
    using now = openRetain({ cwd: home, env });
    const known = new Set((await now.memories.facts({ which: "all" })).map(({ text }) => text));
    return texts.filter((text) => known.has(text)).length;
  };
  const overPipes = async () => {
    const client = await McpClient.start([RETAIN, "mcp"], env);
    return overRetain(client.call.bind(client), () => client.close());
  };
  const http = new HttpClients(env);
  const overHttp = async () => {
    const client = await http.connect();
    return overRetain(client.call, client.close);
  };
  return [
    { name: "Retain", connect: overPipes, count },
    { name: "Retain, over HTTP", connect: overHttp, count },
  ];
}

/** A note is an entity with one observation; it finds a part of a word, so it is asked for the rarest word of the question. */
async function fillServerMemory(corpus: NoteCorpus, scratch: string, modules: string): Promise<Candidate> {
  const create = (server: McpClient, notes: readonly { id: string; text: string }[]) =>
    server.call("create_entities", {
      entities: notes.map(({ id, text }) => ({ name: id, entityType: "note", observations: [text] })),
    });
  const filling = await startServer(modules, scratch);
  await create(filling, corpus.notes);
  await filling.close();
  return {
    name: "server-memory",
    async connect() {
      const server = await startServer(modules, scratch);
      return {
        keep: (text, number) => create(server, [{ id: `more-${number}`, text }]),
        async recall({ keyword, answer }) {
          const { entities } = await server.call<{ entities: { name: string }[] }>("search_nodes", {
            query: keyword,
          });
          return entities.some(({ name }) => name === answer);
        },
        close: () => server.close(),
      };
    },
    async count(texts) {
      const server = await startServer(modules, scratch);
      const { entities } = await server.call<{ entities: { observations: string[] }[] }>("read_graph", {});
      await server.close();
      const known = new Set(entities.flatMap(({ observations }) => observations));
      return texts.filter((text) => known.has(text)).length;
    },
  };
}

async function timed(count: number, call: (number: number) => Promise<unknown>) {
  const samples: number[] = [];
  const begun = performance.now();
  for (let number = 0; number < count; number++) {
    const start = performance.now();
    await call(number);
    samples.push(performance.now() - start);
  }
  return { perSecond: (count / (performance.now() - begun)) * 1_000, ...summarise(samples) };
}

async function oneClient(
  { name, connect }: Candidate,
  corpus: NoteCorpus,
  texts: readonly string[],
): Promise<string[]> {
  const begun = performance.now();
  const memory = await connect();
  const started = performance.now() - begun;
  for (const question of corpus.warmUp) await memory.recall(question);
  let found = 0;
  const asked = Math.min(CALLS, corpus.questions.length);
  const recall = await timed(asked, async (number) => {
    if (await memory.recall(corpus.questions[number] as Question)) found++;
  });
  const keep = await timed(CALLS, (number) => memory.keep(texts[number] as string, number));
  await memory.close();
  const cells = ({ perSecond, p50, p95 }: typeof keep) => [perSecond.toFixed(0), ms(p50), ms(p95)];
  return [name, ms(started), ...cells(keep), ...cells(recall), `${found}/${asked}`];
}

/** Every other call keeps something. */
async function manyClients(
  candidate: Candidate,
  corpus: NoteCorpus,
  texts: readonly string[],
): Promise<string[]> {
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
        const text = texts[CALLS + number] as string;
        const question = corpus.questions[number % corpus.questions.length] as Question;
        const call = number % 2 === 0 ? memory.keep(text, CALLS + number) : memory.recall(question);
        await call.then(() => number % 2 === 0 && kept.push(text)).catch((error) => failed.push(error));
        samples.push(performance.now() - start);
      }
    }),
  );
  const seconds = (performance.now() - begun) / 1_000;
  await Promise.all(memories.map((memory) => memory.close()));
  const lost = kept.length - (await candidate.count(kept));
  const { p50, p95 } = summarise(samples);
  return [candidate.name, (MANY / seconds).toFixed(0), ms(p50), ms(p95), String(failed.length), String(lost)];
}

/** null where it cannot be had. */
async function serverMemory(): Promise<string | null> {
  const given = options["server-memory"];
  if (given !== undefined) return given === "none" ? null : given;
  try {
    return await install("@modelcontextprotocol/server-memory", join(tmpdir(), "retain-bench-packages"));
  } catch (error) {
    console.log(`server-memory is left out: ${error instanceof Error ? error.message : error}\n`);
    return null;
  }
}

const modules = await serverMemory();
for (const size of options.sizes.split(",").map(Number)) {
  const root = mkdtempSync(join(tmpdir(), "retain-bench-"));
  try {
    const corpus = makeNotes(size);
    const generator = new MemoryGenerator(99);
    const texts = Array.from({ length: CALLS + MANY }, () => `${generator.text()}.`);
    const own = await fillRetain(corpus, join(root, "home"));
    const peers = modules === null ? [] : [await fillServerMemory(corpus, root, modules)];
    const alone: string[][] = [];
    for (const candidate of [...own.slice(0, 1), ...peers])
      alone.push(await oneClient(candidate, corpus, texts));
    console.log(`${size} memories, one client, ${CALLS} calls of each kind, times in ms\n`);
    const kinds = ["retain", "recall"].flatMap((kind) => [`${kind}/s`, "p50", "p95"]);
    printTable(["", "start", ...kinds, "found"], alone);
    const together: string[][] = [];
    for (const candidate of [...own, ...peers]) together.push(await manyClients(candidate, corpus, texts));
    console.log(`\n${size} memories, ${CLIENTS} clients, ${MANY} calls together, half of them retain\n`);
    printTable(["", "calls/s", "p50", "p95", "failed", "lost"], together);
    console.log("");
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
process.exit(0);
