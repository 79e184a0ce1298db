/** SIGKILL at random moments, many processes on one spool, and full disks. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DONE, Kit, never } from "../backends/spool-kit.ts";
import { inNamespace, smallDisk } from "../helpers/namespace.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { seededRandom } from "../helpers/seed.ts";

const KILLS = process.env.RETAIN_FIRE ? 150 : 15;
const WORKER = join(import.meta.dir, "spool-worker.ts");
const random = seededRandom();

interface Place {
  readonly directory: string;
  readonly server: string;
}

/** The highest acknowledged number per key. */
type Acknowledged = Map<string, number>;

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of stream) {
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
}

/** Continues the numbers of the last worker of this name. */
async function runWorker(
  { directory, server }: Place,
  name: string,
  known: Acknowledged,
  { from, count, lines }: { from: number; count?: number; lines?: number },
): Promise<{ code: number; problems: string }> {
  const numbers = [from, count ?? Infinity, random()].map(String);
  const child = Bun.spawn([process.execPath, WORKER, directory, server, name, ...numbers], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const problems = new Response(child.stderr).text();
  let said = 0;
  await readLines(child.stdout, (line) => {
    const [key = "", number] = line.split(" ");
    known.set(key, Number(number));
    if (++said === lines) setTimeout(() => child.kill("SIGKILL"), random() * 4);
  });
  return { code: await child.exited, problems: await problems };
}

/** Received entries in order, per key with its numbers. Throws if two processes sent at once. */
function takenIn(server: string): Map<string, number[]> {
  const taken = new Map<string, number[]>();
  const lines = existsSync(server) ? readFileSync(server, "utf8").split("\n").slice(0, -1) : [];
  let sending: string | null = null;
  const ended = new Set<string>();
  for (const line of lines) {
    const [pid = "", verb, key = "", number] = line.split(" ");
    // A process that was overtaken was killed and never sends again.
    if (ended.has(pid)) throw new Error(`${pid} goes on after another one began: ${line}`);
    if (verb === "begin" && sending !== null && sending !== pid) ended.add(sending);
    if (verb === "begin") sending = pid;
    if (sending !== pid) throw new Error(`${pid} sends while ${sending} does: ${line}`);
    if (verb === "end") sending = null;
    if (verb === "take") taken.set(key, [...(taken.get(key) ?? []), Number(number)]);
  }
  return taken;
}

/** Sends the rest; returns the last number per key. */
async function finish(place: Place): Promise<Map<string, number>> {
  const kit = new Kit(place.directory);
  const taken = new Map<string, number>();
  kit.server.answer = (entries) =>
    entries.map(({ key, body }) => {
      taken.set(key, Number(body));
      return DONE;
    });
  kit.time.now = Date.now() + 3_600_000;
  const spool = kit.open("last:1", { isGone: () => true });
  await spool.flush(never);
  expect(spool.status()).toEqual({ waiting: 0, stuck: [], problem: null, nextTry: null });
  return taken;
}

function expectAll(place: Place, known: Acknowledged, left: ReadonlyMap<string, number>): void {
  const taken = takenIn(place.server);
  for (const [key, number] of known) {
    const numbers = [...(taken.get(key) ?? []), left.get(key) ?? []].flat();
    // An entry written just before the kill was not acknowledged, but is sent anyway.
    expect([key, number, numbers.some((one) => one >= number)]).toEqual([key, number, true]);
    expect([key, numbers]).toEqual([key, numbers.toSorted((a, b) => a - b)]);
  }
}

test("SPOOL-14: after SIGKILL at any moment every acknowledged entry is sent, and never an older state last", async () => {
  const sandbox = new Sandbox();
  const place = { directory: join(sandbox.root, "spool"), server: join(sandbox.root, "server") };
  const known: Acknowledged = new Map();
  const lives = ["a", "b"].map(async (name) => {
    for (let round = 0; round < KILLS; round++) {
      const lines = 1 + Math.floor(random() * 25);
      const { problems } = await runWorker(place, name, known, { from: round * 1_000, lines });
      expect(problems).toBe("");
    }
  });
  await Promise.all(lives);
  expectAll(place, known, await finish(place));
  expect(known.size).toBe(14);
}, 600_000);

test("SPOOL-14: four processes that queue and send at once lose nothing, and only one sends at a time", async () => {
  const sandbox = new Sandbox();
  const place = { directory: join(sandbox.root, "spool"), server: join(sandbox.root, "server") };
  const known: Acknowledged = new Map();
  const ended = await Promise.all(
    ["a", "b", "c", "d"].map((name) => runWorker(place, name, known, { from: 0, count: 60 })),
  );
  expect(ended).toEqual(ended.map(() => ({ code: 0, problems: "" })));
  expectAll(place, known, await finish(place));
  expect(known.size).toBe(28);
}, 600_000);

/** Opens a spool in $SPOOL, runs the lines and returns their output. */
function script(sandbox: Sandbox, lines: string): string {
  const path = join(sandbox.root, "script.ts");
  writeFileSync(
    path,
    `import { Spool } from ${JSON.stringify(join(import.meta.dir, "../../src/backends/spool/spool.ts"))};
const notice = (text: string) => console.log(text);
const sender = { send: async (entries: readonly { key: string }[]) => {
  console.log("sent", entries.map(({ key }) => key).join(" "));
  return entries.map(() => ({ kind: "done" as const }));
} };
const spool = new Spool({ directory: process.env.SPOOL ?? "", sender, notice, to: "Hindsight", clock: () => new Date(),
  self: "here:1", isGone: () => true });
const add = (...keys: string[]) => spool
  .add(keys.map((key) => ({ key, kind: "retain", body: key.padEnd(9_000, "x"), summary: key })))
  .catch((error) => console.log(error.code, error.message));
const signal = new AbortController().signal;
${lines}
`,
  );
  return path;
}

testNeeding("strace")(
  "SPOOL-1: written, flushed, renamed, directory flushed, then the old one removed",
  () => {
    const sandbox = new Sandbox();
    const directory = join(sandbox.root, "spool");
    const log = join(sandbox.root, "trace");
    const path = script(
      sandbox,
      `await add("a"); await add("a"); require("node:fs").writeSync(1, "acknowledged\\n");`,
    );
    const calls = "openat,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,write,writev,pwrite64";
    Bun.spawnSync(["strace", "-f", "-y", "-o", log, "-e", `trace=${calls}`, process.execPath, path], {
      env: sandbox.env({ SPOOL: directory }),
    });
    const trace = readFileSync(log, "utf8").split("\n");
    const added = [
      new RegExp(`write(?:64)?\\(\\d+<${directory}/\\.tmp-`),
      new RegExp(`fsync\\(\\d+<${directory}/\\.tmp-`),
      /rename(?:at2?)?\(.*\.tmp-.*[0-9a-f]{8}\.json/,
      new RegExp(`fsync\\(\\d+<${directory}>`),
    ];
    const steps = [
      ...added,
      ...added,
      /unlink(?:at)?\(.*[0-9a-f]{8}\.json".*= 0$/,
      /write\(1<.*acknowledged/,
    ];
    let from = 0;
    for (const step of steps) {
      const at = trace.findIndex((line, index) => index >= from && step.test(line));
      expect([String(step), at >= from]).toEqual([String(step), true]);
      from = at + 1;
    }
    expect(trace.filter((line) => /unlink.*[0-9a-f]{8}\.json"[^.]*= 0/.test(line))).toHaveLength(1);
  },
);

test("HIND-10: pending entries keep no process alive", async () => {
  const sandbox = new Sandbox();
  const path = script(sandbox, `await add("a"); console.log("end");`);
  const env = sandbox.env({ SPOOL: join(sandbox.root, "spool") });
  const child = Bun.spawn([process.execPath, path], { env, stdout: "pipe", stderr: "pipe" });
  expect(await new Response(child.stdout).text()).toBe("end\n");
  expect(await child.exited).toBe(0);
});

testNeeding("mount namespaces")(
  "SPOOL-1: on a full disk adding fails cleanly, and pending entries are sent once there is room",
  async () => {
    const sandbox = new Sandbox();
    const path = script(
      sandbox,
      `
import { readdirSync, rmSync, writeFileSync } from "node:fs";
await add("a");
try { writeFileSync(process.env.SPOOL + "/../fill", new Uint8Array(1e7)); } catch {}
await add("b", "c");
console.log(readdirSync(process.env.SPOOL ?? "").length);
await spool.flush(signal);
console.log(spool.status().waiting, spool.status().problem);
rmSync(process.env.SPOOL + "/../fill");
await spool.flush(signal);
spool.retryStuck();
await spool.flush(signal);
console.log(JSON.stringify(spool.status()));`,
    );
    const { disk, script: mount } = smallDisk(sandbox, "64k");
    const output = await inNamespace(sandbox, `${mount}SPOOL=${disk}/spool bun ${path}`);
    expect(output.split("\n")).toEqual([
      `io Cannot queue for Hindsight in ${disk}/spool: the disk is full.`,
      "1",
      expect.stringMatching(/^1 memory .*: .*\/spool: the disk is full\./),
      expect.stringMatching(/^1 .*\/spool: the disk is full$/),
      "sent a",
      '{"waiting":0,"stuck":[],"problem":null,"nextTry":null}',
      "",
    ]);
  },
);

testNeeding("mount namespaces")(
  "SPOOL-1: after a partial write, replaced entries stay and the rest is not queued",
  async () => {
    const sandbox = new Sandbox();
    const path = script(
      sandbox,
      `
import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
await add("a");
const fill = process.env.SPOOL + "/../fill";
try { writeFileSync(fill, new Uint8Array(1e7)); } catch {}
truncateSync(fill, statSync(fill).size - 40 * 1024);
await add("b", "a", "c", "d");
console.log(spool.entries().map(({ key }) => key).join(" "), readdirSync(process.env.SPOOL ?? "").length);`,
    );
    const { disk, script: mount } = smallDisk(sandbox, "64k");
    const output = await inNamespace(sandbox, `${mount}SPOOL=${disk}/spool bun ${path}`);
    expect(output.split("\n")).toEqual([
      `io Cannot queue for Hindsight in ${disk}/spool: the disk is full.`,
      "a 2",
      "",
    ]);
  },
);

testNeeding("mount namespaces")(
  "SPOOL-1: an entry that can't be removed after sending is not sent again by this process",
  async () => {
    const sandbox = new Sandbox();
    const { home } = sandbox;
    const remount = (how: string) => `Bun.spawnSync(["mount", "-o", "remount,bind,${how}", "${home}"]);`;
    const path = script(
      sandbox,
      `
await add("a");
sender.send = async (entries) => { ${remount("ro")} return entries.map(() => ({ kind: "done" as const })); };
await spool.flush(signal);
await add("b");
await spool.flush(signal);
console.log(spool.status().waiting);
sender.send = async () => { throw new Error("sent again"); };
${remount("rw")}
spool.retryStuck();
await spool.flush(signal);
console.log(JSON.stringify(spool.status()));`,
    );
    const output = await inNamespace(
      sandbox,
      `mount --bind ${home} ${home} && SPOOL=${home}/spool bun ${path}`,
    );
    const spool = join(home, "spool");
    expect(output.split("\n")).toEqual([
      expect.stringMatching(/^1 memory .*: .*\/spool: the disk is read-only\./),
      `io Cannot queue for Hindsight in ${spool}: the disk is read-only.`,
      "1",
      '{"waiting":0,"stuck":[],"problem":null,"nextTry":null}',
      "",
    ]);
  },
);
