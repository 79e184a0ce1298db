/** A fact and those it replaced: found by their words, and shown for questions about the past. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { factId } from "../../src/core/facts/fact-text.ts";
import { filesHolding } from "../helpers/bytes.ts";
import { ChatRoom, textOf } from "../helpers/chat.ts";
import { Clocked } from "../helpers/clocked.ts";
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

const LIZ = "The product manager is Liz";
const LUKAS = "The product manager is Lukas";

/** Liz until 2 November. */
async function lukasReplacedLiz(): Promise<Clocked> {
  const place = new Clocked();
  place.now = new Date(2026, 9, 1, 12);
  await place.retain.facts.remember(LIZ, { tags: ["team"] });
  place.now = new Date(2026, 10, 2, 12);
  await place.retain.facts.remember(LUKAS, { replaces: [factId(LIZ, null)] });
  return place;
}

const PAST = "Who was product manager before Lukas?";

test("RECALL-7: a question about the past shows the replaced fact behind the current one, with its last day", async () => {
  const { retain } = await lukasReplacedLiz();
  const { hits } = await retain.search("Who was product manager?");
  expect(hits).toMatchObject([
    { text: LUKAS, id: factId(LUKAS, null) },
    {
      ...{ text: LIZ, id: factId(LIZ, null), tags: ["team"] },
      ...{ until: "2026-11-02", replacedBy: factId(LUKAS, null) },
    },
  ]);
  expect(hits[0]?.until).toBeUndefined();
  for (const { score, parts } of hits)
    expect(parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(score);
  expect((await retain.search("Who is product manager?")).hits.map(({ text }) => text)).toEqual([LUKAS]);
  expect((await retain.search(PAST)).hits.map(({ text }) => text)).toEqual([LIZ, LUKAS]);
  expect((await retain.search(PAST, { limit: 1 })).hits.map(({ text }) => text)).toEqual([LIZ]);
});

test("RECALL-7: for a question about a day or period, the fact that held then is first, also if it was replaced twice", async () => {
  const place = await lukasReplacedLiz();
  const IVO = "The product manager is Ivo";
  place.now = new Date(2026, 10, 10, 12);
  await place.retain.facts.remember(IVO, { replaces: [factId(LUKAS, null)] });
  place.now = new Date(2026, 10, 18, 12);
  for (const [asked, first] of [
    ["Who was product manager on 15 October?", LIZ],
    ["Who was product manager in October?", LIZ],
    ["product manager on 15 October 2026", LIZ],
    ["Who was product manager before November?", LIZ],
    ["Who was product manager on 5 November?", LUKAS],
    ["Who was product manager yesterday?", IVO],
    ["Who used to be product manager?", LUKAS],
    ["Who is product manager?", IVO],
  ] as const) {
    const { hits } = await place.retain.search(asked);
    expect([asked, hits[0]?.text]).toEqual([asked, first]);
  }
  const { hits } = await place.retain.search("product manager on 15 October 2026");
  expect(hits.map(({ text }) => text)).toEqual([LIZ, IVO]);
});

test("RECALL-7: a filter that the replaced fact does not pass leaves it out", async () => {
  const { retain } = await lukasReplacedLiz();
  expect((await retain.search(PAST, { since: "2026-11-01" })).hits.map(({ text }) => text)).toEqual([LUKAS]);
});

test("RECALL-7: search, recall, reflect and the chat mark it with its last day", async () => {
  const sandbox = new Sandbox();
  {
    using retain = opened(sandbox);
    await replaced(retain, LIZ, LUKAS);
  }
  const marked = /until \d{4}-\d\d-\d\d/;
  for (const command of ["search", "recall", "reflect"]) {
    const { stdout } = sandbox.ok([command, PAST]);
    expect([command, stdout]).toEqual([command, expect.stringContaining(LIZ)]);
    expect([command, stdout]).toEqual([command, expect.stringMatching(marked)]);
  }
  const room = new ChatRoom(null);
  await replaced(room.retain, LIZ, LUKAS);
  const chat = await room.open();
  expect(textOf(await chat.say(PAST))).toMatch(new RegExp(`${LIZ}[^]*${marked.source}[^]*${LUKAS}`));
});
