/** A fact and those it replaced, in the index: each is found by the words of the others. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { filesHolding } from "../helpers/bytes.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function opened(sandbox: Sandbox) {
  return openRetain({
    cwd: sandbox.work,
    env: { RETAIN_EMBEDDING: "none" },
    homeDirectory: sandbox.home,
  });
}

type Memory = ReturnType<typeof opened>;

const texts = async (retain: Memory, query: string) =>
  (await retain.search(query)).hits.map(({ text }) => text);

const JENKINS = "We use Jenkins for CI";
const CIRCLE = "We replaced Jenkins with Circle";
const ACTIONS = "We switched from Circle to GitHub Actions";

async function replaced(retain: Memory, ...chain: readonly string[]): Promise<void> {
  for (const [index, text] of chain.entries())
    await retain.facts.remember(text, {
      replaces: index === 0 ? [] : [factId(chain[index - 1] ?? "", null)],
    });
}

test("FACT-30: a fact is found by the words of those it replaced, in steps too, and its own words count more", async () => {
  using retain = opened(new Sandbox());
  await replaced(retain, JENKINS, CIRCLE, ACTIONS);
  await retain.facts.remember("Ana wrote the CI handbook");
  expect(await texts(retain, "jenkins")).toEqual([ACTIONS]);
  expect(await texts(retain, "CI")).toEqual(["Ana wrote the CI handbook", ACTIONS]);
});

test("FACT-30: no longer after undo, or after the old bullet is back, and a rebuilt index finds the same", async () => {
  const sandbox = new Sandbox();
  using retain = opened(sandbox);
  await replaced(retain, JENKINS, CIRCLE, ACTIONS);
  await retain.facts.undo();
  expect([await texts(retain, "actions"), await texts(retain, "jenkins")]).toEqual([[], [CIRCLE]]);
  sandbox.ok(["reindex"]);
  expect(await texts(retain, "CI")).toEqual([CIRCLE]);
  const file = join(sandbox.memory, "memories/MEMORY.md");
  writeFileSync(file, `${readFileSync(file, "utf8")}- ${JENKINS}\n`);
  expect((await texts(retain, "jenkins")).sort()).toEqual([CIRCLE, JENKINS].sort());
  expect(await texts(retain, "CI")).toEqual([JENKINS]);
  rmSync(join(sandbox.memory, "retain.db"));
  expect(await texts(retain, "CI")).toEqual([JENKINS]);
});

test("FACT-30: after forgetting a replaced fact, long or short, the index has none of its words", async () => {
  for (const [old, word] of [
    ["The vault of the bakery is called zyxqwv", "zyxqwv"],
    ["CI: zyxqwv", "zyxqwv"],
  ] as const) {
    const sandbox = new Sandbox();
    using retain = opened(sandbox);
    await replaced(retain, old, CIRCLE, ACTIONS);
    expect(await texts(retain, word)).toEqual([ACTIONS]);
    await retain.facts.forget(factId(old, null));
    expect(await texts(retain, word)).toEqual([]);
    expect(filesHolding(sandbox.memory, word)).toEqual([]);
  }
});

test("FACT-30: nor after forgetting the fact between them", async () => {
  using retain = opened(new Sandbox());
  await replaced(retain, JENKINS, CIRCLE, ACTIONS);
  await retain.facts.forget(factId(CIRCLE, null));
  expect(await texts(retain, "jenkins")).toEqual([]);
  expect(await texts(retain, "actions")).toEqual([ACTIONS]);
});

test("FACT-30: an index of an earlier version is brought up to date", async () => {
  const sandbox = new Sandbox();
  {
    using retain = opened(sandbox);
    await replaced(retain, JENKINS, ACTIONS);
  }
  const database = new Database(join(sandbox.memory, "retain.db"));
  database.run("INSERT INTO words (words) VALUES ('delete-all')");
  database.run("UPDATE chunks SET marks = ''");
  database.run("UPDATE state SET value = '1 earlier 0' WHERE key = 'facts'");
  database.close();
  using retain = opened(sandbox);
  expect(await texts(retain, "CI")).toEqual([ACTIONS]);
});
