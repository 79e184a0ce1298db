/**
 * What HTTP adds to a recall: the same questions in process and over one connection, alternately, as a ratio of the medians; how
 * long other requests wait for a recall that checks all files again; then the rates of one and of several clients that retain and
 * recall, in turn. `bun bench/serve.ts [memories] [--words]`; `--words` searches without the embedding model.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openRetain } from "../src/index.ts";
import { apiService } from "../src/serve/api/service.ts";
import { listen } from "../src/serve/listen.ts";
import { poster, rateOf, text, word } from "./serve/clients.ts";

const { values, positionals } = parseArgs({
  options: { words: { type: "boolean" } },
  allowPositionals: true,
});
const count = Number(positionals[0] ?? 10_000);
const ROUNDS = 200;
const CLIENTS = [16, 20, 64];
const token = crypto.randomUUID();
const home = mkdtempSync(join(tmpdir(), "retain-bench-"));

let ahead = 0;
const retain = openRetain({
  ...{ cwd: home, homeDirectory: home, env: {}, responsive: true },
  settings: { embedding: values.words ? "none" : "minilm" },
  clock: () => new Date(Date.now() + ahead),
});
const report = (error: Error) => console.error(error);
const server = listen({
  ...{ host: "127.0.0.1", port: 0, token, isRemote: false, hosts: [], origins: [], report },
  services: [apiService({ retain, version: "bench", report })],
});
const base = `${server.url}v1/default/banks/bench`;

const post = poster({ base, token });

for (let start = 0; start < count; start += 500) {
  const items = Array.from({ length: Math.min(500, count - start) }, (_, index) => ({
    content: text(start + index),
    document_id: `note-${start + index}`,
  }));
  await post("/memories", { items });
}

const bank = await retain.banks.open("bench");
await bank.index.embed();
const timed = async (work: () => Promise<unknown>) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};
const median = (times: number[]) => times.sort((a, b) => a - b)[times.length >> 1] ?? 0;
const here: number[] = [];
const there: number[] = [];
for (let round = -20; round < ROUNDS; round++) {
  const query = `${word(round + 20)} near ${word(round * 3 + 60)} ${(round + 20) % 97}`;
  const one = await timed(() => bank.recall(query, { limit: 50, budget: 4_096 }));
  const other = await timed(() => post("/memories/recall", { query }));
  if (round >= 0) {
    here.push(one);
    there.push(other);
  }
}
const [inProcess, overHttp] = [median(here), median(there)];
console.log(`${count} memories, one connection:`);
console.log(`  recall in process ${inProcess.toFixed(1)} ms, over HTTP ${overHttp.toFixed(1)} ms`);
console.log(`  ratio ${(overHttp / inProcess).toFixed(2)}`);

/** The longest time for which nothing else could run. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isDone = false;
  const watching = (async () => {
    for (let last = performance.now(); !isDone; ) {
      await new Promise(setImmediate);
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await work();
  isDone = true;
  await watching;
  return longest;
}
const waits: number[] = [];
const checks: number[] = [];
for (let round = 0; round < 10; round++) {
  ahead += 10_000;
  checks.push(
    await timed(async () => {
      waits.push(await longestTurn(() => post("/memories/recall", { query: text(round) })));
    }),
  );
}
console.log(
  `  a recall that checks all files again ${median(checks).toFixed(0)} ms; others wait ${median(waits).toFixed(0)} ms`,
);

const SECONDS = 3;
/** In turn, so that a machine that changes its speed slows each of them. */
const rates = new Map([1, ...CLIENTS].map((clients) => [clients, [] as number[]]));
let first = 0;
for (let round = 0; round < 5; round++)
  for (const [clients, measured] of rates) {
    measured.push(await rateOf({ base, token, clients, seconds: SECONDS, first }));
    first += 10_000;
  }
const [one = 0, ...many] = [...rates.values()].map(median);
const shown = many.map(
  (each, at) => `${CLIENTS[at]} clients ${each.toFixed(0)} (${(each / one).toFixed(2)})`,
);
console.log(`  mixed requests a second: one client ${one.toFixed(0)}; ${shown.join(", ")}`);
bank.close();
await server.close();
retain.close();
rmSync(home, { recursive: true });
