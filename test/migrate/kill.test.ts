/** SIGKILL while a directory is imported. A few times in the ordinary tests, dozens of times with `bun run fire`. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseLog } from "../../src/core/facts/daily-log.ts";
import { parseHistory } from "../../src/core/facts/history.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { seededRandom } from "../helpers/seed.ts";
import { fingerprint, importedIn, open, read, writeAll } from "./place.ts";

const ROUNDS = process.env.RETAIN_FIRE ? 80 : 8;
const SESSIONS = 30;
const MESSAGES = 20;
const DAYS = 80;
const FACTS = 120;
const DOCUMENTS = 100;

const random = seededRandom();

const count = (number: number) => Array.from({ length: number }, (_, index) => index);
const dayOf = (index: number) => new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10);
const factOf = (index: number) => `Locker ${index} holds parcel ${index * 7}`;

function directoryIn(sandbox: Sandbox): string {
  const sessions = count(SESSIONS).map((index) => {
    const messages = count(MESSAGES).map((turn) => ({ role: "user", content: `Said ${turn} in ${index}` }));
    return [`sessions/s${index}.json`, JSON.stringify({ id: `s${index}`, title: "T", messages })];
  });
  const logs = count(DAYS).map((index) => [
    `memories/${dayOf(index)}.md`,
    `## 10:00 — Morning ${index}\nTea\n\n## 20:00 — Evening ${index}\nSoup\n`,
  ]);
  const documents = count(DOCUMENTS).map((index) => [
    `notes/doc-${index}.md`,
    `---\nid: doc-${index}\ntitle: Document ${index}\n---\n\nText ${index}\n`,
  ]);
  return writeAll(join(sandbox.work, "old"), {
    ...Object.fromEntries([...sessions, ...logs, ...documents]),
    "memories/MEMORY.md": count(FACTS)
      .map((index) => `- ${factOf(index)}\n`)
      .join(""),
    "memories/USER.md": "# User\n\n- Name: Jamie\n",
    "context/system_prompt.md": "Be brief.\n",
  });
}

async function expectEverythingOnce(sandbox: Sandbox): Promise<void> {
  using retain = open(sandbox);
  for (const index of count(SESSIONS)) {
    const { conversation } = await retain.sessions.show(`s${index}`);
    expect(conversation.map(({ content }) => content)).toEqual(
      count(MESSAGES).map((turn) => `Said ${turn} in ${index}`),
    );
  }
  for (const index of count(DAYS)) {
    const { notes } = parseLog(read(sandbox, `memories/${dayOf(index)}.md`));
    expect(notes.map(({ time, title }) => `${time} ${title}`)).toEqual([
      `10:00 Morning ${index}`,
      `20:00 Evening ${index}`,
    ]);
  }
  const facts = (await retain.facts.list()).map(({ text }) => text);
  expect(facts.sort()).toEqual([...count(FACTS).map(factOf), "Name: Jamie"].sort());
  expect(parseHistory(read(sandbox, "memories/HISTORY.md"))).toHaveLength(FACTS + 1);
  const { documents } = await retain.documents.list({ collection: "notes" });
  expect(documents.map(({ id, version }) => `${id} ${version}`).sort()).toEqual(
    count(DOCUMENTS)
      .map((index) => `doc-${index} 1`)
      .sort(),
  );
  expect(read(sandbox, "context/system_prompt.md")).toBe("Be brief.\n");
}

test("MIG-5: the next run completes a killed one, without duplicates", async () => {
  let interrupted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const sandbox = new Sandbox();
    const directory = directoryIn(sandbox);
    const before = fingerprint(directory);
    for (const share of [0.5, 1]) {
      const child = sandbox.start(["migrate", directory]);
      const killer = setTimeout(() => child.kill("SIGKILL"), 30 + random() * 900 * share);
      if ((await child.exited) !== 0 && existsSync(sandbox.memory)) interrupted++;
      clearTimeout(killer);
    }
    using retain = open(sandbox);
    await retain.migrate(directory);
    expect(importedIn(await retain.migrate(directory))).toBe(0);
    await expectEverythingOnce(sandbox);
    expect(fingerprint(directory)).toEqual(before);
  }
  expect(interrupted).toBeGreaterThan(0);
}, 600_000);

test("MIG-5: two concurrent runs import everything once", async () => {
  const sandbox = new Sandbox();
  const directory = directoryIn(sandbox);
  const children = [1, 2, 3].map(() => sandbox.start(["migrate", directory]));
  await Promise.all(children.map(({ exited }) => exited));
  using retain = open(sandbox);
  expect(importedIn(await retain.migrate(directory))).toBe(0);
  await expectEverythingOnce(sandbox);
}, 120_000);
