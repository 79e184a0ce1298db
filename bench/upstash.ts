/**
 * What a hosted vector index costs, against a stand-in that speaks Upstash's protocol: requests, round trips (requests at once count
 * as one) and bytes, for a recall, a saved fact and a whole memory. Counts, no times. Run: bun bench/upstash.ts [--memories 10000]
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRetain, type Retain } from "../src/index.ts";
import { UpstashServer } from "../test/helpers/upstash-server.ts";
import { printTable } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";

const { values } = parseArgs({ options: { memories: { type: "string", default: "10000" } } });
const MEMORIES = Number(values.memories);
const WORDS = 12;
/** Long enough for requests that are sent at once to overlap. */
const LATENCY_MS = 50;

interface Cost {
  readonly requests: number;
  /** How often it waits for the network: requests that overlap are one round trip. */
  readonly roundTrips: number;
  readonly bytes: number;
}

class Machine {
  readonly root = mkdtempSync(join(tmpdir(), "retain-bench-"));
  readonly retain: Retain;

  constructor(
    readonly server: UpstashServer,
    embedding: "local" | "upstash",
    git = false,
  ) {
    if (git) mkdirSync(join(this.root, "work", ".git"), { recursive: true });
    if (git) writeFileSync(join(this.root, "work", ".git", "HEAD"), "ref: refs/heads/main\n");
    else mkdirSync(join(this.root, "work"));
    this.retain = openRetain({
      ...{ cwd: join(this.root, "work"), homeDirectory: this.root },
      env: { ...server.env, RETAIN_CACHE: join(tmpdir(), "retain-test-cache") },
      settings: {
        vectors: "upstash",
        upstash_embedding: embedding,
        ...(embedding === "upstash" && { embedding: "none" }),
      },
    });
  }

  fill(count: number): void {
    const generator = new MemoryGenerator(1);
    const facts = new Set<string>();
    while (facts.size < count) facts.add(`- ${generator.words(WORDS).join(" ")}`);
    mkdirSync(join(this.root, ".retain", "memories"), { recursive: true });
    writeFileSync(
      join(this.root, ".retain", "memories", "MEMORY.md"),
      `# Memory\n\n${[...facts].join("\n")}\n`,
    );
  }

  async cost(work: () => Promise<unknown>): Promise<Cost> {
    const [before, spans] = [this.server.requests.length, this.server.spans.length];
    await work();
    const sent = this.server.requests.slice(before);
    const bytes = sent.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    let [roundTrips, end] = [0, 0];
    for (const { from, to } of this.server.spans.slice(spans).sort((a, b) => a.from - b.from)) {
      if (from >= end) {
        roundTrips++;
        end = to;
      }
    }
    return { requests: sent.length, roundTrips, bytes };
  }

  close(): void {
    this.retain.close();
    rmSync(this.root, { recursive: true });
  }
}

const rows: string[][] = [];
const add = (what: string, embedding: string, { requests, roundTrips, bytes }: Cost) =>
  rows.push([
    what,
    embedding,
    String(requests),
    String(roundTrips),
    bytes < 10_000 ? `${bytes} B` : `${(bytes / 1e6).toFixed(1)} MB`,
  ]);

for (const embedding of ["local", "upstash"] as const) {
  const server = await new UpstashServer().start();
  server.latencyMs = LATENCY_MS;
  const machine = new Machine(server, embedding);
  const project = new Machine(server, embedding, true);
  try {
    const { retain } = machine;
    machine.fill(MEMORIES);
    await retain.index.embed();
    add(
      `upload ${MEMORIES.toLocaleString("en")} facts`,
      embedding,
      await machine.cost(() => retain.vectors.backfill()),
    );
    add("upload them again", embedding, await machine.cost(() => retain.vectors.backfill()));
    add("recall", embedding, await machine.cost(() => retain.recall("where do herons wade")));
    add(
      "context with a question",
      embedding,
      await machine.cost(() => retain.context({ query: "where do herons wade" })),
    );
    add(
      "save a fact, until it is reported",
      embedding,
      await machine.cost(() => retain.facts.remember("Herons wade at dusk")),
    );
    add("... after it, when the process ends", embedding, await machine.cost(() => retain.uploads.flush()));
    const found = await retain.facts.findToForget("Herons wade at dusk");
    add(
      "forget it",
      embedding,
      await machine.cost(async () => {
        await retain.facts.forget(found.found[0]?.id ?? "");
        await retain.uploads.flush();
      }),
    );
    await project.retain.facts.remember("The build uses tabs");
    await project.retain.uploads.flush();
    add(
      "recall in a project",
      embedding,
      await machine.cost(() => project.retain.recall("where do herons wade")),
    );
  } finally {
    machine.close();
    project.close();
    server.stop();
  }
}

printTable(["what", "who embeds", "requests", "round trips", "sent"], rows);
