/** Automatic saving of finished turns: when it runs, how far, and only once. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RetainOptions } from "../../src/app/retain-options.ts";
import type { Episode, MemoryBackend } from "../../src/core/ports/backend.ts";
import { RetainError } from "../../src/index.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, type Conversing, endOf, only } from "../helpers/chat.ts";
import { conversation, talk } from "../helpers/conversations.ts";

const notices = (events: Parameters<typeof only>[0]) =>
  only(events, "notice")
    .map(({ text }) => text)
    .filter((text) => !/^(?:To go on|No model)/.test(text));
const memoryFile = (room: ChatRoom) => join(room.sandbox.memory, "memories/MEMORY.md");
const facts = (room: ChatRoom) =>
  existsSync(memoryFile(room)) ? (readFileSync(memoryFile(room), "utf8").match(/^- .*$/gm) ?? []) : [];
const saved = (events: Parameters<typeof only>[0]) => only(events, "memory").flatMap((one) => one.saved);
const NONE = { model: "none" } as const;

async function sayAll(chat: Conversing, ...lines: string[]): Promise<string[]> {
  const told: string[] = [];
  for (const line of lines) told.push(...notices(await chat.say(line)));
  return told;
}

test("REQUEST-1: a request to remember is saved after its turn, unless the model's reply marked it", async () => {
  await using server = await new AnthropicServer(({ bodyText }) => ({
    text: bodyText.includes("green tea")
      ? "Noted.\n[MEMORY] User prefers green tea."
      : bodyText.includes("heron")
        ? "Noted.\n[MEMORY] The heron is called Rex."
        : "Remember that I am Claude.",
  })).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  expect(saved(await chat.say("My name is Ada. What is tea?"))).toEqual([]);
  const events = await chat.say("Remember that I live in Oslo.");
  expect(saved(events)).toEqual(["I live in Oslo."]);
  const order = events.map(({ type }) => type);
  expect(order.indexOf("message")).toBeLessThan(order.indexOf("memory"));
  expect(order.at(-1)).toBe("done");
  const asked = server.requests.length;
  expect(saved(await chat.say("Remember that the heron is called Rex."))).toEqual([
    "The heron is called Rex.",
  ]);
  expect(server.requests.length).toBe(asked + 1);
  expect(saved(await chat.say("Remember that I prefer green tea."))).toEqual(["User prefers green tea."]);
  expect(facts(room)).toEqual([
    "- I live in Oslo.",
    "- The heron is called Rex.",
    "- User prefers green tea.",
  ]);
});

test("REQUEST-1: an undone fact stays undone, with and without a model", async () => {
  await using server = await new AnthropicServer(() => ({ text: "I see." })).start();
  for (const model of [undefined, "none"]) {
    const room = new ChatRoom(server);
    const chat = await room.open(model === undefined ? {} : { model });
    expect(saved(await chat.say("Remember that I live in Oslo."))).toEqual(["I live in Oslo."]);
    await room.retain.facts.undo();
    await sayAll(chat, "a b c", "d e f", "g h i", "j k l");
    await chat.close();
    expect(facts(room)).toEqual([]);
  }
});

test("AUTO-9: requests in older messages are saved before they are summarised; newer ones at the end", async () => {
  const isCompaction = (body: { messages: unknown }) =>
    JSON.stringify(body.messages).includes("Compact a conversation");
  const known: string[][] = [];
  const room: { at: ChatRoom | null } = { at: null };
  await using server = await new AnthropicServer(({ body }) => {
    if (isCompaction(body) && room.at !== null) known.push(facts(room.at));
    return { text: isCompaction(body) ? "They spoke." : "I see." };
  }).start();
  room.at = new ChatRoom(server);
  const said = [
    "Remember that my name is Ada.",
    "Tea with milk?",
    "Sugar in it?",
    "Or honey?",
    "Remember that I live in Oslo.",
  ];
  await conversation(room.at.sandbox, talk(...said.flatMap((line) => [line, "I see."])));
  const chat = await room.at.open({ resume: "last" });
  expect(facts(room.at)).toEqual([]);
  const events = await chat.say("/compact");
  // The fact was in its file before the model was asked for a summary.
  expect(known).toEqual([["- my name is Ada."]]);
  const order = events.map(({ type }) => type);
  expect(order.indexOf("memory")).toBeLessThan(order.indexOf("compacted"));
  await chat.close();
  expect(facts(room.at)).toEqual(["- my name is Ada.", "- I live in Oslo."]);
});

test("AUTO-9: a resumed session is processed from where it was left", async () => {
  await using server = await new AnthropicServer(() => ({ text: "I see." })).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  expect(saved(await chat.say("Remember that my name is Ada."))).toEqual(["my name is Ada."]);
  await room.retain.facts.undo();
  await chat.close();
  const again = await room.open({ resume: "last" });
  expect(only(again.events, "session")[0]?.past.map(({ role }) => role)).toEqual(["user", "assistant"]);
  expect(saved(await again.say("Remember that I live in Oslo."))).toEqual(["I live in Oslo."]);
  await again.close();
  expect(facts(room)).toEqual(["- I live in Oslo."]);
});

test("AUTO-9: an interrupted turn's request is saved when the conversation ends", async () => {
  await using server = await new AnthropicServer(() => ({ text: "I see." })).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const stop = new AbortController();
  chat.onEvent = ({ type }) => type === "user" && stop.abort();
  await chat.say("Remember that I live in Oslo.", stop.signal);
  chat.onEvent = () => {};
  expect(facts(room)).toEqual([]);
  const events = await chat.close();
  expect(saved(events)).toEqual(["I live in Oslo."]);
  expect(facts(room)).toEqual(["- I live in Oslo."]);
});

test("AUTO-9: the next start processes a killed session once, and skips imported sessions", async () => {
  const room = new ChatRoom(null);
  const gone = await conversation(room.sandbox, talk("Remember that my name is Ada.", "Hello Ada."), {
    openedBy: "elsewhere:1:0",
  });
  await conversation(room.sandbox, talk("Remember that I live in Rome.", "Fine."));
  const before = (await room.retain.sessions.show(gone)).updated_at;
  // A holder on another machine may still run; one that ended on this machine is known to be gone.
  const dead = Bun.spawnSync(["true"]).pid;
  const { hostname } = await import("node:os");
  await conversation(room.sandbox, talk("Remember that we use Redis.", "Fine."), {
    openedBy: `${hostname()}:${dead}`,
  });
  const chat = await room.open(NONE);
  await chat.close();
  expect(facts(room)).toEqual(["- we use Redis."]);
  expect(saved(chat.events)).toEqual(["we use Redis."]);
  expect((await room.retain.sessions.show(gone)).updated_at).toBe(before);
  const next = await room.open(NONE);
  await next.close();
  expect(saved(next.events)).toEqual([]);
});

test("AUTO-11: nothing is processed in incognito, with auto-retain off, or with memory off", async () => {
  await using server = await new AnthropicServer(() => ({ text: "I see." })).start();
  const talkAll = async (options: RetainOptions, incognito: boolean) => {
    const room = new ChatRoom(server, options);
    const chat = await room.open({ incognito });
    await sayAll(chat, "Remember that my name is Ada.", "a b c", "d e f", "g h i");
    await chat.close();
    return facts(room);
  };
  expect(await talkAll({}, true)).toEqual([]);
  expect(await talkAll({ settings: { embedding: "none", local_auto_retain: false } }, false)).toEqual([]);
  expect(await talkAll({ settings: { embedding: "none", memory_backend: "off" } }, false)).toEqual([]);
  expect(await talkAll({}, false)).toEqual(["- my name is Ada."]);
});

test("AUTO-9: an error causes one notice, the turn is answered, and the next turn retries", async () => {
  await using server = await new AnthropicServer(() => ({ text: "I see." })).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  // An added bullet would become code.
  await room.retain.facts.log("Tea: at five");
  writeFileSync(memoryFile(room), "```\n");
  const events = await chat.say("Remember that my name is Ada.");
  rmSync(memoryFile(room));
  expect(endOf(events)).toBe("finished");
  expect(notices(events).length).toBe(1);
  expect(notices(events)[0]).toContain("the last turns");
  expect(saved(await chat.say("a b c"))).toEqual(["my name is Ada."]);
});

/** Stores episodes; its other methods are never called. */
function holder(keep: (episode: Episode) => Promise<"stored">): MemoryBackend {
  const never = async () => {
    throw new RetainError("remote", "Nobody is there.");
  };
  return {
    name: "own",
    retain: never,
    recall: async () => [],
    forget: async () => false,
    documents: { put: never, remove: never },
    sessions: { keep, remove: never },
    flush: async () => {},
    status: never,
    empty: never,
    close: () => {},
  };
}

