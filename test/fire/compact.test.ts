/** SIGKILL during compaction. Dozens of times in the normal tests, hundreds with `bun run fire`. */
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { WORDS_ALONE as env, states, written } from "../helpers/memories.ts";
import { seededRandom } from "../helpers/seed.ts";

const ROUNDS = process.env.RETAIN_FIRE ? 300 : 12;

const random = seededRandom();

test("COMPACT-9: after SIGKILL at any moment the next command finds the old state or the new one", async () => {
  const days = Array.from({ length: 9 }, (_, index) => index + 1);
  const sandbox = written({
    "MEMORY.md": "# Memory\n\n- Prefers tea\n- Timezone: Mexico City\n",
    ...Object.fromEntries(
      days.flatMap((day) => [
        [`2020-01-0${day}.md`, `## 10:30 - Day ${day}\nwas fine\n\n## 10:31 - Number\n${day}\n`],
        [`chats/c${day}/2020-01-0${day}.md`, `## 10:30 - Topic\nchat ${day}\n`],
      ]),
    ),
  });
  sandbox.ok(["facts"], { env });
  const old = states(sandbox);
  const begun = performance.now();
  sandbox.ok(["compact"], { env });
  const lasted = performance.now() - begun;
  // Two runs differ only in the times of lines.
  const timeless = (files: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, content.replace(/^- \S+Z/gm, "-")]),
    );
  const fresh = timeless(states(sandbox));
  expect(Object.keys(fresh).length).toBe(2 + days.length);
  sandbox.ok(["undo"], { env });
  const undo = join(sandbox.memory, ".undo");
  for (let round = 0; round < ROUNDS; round++) {
    const where = `round ${round}`;
    expect([where, states(sandbox)]).toEqual([where, old]);
    const child = sandbox.start(["compact"], { env });
    let running = true;
    void child.exited.then(() => (running = false));
    // Every other time, right after the change has begun.
    if (round % 2 === 0) await Bun.sleep(random() * lasted);
    else while (running && !readdirSync(undo).some((name) => name.includes("pending"))) await Bun.sleep(0);
    if (round % 4 === 3) await Bun.sleep(random() * 4);
    child.kill("SIGKILL");
    await child.exited;
    sandbox.ok(["facts"], { env });
    const now = states(sandbox);
    if (JSON.stringify(now) !== JSON.stringify(old)) {
      expect([where, timeless(now)]).toEqual([where, fresh]);
      sandbox.ok(["undo"], { env });
    }
    expect(readdirSync(undo).filter((name) => name.includes("pending"))).toEqual([]);
  }
}, 600_000);
