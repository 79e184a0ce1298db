/** Newer statements come before older messages about the same. */
import { expect, test } from "bun:test";
import { openRetain, type Retain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const MONDAY = new Date("2026-03-02T09:00:00Z");
const WEEK_LATER = new Date("2026-03-09T09:00:00Z");

interface Memory {
  readonly retain: Retain;
  say(session: string, at: Date, content: string): Promise<unknown>;
}

function openMemory(): Memory {
  const sandbox = new Sandbox();
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home },
    env: { RETAIN_EMBEDDING: "none" },
    clock: () => WEEK_LATER,
  });
  afterThisTest(() => retain.close());
  const say = (session: string, at: Date, content: string) =>
    retain.facts.writeTurns({ session, from: 0, turns: [{ role: "user", content, at: at.toISOString() }] });
  return { retain, say };
}

test("RECALL-6: a fact ranks before an older message that says something similar, not before others", async () => {
  const { retain, say } = openMemory();
  await say("s", MONDAY, "The deploy is on Mondays, the deploy of the shop.");
  await retain.facts.ingest("I see.\n[MEMORY] The deploy of the shop is on Fridays.", { session: "t" });
  const kinds = async (query: string) => (await retain.search(query)).hits.map(({ kind }) => kind);
  expect(await kinds("when is the deploy of the shop on?")).toEqual(["fact", "message"]);
});

test("RECALL-6: a message that states a change ranks before an older one about the same, if the question is about the present", async () => {
  const { retain, say } = openMemory();
  await say("a", MONDAY, "Our standup meeting is at 9, the daily standup meeting.");
  await say("b", WEEK_LATER, "The standup meeting was moved to 10.");
  const texts = async (query: string) => (await retain.search(query)).hits.map(({ text }) => text);
  expect((await texts("what time is our daily standup meeting?"))[0]).toContain("moved to 10");
  expect((await texts("what time was our daily standup meeting at first?"))[0]).toContain("at 9");
});

test("RECALL-6: a moved hit has the score of the one it passed, and says why", async () => {
  const { retain, say } = openMemory();
  await say("a", MONDAY, "Our standup meeting is at 9, the daily standup meeting.");
  await say("b", WEEK_LATER, "The standup meeting was moved to 10.");
  const [first, second] = (await retain.search("what time is our daily standup meeting?")).hits;
  expect(first?.score).toBe(second?.score ?? 0);
  expect(first?.parts.find(({ name }) => name === "newer")?.value).toBeGreaterThan(0);
  const sum = first?.parts.reduce((total, { value }) => total + value, 0);
  expect(sum).toBeCloseTo(first?.score ?? 0);
});

for (const [what, may, june, facts] of [
  [
    "in doubt",
    "is valid in May 2026",
    "is now valid from June 2027",
    ["fact: June 2027", "message: May 2026", "fact: May 2026"],
  ],
  [
    "of which one replaced the other",
    "runs until May 2026",
    "runs until June 2027",
    ["fact: June 2027", "message: May 2026"],
  ],
] as const)
  test(`RECALL-6: of two facts ${what}, the newer ranks before the message that stated the older`, async () => {
    const { retain, say } = openMemory();
    const mark = (text: string, session: string) =>
      retain.facts.ingest(`I see.\n[MEMORY] ${text}`, { session });
    await say(
      "a",
      MONDAY,
      "The permit of the aquarium for otters, which expires in May 2026, hangs in the office.",
    );
    await mark(`The otter licence of the zoo ${may}`, "a");
    await mark(`The otter licence of the zoo ${june}`, "b");
    const { hits } = await retain.search("when does the permit of the aquarium for otters expire?");
    expect(hits.map(({ kind, text }) => `${kind}: ${text.match(/\w+ \d{4}/)?.[0]}`)).toEqual([...facts]);
  });

test("RECALL-6: a message that states a change ranks before an older fact about the same, if the question is about the present", async () => {
  const { retain, say } = openMemory();
  await retain.facts.remember("my monthly rent of the flat is 1020");
  const later = new Date(WEEK_LATER.getTime() + 86_400_000);
  await say("a", later, "The rent of the flat is 1100 now.");
  const texts = async (query: string) => (await retain.search(query)).hits.map(({ text }) => text);
  expect((await texts("what is my monthly rent of the flat?"))[0]).toContain("1100");
  expect((await texts("what was my monthly rent of the flat before?"))[0]).toContain("1020");
});
