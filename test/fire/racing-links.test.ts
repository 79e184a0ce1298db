/** Repeatedly swaps a workspace directory for a link to outside during writes. */
import { expect } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const ROUNDS = process.env.RETAIN_FIRE ? 1_000 : 60;

const SWAP = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [path, outside] = process.argv.slice(-2);
const attempt = (work) => { try { work(); } catch {} };
for (;;) {
  attempt(() => renameSync(path, path + ".real"));
  attempt(() => symlinkSync(outside, path));
  attempt(() => unlinkSync(path));
  attempt(() => renameSync(path + ".real", path));
}`;

/** Swaps the directory for a link to another one with the same file names, and returns that one. */
function swapped(sandbox: Sandbox, path: string): { outside: string; stop: () => Promise<unknown> } {
  const outside = join(sandbox.root, "outside");
  mkdirSync(outside, { recursive: true });
  const child = Bun.spawn([process.execPath, "-e", SWAP, path, outside]);
  const stop = () => {
    child.kill("SIGKILL");
    return child.exited;
  };
  afterThisTest(() => void stop());
  return { outside, stop };
}

function open(sandbox: Sandbox) {
  return openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: {},
    settings: { embedding: "none" },
  });
}

testNeeding("/proc/self/fd")(
  "SAFE-1: no document is written or deleted outside while its collection is swapped for a link",
  async () => {
    const sandbox = new Sandbox();
    using retain = { ...{ memory: open(sandbox) }, [Symbol.dispose]: () => retain.memory.close() };
    await retain.memory.documents.put({ content: "# First\n", id: "first" });
    const { outside, stop } = swapped(sandbox, join(sandbox.memory, "collections/memory"));
    const mine = Array.from({ length: 20 }, (_, index) => `doc-${index}.md`);
    for (const name of mine) writeFileSync(join(outside, name), "mine");
    for (let round = 0; round < ROUNDS; round++) {
      const id = `doc-${round % 20}`;
      await retain.memory.documents.put({ content: `# Round ${round}\n\ntext\n`, id }).catch(() => null);
      if (round % 3 === 0) await retain.memory.documents.delete(id).catch(() => null);
    }
    await stop();
    expect(readdirSync(outside).sort()).toEqual(mine.toSorted());
    for (const name of mine) expect(await Bun.file(join(outside, name)).text()).toBe("mine");
  },
  600_000,
);

testNeeding("/proc/self/fd")(
  "SAFE-1: no fact is written outside while the memory files' directory is swapped for a link",
  async () => {
    const sandbox = new Sandbox();
    using retain = { ...{ memory: open(sandbox) }, [Symbol.dispose]: () => retain.memory.close() };
    await retain.memory.facts.remember("Owls fly at night");
    const { outside, stop } = swapped(sandbox, join(sandbox.memory, "memories"));
    for (let round = 0; round < ROUNDS; round++)
      await retain.memory.facts.remember(`Number ${round} is even`).catch(() => null);
    await stop();
    expect(readdirSync(outside)).toEqual([]);
  },
  600_000,
);
