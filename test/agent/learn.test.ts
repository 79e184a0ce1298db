/** Learning from a chat, in a worker process that outlives it. */
import { expect, test } from "bun:test";
import { openRetain, type Retain } from "../../src/index.ts";
import { Conversing, only } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { type Answering, LearningPlace, sentences } from "../helpers/learning-place.ts";
import { assistant, ClaudeCode, user } from "./hooks-transcript.ts";

const CHAT = "model: standin/chat\n";

function opened({ sandbox }: LearningPlace): Retain {
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
  afterThisTest(() => retain.close());
  return retain;
}

async function chatIn(place: LearningPlace, options = {}): Promise<Conversing> {
  const conversing = new Conversing(await opened(place).chat({ interactive: true, ...options }));
  await conversing.start();
  return conversing;
}

const notices = (events: Conversing["events"]) => only(events, "notice").map(({ text }) => text);

/** Resolves once the worker has asked about a batch. */
function awaited(answer: Answering): { answer: Answering; asked: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    asked: promise,
    answer: (shown, number) => {
      resolve();
      return answer(shown, number);
    },
  };
}

test("LEARN-1: when a chat ends, a worker reads it; the next chat shows what was found, once", async () => {
  const { answer, asked } = awaited(sentences);
  const place = await LearningPlace.open(answer, CHAT);
  const first = await chatIn(place);
  await first.say("I keep bees");
  await first.close();
  await asked;
  // It waits for the worker, and has nothing left to do.
  expect((await place.json("learn")).batches).toEqual([]);
  expect(await place.facts("--unconfirmed")).toEqual(["The user says: I keep bees."]);
  const next = await chatIn(place);
  const shown = notices(next.events).filter((text) => text.includes("bees"));
  const [{ id }] = (await place.json("facts", "--unconfirmed")).facts;
  expect(shown).toHaveLength(1);
  expect(shown[0]).toContain(id.slice(0, 6));
  expect(only(next.events, "offers")[0]?.offers).toMatchObject([{ name: "confirm", line: `/confirm ${id}` }]);
  await next.close();
  expect(notices((await chatIn(place)).events).join()).not.toContain("bees");
  expect(place.server.prompts).toHaveLength(1);
});

test("LEARN-1: a worker reads turns during the chat, and the chat shows what it found", async () => {
  const { answer, asked } = awaited(sentences);
  const place = await LearningPlace.open(answer, `${CHAT}local_retain_every_n_turns: 2\n`);
  const chat = await chatIn(place);
  await chat.say("I keep bees");
  expect(place.server.prompts).toEqual([]);
  await chat.say("I keep goats");
  await asked;
  await place.run(["learn"]);
  expect(notices(await chat.say("/learn")).join(" ")).toContain("goats");
  expect(place.server.prompts).toHaveLength(1);
  expect(place.ledger).toMatchObject([{ turns: 2 }]);
});

test("LEARN-1: the chat also reports a known fact that learning ended", async () => {
  const place = await LearningPlace.open(
    ({ known }) => ({
      ended: known.map(({ id }) => ({ id, quote: "I sold the goats", because: "sold" })),
    }),
    CHAT,
  );
  await place.run(["remember", "The user keeps goats"]);
  await place.say("s1", "I sold the goats");
  await place.run(["learn"]);
  const chat = await chatIn(place);
  expect(notices(chat.events).join(" ")).toContain("ended 1 known fact");
});

test("LEARN-1: one worker reads the turns of several processes, and no turn twice", async () => {
  const place = await LearningPlace.open(sentences, CHAT);
  const said = Array.from({ length: 6 }, (_, n) => `I own boat number ${n}`);
  await Promise.all(said.map((text) => place.run([text])));
  await place.run(["learn"]);
  expect((await place.facts()).toSorted()).toEqual(said.map((text) => `The user says: ${text}.`));
  expect(place.server.prompts).toHaveLength(6);
});

