/**
 * A server under load for ten minutes: 16 clients retain and recall over HTTP. Prints its rate, its memory and the failures. Then it is
 * killed under load, started again, and asked for everything that it acknowledged. `bun run build && bun bench/soak.ts [minutes]`
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTable } from "./measure.ts";
import { word } from "./serve/clients.ts";

const minutes = Number(process.argv[2] ?? 10);
const CLIENTS = 16;
const ROWS = 20;
const token = crypto.randomUUID();
const home = mkdtempSync(join(tmpdir(), "retain-bench-"));
process.on("exit", () => rmSync(home, { recursive: true, force: true }));

async function start() {
  const command = [join(import.meta.dir, "../bin/retain"), "serve", "--port", "0", "--no-open", "--json"];
  const env = { PATH: process.env.PATH, HOME: home, RETAIN_TOKEN: token, RETAIN_EMBEDDING: "none" };
  const server = Bun.spawn(command, { cwd: home, env, stdout: "pipe", stderr: "inherit" });
  let printed = "";
  for await (const chunk of server.stdout) {
    printed += Buffer.from(chunk).toString();
    if (printed.trimEnd().endsWith("\n}")) break;
  }
  return { server, base: `${JSON.parse(printed).data.url}v1/default/banks/soak` };
}

const headers = { Authorization: `Bearer ${token}` };
const asked = async (url: string, body?: object) => {
  const init = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  const answer = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${answer}`);
  return answer;
};

const { server, base } = await start();
const megabytes = () => {
  const [, kilobytes] = /^VmRSS:\s*(\d+)/m.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
};

const text = (number: number) => `The ${word(number)} near the ${word(number >> 3)} has number ${number}.`;
/** As many as a person has; each is written again and again, so that only a leak grows. */
const DOCUMENTS = 2_000;

const acknowledged = new Map<string, number>();
let [requests, failures, isOver] = [0, 0, false];
async function client(own: number): Promise<void> {
  for (let turn = 0; !isOver; turn++) {
    const number = turn * CLIENTS + own;
    const id = `note-${number % DOCUMENTS}`;
    try {
      if (turn % 2 === 0)
        await asked(`${base}/memories/recall`, { query: `${word(turn)} ${word(turn >> 2)}` });
      else {
        await asked(`${base}/memories`, { items: [{ content: text(number), document_id: id }] });
        acknowledged.set(id, number);
      }
      requests++;
    } catch (error) {
      if (isOver) return;
      failures++;
      console.error(String(error));
    }
  }
}

const clients = Array.from({ length: CLIENTS }, (_, own) => client(own));
const rows: string[][] = [];
for (let row = 1; row <= ROWS; row++) {
  const before = requests;
  await Bun.sleep((minutes * 60_000) / ROWS);
  const rate = (requests - before) / ((minutes * 60) / ROWS);
  rows.push([((minutes * row) / ROWS).toFixed(1), rate.toFixed(0), megabytes().toFixed(0), String(failures)]);
}
printTable(["minutes", "requests a second", "memory, MB", "failures"], rows);

isOver = true;
server.kill("SIGKILL");
await Promise.all(clients);
const again = await start();
let lost = 0;
for (const [id, number] of acknowledged) {
  const { original_text } = JSON.parse(await asked(`${again.base}/documents/${id}`));
  const [, kept] = /number (\d+)\./.exec(original_text) ?? [];
  // A later write may have reached the disk without an answer.
  if (kept === undefined || Number(kept) < number) lost++;
}
console.log(`\nKilled under load: ${lost} of ${acknowledged.size} acknowledged documents are lost.`);
again.server.kill();
await again.server.exited;
