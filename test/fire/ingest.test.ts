/** SIGKILL while a reply is ingested. Dozens of times in the normal tests, hundreds with `bun run fire`. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseHistory } from "../../src/core/facts/history.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { seededRandom } from "../helpers/seed.ts";

const ROUNDS = process.env.RETAIN_FIRE ? 300 : 30;

const read = (sandbox: Sandbox, file: string) => readFileSync(join(sandbox.memory, "memories", file), "utf8");
const bullets = (sandbox: Sandbox) =>
  read(sandbox, "MEMORY.md")
    .split("\n")
    .filter((line) => line.startsWith("- "));

const random = seededRandom();

test("INGEST-8: a kill at any moment loses nothing that was acknowledged", async () => {
  const sandbox = new Sandbox();
  const acknowledged: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const fact = `Round ${round} was here`;
    const child = sandbox.start(["ingest", "-", "--session", "s"], { stdin: `[MEMORY] ${fact}\nok\n` });
    const killer = setTimeout(() => child.kill("SIGKILL"), random() * 120);
    if ((await child.exited) === 0) acknowledged.push(`- ${fact}`);
    clearTimeout(killer);
  }
  sandbox.ok(["ingest", "-", "--session", "s"], { stdin: "[MEMORY] The last one\n" });
  const found = bullets(sandbox);
  expect(new Set(found).size).toBe(found.length);
  expect(acknowledged.filter((fact) => !found.includes(fact))).toEqual([]);
  const known = sandbox
    .ok(["facts", "--json"])
    .json.data.facts.map(({ text }: { text: string }) => `- ${text}`);
  expect(known.sort()).toEqual([...found].sort());
  expect(parseHistory(read(sandbox, "HISTORY.md"))).toHaveLength(found.length);
}, 600_000);