test("LEARN-1: a hook of Claude Code starts the worker at the end of a session", async () => {
  const { answer, asked } = awaited(sentences);
  const place = await LearningPlace.open(answer);
  const claude = new ClaudeCode(place.sandbox);
  claude.write(user("I keep bees"), assistant("Noted."));
  claude.hook("session-end", { reason: "other" });
  await asked;
  await place.run(["learn"]);
  expect(await place.facts()).toEqual(["The user says: I keep bees."]);
  expect(place.server.prompts).toHaveLength(1);
});

test("LEARN-6: an incognito conversation is never read", async () => {
  const place = await LearningPlace.open(sentences, CHAT);
  const chat = await chatIn(place, { incognito: true });
  await chat.say("I keep bees");
  await chat.close();
  expect((await place.json("learn")).batches).toEqual([]);
  expect(place.server.prompts).toEqual([]);
});

const UNDECIDED = (place: LearningPlace) =>
  place.configure(
    `${place.server.config.replace("learning_model: standin/reader\n", "")}${CHAT}local_retain_every_n_turns: 2\n`,
  );

test("LEARN-6: a chat with a model asks once whether it may read conversations; yes is remembered", async () => {
  const place = await LearningPlace.open(sentences, CHAT);
  UNDECIDED(place);
  const chat = await chatIn(place);
  expect(only(await chat.say("I keep bees"), "picker")).toEqual([]);
  const [offer] = only(await chat.say("I keep goats"), "picker");
  expect(offer?.picker.title).toContain("standin/chat");
  const [yes] = offer?.picker.items ?? [];
  await chat.say(`${offer?.picker.command} ${yes?.value}`);
  expect(only(await chat.say("I keep hens"), "picker")).toEqual([]);
  await chat.close();
  expect((await place.json("config", "get", "learning_model")).value).toBe("standin/chat");
  // The conversation in which the user allowed it is read, too.
  await place.run(["learn"]);
  expect(await place.facts()).toHaveLength(3);
});

test("LEARN-6: no, or no answer, is remembered too, and one-shots never ask", async () => {
  for (const answer of ["off", null]) {
    const place = await LearningPlace.open(sentences, CHAT);
    UNDECIDED(place);
    const once = await chatIn(place, { interactive: false });
    await once.say("I keep bees");
    expect(only(await once.say("I keep goats"), "picker")).toEqual([]);
    await once.close();
    const chat = await chatIn(place);
    await chat.say("I keep bees");
    expect(only(await chat.say("I keep goats"), "picker")).toHaveLength(1);
    if (answer !== null) await chat.say(`/learn ${answer}`);
    await chat.close();
    const next = await chatIn(place);
    await next.say("I keep ducks");
    expect(only(await next.say("I keep hens"), "picker")).toEqual([]);
    await next.close();
    expect(place.server.prompts).toEqual([]);
  }
});

test("LEARN-10: /review asks about each unconfirmed fact in turn: yes, no, skip", async () => {
  const place = await LearningPlace.open(sentences, CHAT);
  await place.say("s1", "I keep bees. I keep goats. I keep hens");
  await place.run(["learn"]);
  const chat = await chatIn(place);
  const picked = async (line: string, key: string) => {
    const [picker] = only(await chat.say(line), "picker").map((event) => event.picker);
    const item = picker?.items.find((one) => one.key === key);
    return picker === undefined ? null : { title: picker.title, line: `${picker.command} ${item?.value}` };
  };
  const bees = await picked("/review", "y");
  expect(bees?.title).toContain("bees");
  const goats = await picked(bees?.line ?? "", "s");
  expect(goats?.title).toContain("goats");
  const hens = await picked(goats?.line ?? "", "n");
  expect(hens?.title).toContain("hens");
  expect(await picked(hens?.line ?? "", "y")).toBeNull();
  expect(place.bullets("MEMORY.md")).toEqual(["The user says: I keep bees."]);
  expect(place.bullets("INFERRED.md")).toEqual(["The user says: I keep goats."]);
});
