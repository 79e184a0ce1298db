/**
 * The context across turns: how much of it stays identical, and how long it takes to assemble. On real files, keyword search
 * only, so that no model's time is included. Run: bun bench/context.ts
 */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { estimateTokenCount } from "tokenx";
import { openRetain, type Retain } from "../src/index.ts";
import { localDay } from "../src/util/days.ts";
import { ms, printTable, summarise } from "./measure.ts";
import { MemoryGenerator } from "./speed/generate.ts";

const TURNS = 30;
const ROUNDS = 200;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Invented words with natural frequencies; the same in every run. */
function sentences(count: number, seed: number, words = 7): string[] {
  const generator = new MemoryGenerator(seed);
  const made = new Set<string>();
  while (made.size < count) made.add(generator.words(words).join(" "));
  return [...made];
}

function questions(count: number, seed: number): string[] {
  const generator = new MemoryGenerator(seed);
  return Array.from({ length: count }, () => `${generator.question()}?`);
}

class Memory {
  readonly root = mkdtempSync(join(tmpdir(), "retain-bench-"));
  readonly retain: Retain;
  now = new Date(2026, 10, 15, 9, 0).getTime();

  constructor(facts: readonly string[]) {
    const home = join(this.root, ".retain");
    for (const directory of ["working", "models"])
      mkdirSync(join(home, "memories", directory), { recursive: true });
    this.retain = openRetain({
      cwd: this.root,
      homeDirectory: this.root,
      env: {},
      clock: () => new Date(this.now),
      settings: { embedding: "none" },
    });
    this.write("USER.md", bullets(sentences(12, 1).map((text) => `User: ${text}`)));
    this.write("PREFERENCES.md", bullets(sentences(10, 2).map((text) => `Prefers that ${text}`)));
    this.write("MEMORY.md", `# Memory\n\n${bullets(facts)}`);
    for (let back = 0; back < 10; back++) {
      const notes = sentences(5, 10 + back).map((text, index) => `## 1${index}:30 - Note\n${text}\n`);
      this.write(`${localDay(new Date(this.now - back * DAY_MS).toISOString())}.md`, notes.join("\n"));
    }
  }

  write(path: string, content: string): void {
    const file = join(this.root, ".retain", "memories", path);
    writeFileSync(file, content);
    utimesSync(file, new Date(this.now), new Date(this.now));
  }

  async remove(): Promise<void> {
    this.retain.close();
    rmSync(this.root, { recursive: true });
  }
}

function bullets(texts: readonly string[]): string {
  return `${texts.map((text) => `- ${text}`).join("\n")}\n`;
}

/** The share of a turn's tokens that is an identical prefix of the previous turn's. */
async function stableShares(count: number): Promise<{ shares: number[]; tokens: number; bytes: number }> {
  const facts = sentences(count, 3);
  const memory = new Memory(facts);
  const { retain } = memory;
  for (const [index, text] of sentences(6, 4).entries())
    await retain.facts.ingest(`Yes: ${text}.`, { session: `before-${index % 3}` });
  const shown = { facts: new Map() };
  const said = questions(TURNS, 5);
  const texts: string[] = [];
  for (const [turn, query] of said.entries()) {
    memory.now += 2 * MINUTE_MS;
    if (turn % 3 === 0)
      memory.write("working/now.md", `- Topic: ${query}\n- Next: ${said[turn + 1] ?? "the end"}\n`);
    const { text } = await retain.context({ query, session: "now" }, shown);
    texts.push(text);
    const learned = turn % 5 === 4 ? `\n\n[MEMORY] learned in turn ${turn} that ${query}` : "";
    await retain.facts.ingest(`Indeed, ${query}.${learned}`, { session: "now" });
  }
  await memory.remove();
  const shares = texts.slice(1).map((text, index) => {
    const before = texts[index] ?? "";
    let same = 0;
    while (same < text.length && text[same] === before[same]) same++;
    return estimateTokenCount(text.slice(0, same)) / estimateTokenCount(text);
  });
  const tokens = texts.reduce((sum, text) => sum + estimateTokenCount(text), 0) / texts.length;
  return { shares, tokens, bytes: bullets(facts).length };
}

async function times(count: number): Promise<string[]> {
  const memory = new Memory(sentences(count, 3));
  const { retain } = memory;
  const queries = questions(ROUNDS + 10, 6);
  await retain.index.sync();
  const shown = { facts: new Map() };
  const samples: number[] = [];
  for (const [round, query] of queries.entries()) {
    const begun = performance.now();
    await retain.context({ query, session: "now" }, shown);
    if (round >= 10) samples.push(performance.now() - begun);
  }
  await memory.remove();
  const { p50, p95 } = summarise(samples);
  return [count.toLocaleString("en"), ms(p50), ms(p95)];
}

const rows: string[][] = [];
for (const count of [200, 1_000]) {
  const { shares, tokens, bytes } = await stableShares(count);
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const percent = (share: number) => (100 * share).toFixed(1);
  rows.push([
    `${count.toLocaleString("en")} (${(bytes / 1_024).toFixed(1)} KB)`,
    tokens.toFixed(0),
    percent(mean),
    percent(Math.min(...shares)),
  ]);
}
printTable(["facts", "tokens a turn", "same as in the turn before, mean %", "least %"], rows);
console.log();
printTable(["facts", "p50 ms", "p95 ms"], [await times(100), await times(1_000), await times(10_000)]);
