/** When recall returns nothing, with the real embedding model. */
import { expect, test } from "bun:test";
import { openRetain } from "../../src/app.ts";
import { MODEL_CACHE, Sandbox } from "../helpers/sandbox.ts";

const SAID = [
  "I repaired the old bicycle in the garage on Sunday",
  "My sister Nadia plays the violin in an orchestra",
  "The dog ate my sandwich at the lake",
  "We painted the kitchen yellow last spring",
  "I started learning Portuguese with an app",
  "My knee hurts when I run longer than five kilometres",
  "The car needs new winter tyres before November",
  "I baked sourdough bread for the first time",
  "Our neighbours have a new puppy called Biscuit",
  "I signed up for a pottery class on Thursdays",
  "The train to Basel was two hours late",
  "I lost my umbrella in the library",
  "We are planning a trip to Norway in August",
  "My boss liked the report about energy prices",
  "I watched a documentary about octopuses",
  "Grandma turned ninety and danced all evening",
  "I planted tomatoes and basil on the balcony",
  "The dentist said my teeth are fine",
  "We played chess until midnight",
  "The heating broke down in January",
  "I read a novel about lighthouse keepers",
  "My brother Tom got a job at the airport",
];

test("RECALL-4: a memory of a few facts says nothing about other things either", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_CACHE: MODEL_CACHE };
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env });
  for (const fact of ["I live in Lisbon", "Deploys are on Tuesdays", "My sister has a dog called Biscuit"])
    await retain.facts.remember(fact);
  const first = async (question: string) => (await retain.search(question)).hits[0]?.text ?? null;
  expect(await first("which city is my home?")).toBe("I live in Lisbon");
  expect(await first("what pet does my sister have?")).toContain("Biscuit");
  for (const question of ["what is my shoe size?", "what is the capital of Australia?"])
    expect([question, await first(question)]).toEqual([question, null]);
  // MiniLM can't judge this one.
  expect(await first("Wann wird ausgeliefert, am Tuesday?")).not.toBeNull();
});

test("RECALL-4: a message that lacks one of the question's words is less of an answer", async () => {
  const sandbox = new Sandbox();
  using retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: { RETAIN_CACHE: MODEL_CACHE } },
  });
  for (const [day, content] of SAID.entries()) {
    const at = new Date(Date.UTC(2026, 0, day + 1)).toISOString();
    await retain.facts.writeTurns({ session: `day-${day}`, turns: [{ role: "user", content, at }] });
  }
  await retain.index.embed();
  const first = async (question: string) => (await retain.search(question)).hits[0]?.text ?? null;
  expect(await first("What kind of bread did I bake?")).toBe("I baked sourdough bread for the first time");
  expect(await first("Which bakery sells sourdough croissants?")).toBeNull();
});

test("RECALL-4: a short question about something else finds no fact that was saved on purpose", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_CACHE: MODEL_CACHE };
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env });
  for (const fact of [
    "My mother lives in Freiburg",
    "I am reading Middlemarch",
    "Our holiday is in Mallorca in July",
    "My phone is a Pixel 8",
  ])
    await retain.facts.remember(fact);
  const first = async (question: string) => (await retain.search(question)).hits[0]?.text ?? null;
  for (const question of [
    "what is the capital of Australia?",
    "when does Zorblax arrive?",
    "what is my shoe size?",
  ])
    expect([question, await first(question)]).toEqual([question, null]);
  expect(await first("which novel am I on?")).toBe("I am reading Middlemarch");
  expect(await first("where do we go on vacation?")).toBe("Our holiday is in Mallorca in July");
});

test("RANK-3: for a question about oneself, a fact about oneself ranks before one about one's mother", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_CACHE: MODEL_CACHE };
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env });
  for (const fact of ["I live in Lisbon, in Rua das Flores 12", "My mother lives in Freiburg"])
    await retain.facts.remember(fact);
  const first = async (question: string) => (await retain.search(question)).hits[0];
  const own = await first("where do I live?");
  expect(own?.text).toContain("Lisbon");
  expect(own?.parts.find(({ name }) => name === "about you")?.value).toBeGreaterThan(0);
  expect((await first("where does my mother live?"))?.text).toContain("Freiburg");
});

test("RECALL-6: a fact that may replace a found one is shown next to it, although the search didn't find it", async () => {
  const sandbox = new Sandbox();
  const env = { RETAIN_CACHE: MODEL_CACHE };
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env });
  for (const fact of ["I live in Lisbon", "My mother lives in Freiburg", "Deploys are on Tuesdays"])
    await retain.facts.remember(fact);
  const { saved } = await retain.facts.remember("We moved to Porto");
  expect(saved).toMatchObject([{ doubts: "I live in Lisbon" }]);
  const { hits } = await retain.search("where do I live?", { limit: 2 });
  expect(hits.map(({ text, mayBeOutdatedBy }) => [text, mayBeOutdatedBy])).toEqual([
    ["I live in Lisbon", saved[0]?.id],
    ["We moved to Porto", undefined],
  ]);
});