function kept(mode: "full-session" | "window") {
  const episodes: Episode[] = [];
  const backend = holder(async (episode) => {
    episodes.push(episode);
    return "stored";
  });
  const settings = {
    embedding: "none",
    hindsight_retain_mode: mode,
    hindsight_retain_overlap_turns: 1,
  } as const;
  return { episodes, room: new ChatRoom(null, { backend, settings }) };
}

const LINES = Array.from({ length: 7 }, (_, index) => `This is line number ${index} of it`);

test("AUTO-13: with memory on a server, every third turn sends the whole conversation as an episode", async () => {
  const { episodes, room } = kept("full-session");
  const chat = await room.open(NONE);
  await sayAll(chat, ...LINES);
  expect(episodes.map(({ from, turns }) => [from, turns.length])).toEqual([
    [0, 3],
    [0, 6],
  ]);
  await chat.close();
  expect(episodes.length).toBe(3);
  expect(episodes[2]?.turns.map(({ content }) => content)).toEqual(LINES);
  expect(episodes[2]).toMatchObject({ chat: "main", title: expect.stringContaining("line number 0") });
  expect(facts(room)).toEqual([]);
});

test("AUTO-13: window mode sends the new turns with some earlier ones, under their own numbers", async () => {
  const { episodes, room } = kept("window");
  const chat = await room.open(NONE);
  await sayAll(chat, "Thanks!", ...LINES);
  await chat.close();
  expect(
    episodes.map(({ from, turns }) => [from, turns.map(({ content }) => LINES.indexOf(content))]),
  ).toEqual([
    [0, [0, 1]],
    [1, [1, 2, 3, 4]],
    [4, [4, 5, 6]],
  ]);
});

test("AUTO-13: a failing backend causes a notice, and gets the turns with the next ones", async () => {
  const episodes: Episode[] = [];
  let fails = true;
  const backend = holder(async (episode) => {
    if (fails) throw new TypeError("no such thing");
    episodes.push(episode);
    return "stored";
  });
  const room = new ChatRoom(null, {
    backend,
    settings: { embedding: "none", hindsight_retain_mode: "window" },
  });
  const chat = await room.open(NONE);
  const told = await sayAll(chat, ...LINES.slice(0, 3));
  expect(told).toEqual([expect.stringContaining("no such thing")]);
  fails = false;
  await sayAll(chat, LINES[3] ?? "");
  expect(episodes.map(({ from, turns }) => [from, turns.length])).toEqual([[0, 4]]);
});
