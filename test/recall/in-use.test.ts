/** Recall after weeks of use: through the library, on real files, keyword search only. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openRetain } from "../../src/app.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const WORDS_ALONE = { RETAIN_EMBEDDING: "none" };

function opened(sandbox: Sandbox) {
  return openRetain({ cwd: sandbox.work, env: WORDS_ALONE, homeDirectory: sandbox.home });
}

type Memory = ReturnType<typeof opened>;

async function say(retain: Memory, session: string, ...turns: string[]): Promise<void> {
  const spoken = turns.map((content, index) => ({
    ...{ role: index % 2 === 0 ? ("user" as const) : ("assistant" as const), content },
    at: new Date(Date.UTC(2026, 0, 5, 9, index)).toISOString(),
  }));
  await retain.facts.writeTurns({ session, turns: spoken });
}

const texts = async (retain: Memory, query: string) =>
  (await retain.search(query)).hits.map(({ text }) => text.trim());

test("RECALL-4: past questions, requests for information and empty replies are not recalled; a statement in the same message is", async () => {
  using retain = opened(new Sandbox());
  await say(retain, "told", "We renew the otter licence every March. Shall I note that?", "Noted.");
  const questions = [
    "When do we renew the otter licence?",
    "when do we renew the otter licence",
    "Wann erneuern wir die otter licence",
    "¿Cuándo renovamos la otter licence?",
    "otter licence 什么时候续期？",
    "tell me what you know about the otter licence",
    "List everything about the otter licence.",
    "Zeig mir alles zur otter licence",
    "Dime todo sobre la otter licence",
    "告诉我关于 otter licence 的事情",
  ];
  for (const [index, question] of questions.entries())
    await say(retain, `asked-${index}`, question, "I am not sure.");
  const told = ["We renew the otter licence every March. Shall I note that?"];
  for (const question of questions)
    expect([question, await texts(retain, question)]).toEqual([question, told]);
});

test("RECALL-4: the summary of a conversation of only questions is found by one or two of its words, but not by a question", async () => {
  const sandbox = new Sandbox();
  const question = "How much does the yearly insurance for the otter boat cost?";
  sandbox.ok(["--model", "none", question]);
  using retain = opened(sandbox);
  expect(await texts(retain, question)).toEqual([]);
  expect(await texts(retain, "otter boat")).toContain(question);
});

test("RECALL-4: the question before an answer helps to find it; one or two words or a phrase find a question", async () => {
  using retain = opened(new Sandbox());
  await say(retain, "s", "Which walrus song opens the festival?", "The slow waltz from Bergen.");
  expect(await texts(retain, "which song opens the walrus festival?")).toEqual([
    "The slow waltz from Bergen.",
  ]);
  for (const query of ["walrus", "walrus festival", '"opens the festival"'])
    expect(await texts(retain, query)).toContain("Which walrus song opens the festival?");
});

test("RECALL-4: conversations of an older database are reindexed, and a rebuilt index finds the same", async () => {
  const sandbox = new Sandbox();
  const question = "When do we renew the otter licence?";
  {
    using retain = opened(sandbox);
    await say(retain, "told", "We renew the otter licence every March.", "Noted.");
    await say(retain, "asked", question, "I am not sure.");
    expect(await texts(retain, question)).toEqual(["We renew the otter licence every March."]);
  }
  const database = new Database(join(sandbox.memory, "retain.db"));
  database.run("DROP TABLE asked");
  database.run("DROP INDEX facts_of_session");
  database.run("ALTER TABLE chunks DROP COLUMN stated");
  database.run("PRAGMA user_version = 6");
  database.close();
  for (const rebuild of [false, true]) {
    if (rebuild) sandbox.ok(["reindex"]);
    using retain = opened(sandbox);
    expect(await texts(retain, question)).toEqual(["We renew the otter licence every March."]);
    expect(await texts(retain, '"renew the otter"')).toContain(question);
  }
});

test("RECALL-4: a question without a relevant memory finds nothing and says so; a single word always finds texts with it", async () => {
  const sandbox = new Sandbox();
  for (const fact of ["The otter licence is renewed in March.", "The harbour office is closed on Mondays."])
    sandbox.ok(["remember", fact]);
  for (let day = 1; day <= 20; day++)
    sandbox.ok(["remember", `Heron number ${day} was seen at pond ${day}.`]);
  const nothing = "what colour did the painter choose for the office of the bishop in Lisbon";
  for (const verb of ["search", "recall"]) {
    expect(sandbox.ok([verb, nothing]).stdout).toBe("No relevant memories.\n");
    expect(sandbox.ok([verb, "office"]).stdout).toContain("harbour office");
  }
});

test("RECALL-4: a message does not make other memories seem relevant by matching itself", async () => {
  using retain = opened(new Sandbox());
  for (let day = 1; day <= 20; day++)
    await say(retain, `day-${day}`, `Heron number ${day} was seen at pond ${day}.`);
  await say(retain, "before", "The festival opens at six.");
  const said = "Booked a table by the harbour for the festival, confirmation follows";
  await say(retain, "now", said);
  const { parts } = await retain.context({ query: said, session: "now" });
  expect(parts.find(({ name }) => name === "relevant")).toMatchObject({ included: false });
});

test("SEARCH-5: in a short query, a word that occurs nowhere matches by spelling, next to words that match", async () => {
  using retain = opened(new Sandbox());
  const facts = [
    "The otter appointment is on Friday.",
    "The otter eats trout.",
    "The bank appointment is in June.",
    ...["poplars", "reeds", "oaks", "willows"].map((place) => `Herons nest in the ${place}.`),
  ];
  for (const fact of facts) await retain.facts.remember(fact);
  const expected = [facts[0], facts[1], facts[2]];
  expect(await texts(retain, "otter appointmnet")).toEqual(expected as string[]);
  expect(await texts(retain, "when is the otter appointmnet?")).toEqual(expected as string[]);
  expect(await texts(retain, "otter trout")).toEqual([facts[1], facts[0]] as string[]);
  await retain.facts.remember("Invoice 1041 is paid.");
  expect(await texts(retain, "otter 1042")).not.toContain("Invoice 1041 is paid.");
  const long = "where does the otter eat before its appointmnet with friends";
  expect(await texts(retain, long)).not.toContain(facts[2]);
});

test("RECALL-5: a fact and the message it came from are shown once, as the fact; so is a text said twice", async () => {
  using retain = opened(new Sandbox());
  await say(retain, "s", "By the way, the otter licence is renewed in March.");
  await retain.facts.ingest("I see.\n[MEMORY] The otter licence is renewed in March.", { session: "s" });
  const { hits } = await retain.search("when is the otter licence renewed?");
  expect(hits.map(({ kind }) => kind)).toEqual(["fact"]);
  for (const session of ["a", "b"]) await say(retain, session, "Herons nest in the poplars.");
  expect(await texts(retain, "where do herons nest?")).toEqual(["Herons nest in the poplars."]);
});

test("RECALL-5: a message and the summary that quotes it are shown once, as the message; a summary that says more stays", async () => {
  using retain = opened(new Sandbox());
  await say(
    retain,
    "s",
    "The **otter** licence is renewed in March.",
    "Good.",
    "Herons nest in the poplars.",
  );
  const { summary } = await retain.sessions.summarise("s", null);
  expect(summary).toContain("The otter licence is renewed in March.");
  const found = async (query: string) => (await retain.search(query)).hits.map(({ kind }) => kind);
  expect(await found("when is the otter licence renewed?")).toEqual(["message"]);
  expect(await found("otter licence, poplars: where do herons nest?")).toEqual([
    "summary",
    "message",
    "message",
  ]);
});

test("RECALL-6: a message that stated an ended fact ranks below the change, only for questions about that fact", async () => {
  const sandbox = new Sandbox();
  using retain = opened(sandbox);
  await say(retain, "s", "The otter ferry leaves on Mondays. The heron is called Rex.");
  await retain.facts.ingest("I see.\n[MEMORY] The otter ferry leaves on Mondays.", { session: "s" });
  const [fact] = await retain.facts.list({ which: "all" });
  await retain.facts.edit(fact?.id ?? "", "The otter ferry leaves on Tuesdays.");
  const demoted = async (query: string, until?: string) =>
    (await retain.search(query, until === undefined ? {} : { until })).hits.map(({ kind, parts }) => [
      kind,
      parts.some(({ name }) => name === "outdated"),
    ]);
  expect(await demoted("when does the otter ferry leave?")).toEqual([
    ["fact", false],
    ["message", true],
  ]);
  expect(await demoted("what is the heron called?")).toEqual([["message", false]]);
  expect(await demoted("when does the otter ferry leave?", "2026-01-31")).toEqual([["message", false]]);
  const explained = sandbox.ok(["search", "--explain", "when does the otter ferry leave?"], {
    env: WORDS_ALONE,
  });
  expect(explained.stdout).toMatch(/demoted: .*\d{4}-\d\d-\d\d/);
});

test("CTX-10: a greeting recalls nothing for a chat, and a question a handful at most", async () => {
  using retain = opened(new Sandbox());
  for (let day = 1; day <= 20; day++)
    await say(retain, `s${day}`, `Hello there, otter number ${day} ate ${day} fish today.`);
  for (let day = 1; day <= 40; day++) await say(retain, `p${day}`, `Poplar ${day} was cut to ${day} metres.`);
  const relevant = async (query: string) =>
    (await retain.context({ query })).parts.find(({ name }) => name === "relevant");
  expect(await relevant("hello there")).toMatchObject({ included: false });
  const asked = await relevant("how many fish did each otter have today?");
  expect(asked?.memories?.length).toBe(8);
});

test("RECALL-6: of two facts in doubt the newer ranks first, and the older is marked as possibly outdated", async () => {
  using retain = opened(new Sandbox());
  await retain.facts.remember("The otter licence of the zoo is valid in May 2026");
  const { saved } = await retain.facts.remember("The otter licence of the zoo is now valid from June 2027");
  const { hits, text } = await retain.recall("is the otter licence of the zoo valid in May");
  expect(hits.map((hit) => [hit.text, hit.mayBeOutdatedBy])).toEqual([
    ["The otter licence of the zoo is now valid from June 2027", undefined],
    ["The otter licence of the zoo is valid in May 2026", saved[0]?.id],
  ]);
  expect(text.indexOf("June 2027")).toBeLessThan(text.indexOf("May 2026"));
});

test("RECALL-6: a fact in doubt is marked also where the newer one is not shown, and a search for its own word finds it first", async () => {
  using retain = opened(new Sandbox());
  await retain.facts.remember("The egg supplier of the bakery is Hof Brunner");
  const { saved } = await retain.facts.remember("The egg supplier of the bakery is Hof Maier");
  const [newer] = saved;
  const { hits } = await retain.search("Brunner", { limit: 1 });
  expect(hits).toMatchObject([{ text: expect.stringContaining("Brunner"), mayBeOutdatedBy: newer?.id }]);
  expect((await retain.recall("Brunner", { limit: 1 })).text).toContain(
    `may be outdated by fact ${newer?.id}`,
  );
});
