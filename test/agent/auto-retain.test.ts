/** Finished turns of a chat are kept by themselves: when, how far, once, and never in the way. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RetainOptions } from "../../src/app.ts";
import type { Episode, MemoryBackend } from "../../src/core/backend.ts";
import { RetainError } from "../../src/index.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, type Conversing, endOf, only } from "../helpers/chat.ts";
import { conversation, talk } from "../helpers/conversations.ts";

const notices = (events: Parameters<typeof only>[0]) =>
  only(events, "notice")
    .map(({ text }) => text)
    .filter((text) => !/^(?:To go on|No model)/.test(text));
const inferredFile = (room: ChatRoom) => join(room.sandbox.memory, "memories/INFERRED.md");
const inferred = (room: ChatRoom) =>
  existsSync(inferredFile(room)) ? (readFileSync(inferredFile(room), "utf8").match(/^- .*$/gm) ?? []) : [];
const NONE = { model: "none" } as const;

async function sayAll(chat: Conversing, ...lines: string[]): Promise<string[]> {
  const told: string[] = [];
  for (const line of lines) told.push(...notices(await chat.say(line)));
  return told;
}

test("AUTO-7: after every fourth turn facts are inferred, after the answer, and one notice tells how to keep them", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open(NONE);
  expect(await sayAll(chat, "My name is Ada.", "What is tea?", "We use Postgres 16.")).toEqual([]);
  expect(inferred(room)).toEqual([]);
  const events = await chat.say("What is milk?");
  const [told, ...more] = notices(events);
  expect(more).toEqual([]);
  expect(told).toMatch(
    /^Inferred: The user's name is Ada\. The project uses Postgres 16\. Keep them: \/confirm \w{4,} \w{4,}$/,
  );
  const order = events.map(({ type }) => type);
  expect(order.indexOf("message")).toBeLessThan(order.indexOf("notice"));
  expect(order.at(-1)).toBe("done");
  expect(inferred(room)).toEqual(["- The user's name is Ada.", "- The project uses Postgres 16."]);
  expect(existsSync(join(room.sandbox.memory, "memories/MEMORY.md"))).toBe(false);
  const ids = told?.split("/confirm ")[1] ?? "";
  expect(notices(await chat.say(`/confirm ${ids}`))[0]).toContain("Confirmed: The user's name is Ada.");
  expect(readFileSync(join(room.sandbox.memory, "memories/MEMORY.md"), "utf8")).toContain("name is Ada");
  expect(await sayAll(chat, "a b c", "d e f", "g h i", "j k l")).toEqual([]);
});

test("AUTO-15: a notice shows three facts at most, and how to see the rest where the person is", async () => {
  const room = new ChatRoom(null, { settings: { embedding: "none", local_retain_every_n_turns: 1 } });
  const chat = await room.open(NONE);
  const [told] = await sayAll(chat, "My name is Ada. I live in Oslo. I hate Jira. I'm vegan. We use Go.");
  expect(told).toBe(
    "Inferred: The user's name is Ada. The user lives in Oslo. The user hates Jira. And 2 more: /confirm",
  );
  const other = new ChatRoom(null);
  const leaving = await other.open(NONE);
  await leaving.say("I work at Acme. I like tea.");
  expect(notices(await leaving.close()).join("\n")).toMatch(/Keep them: retain confirm \w{4,} \w{4,}$/m);
  const again = await other.open(NONE);
  await again.say("My name is Ada. I live in Oslo. I hate Jira. I'm vegan.");
  expect(notices(await again.close()).join("\n")).toMatch(/And 1 more: retain facts --inferred$/m);
});

test("AUTO-7: what the assistant says gives no facts, and no model is asked for them", async () => {
  await using server = await new AnthropicServer(() => ({
    text: "My name is Claude. I live in Rome.",
  })).start();
  const room = new ChatRoom(server, { settings: { embedding: "none", local_retain_every_n_turns: 1 } });
  const chat = await room.open();
  expect(await sayAll(chat, "What is your name?")).toEqual([]);
  const asked = server.requests.length;
  expect(await sayAll(chat, "I live in Oslo.")).toEqual([
    expect.stringMatching(/^Inferred: The user lives in Oslo\. Keep it: /),
  ]);
  expect(server.requests.length).toBe(asked + 1);
  expect(inferred(room)).toEqual(["- The user lives in Oslo."]);
});

test("AUTO-8: when the conversation ends or is left, the turns that were left over are looked through", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open(NONE);
  await chat.say("My name is Ada.");
  await chat.say("/new");
  await chat.say("I live in Oslo.");
  const told = notices(await chat.close());
  expect(chat.events.flatMap((event) => notices([event])).join("\n")).toContain("name is Ada");
  expect(told.join("\n")).toContain("The user lives in Oslo.");
  expect(inferred(room).toSorted()).toEqual(["- The user lives in Oslo.", "- The user's name is Ada."]);
});

test("AUTO-9: before older messages are summarised, what they say is kept; what is newer waits", async () => {
  const isCompaction = (body: { messages: unknown }) =>
    JSON.stringify(body.messages).includes("Make a conversation shorter");
  const known: string[][] = [];
  const room: { at: ChatRoom | null } = { at: null };
  const answers = ({ body }: { body: { messages: unknown } }) => {
    if (isCompaction(body) && room.at !== null) known.push(inferred(room.at));
    return { text: isCompaction(body) ? "They spoke." : "I see." };
  };
  await using server = await new AnthropicServer(answers).start();
  room.at = new ChatRoom(server, { settings: { embedding: "none", local_retain_every_n_turns: 100 } });
  const chat = await room.at.open();
  await sayAll(
    chat,
    "My name is Ada.",
    "We use Postgres 16.",
    "Tea with milk?",
    "Sugar in it?",
    "I live in Oslo.",
  );
  expect(inferred(room.at)).toEqual([]);
  const events = await chat.say("/compact");
  // The model was not asked for a summary before the facts were in their file.
  expect(known).toEqual([["- The user's name is Ada.", "- The project uses Postgres 16."]]);
  const order = events.map(({ type }) => type);
  expect(order.indexOf("notice")).toBeLessThan(order.indexOf("compacted"));
  await chat.close();
  expect(inferred(room.at)).toContain("- The user lives in Oslo.");
});

test("AUTO-10: how far it came is remembered in the session: a resumed one goes on from there", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open(NONE);
  await sayAll(chat, "My name is Ada.", "a b c", "d e f", "g h i");
  const [ada] = await room.retain.memories.facts();
  await chat.close();
  await room.retain.memories.forget(ada?.id ?? "");
  const again = await room.open({ ...NONE, resume: "last" });
  const past = only(again.events, "session")[0]?.past ?? [];
  expect(past.map(({ role }) => role)).toEqual(
    Array.from({ length: 8 }, (_, index) => (index % 2 ? "assistant" : "user")),
  );
  expect(await sayAll(again, "I live in Oslo.", "j k l", "m n o")).toEqual([]);
  const told = await sayAll(again, "p q r");
  expect(told.join()).toContain("Oslo");
  expect(told.join()).not.toContain("Ada");
  expect(inferred(room)).toEqual(["- The user lives in Oslo."]);
  const shown = await room.retain.sessions.export("last", "markdown");
  expect(shown).not.toContain("Summary");
});

test("AUTO-10: what a killed process left is done by the next start, and a session from elsewhere is let be", async () => {
  const room = new ChatRoom(null);
  const gone = await conversation(room.sandbox, talk("My name is Ada.", "Hello Ada."), {
    openedBy: "elsewhere:1:0",
  });
  await conversation(room.sandbox, talk("I live in Rome.", "Fine."));
  const before = (await room.retain.sessions.show(gone)).updated_at;
  // A holder on another machine is not known to be gone; one that has ended here is.
  const dead = Bun.spawnSync(["true"]).pid;
  const { hostname } = await import("node:os");
  await conversation(room.sandbox, talk("We use Redis.", "Fine."), { openedBy: `${hostname()}:${dead}` });
  const chat = await room.open(NONE);
  await chat.close();
  expect(inferred(room)).toEqual(["- The project uses Redis."]);
  expect(notices(chat.events).join("\n")).toContain("Inferred: The project uses Redis.");
  expect((await room.retain.sessions.show(gone)).updated_at).toBe(before);
  const next = await room.open(NONE);
  await next.close();
  expect(notices(next.events)).toEqual([]);
});

test("AUTO-11: incognito, switched off, or without memory, nothing is looked through", async () => {
  const talkAll = async (options: RetainOptions, incognito: boolean) => {
    const room = new ChatRoom(null, options);
    const chat = await room.open({ ...NONE, incognito });
    await sayAll(chat, "My name is Ada.", "a b c", "d e f", "g h i");
    await chat.close();
    return inferred(room);
  };
  expect(await talkAll({}, true)).toEqual([]);
  expect(await talkAll({ settings: { embedding: "none", local_auto_retain: false } }, false)).toEqual([]);
  expect(await talkAll({ settings: { embedding: "none", memory_backend: "off" } }, false)).toEqual([]);
  expect(await talkAll({}, false)).toEqual(["- The user's name is Ada."]);
});

test("AUTO-12: what goes wrong is one notice, the turn is answered, and it is tried again", async () => {
  const room = new ChatRoom(null, { settings: { embedding: "none", local_retain_every_n_turns: 1 } });
  const chat = await room.open(NONE);
  await room.retain.memories.remember("Likes tea");
  // What is added would be code.
  writeFileSync(inferredFile(room), "```\n");
  const events = await chat.say("My name is Ada.");
  rmSync(inferredFile(room));
  expect(endOf(events)).toBe("finished");
  expect(notices(events).length).toBe(1);
  expect(notices(events)[0]).toStartWith("The last turns were not looked through: ");
  expect((await sayAll(chat, "a b c")).join()).toContain("Inferred: The user's name is Ada.");
});

/** Keeps episodes; the rest is never asked for. */
function holder(keep: (episode: Episode) => Promise<"stored">): MemoryBackend {
  const never = async () => {
    throw new RetainError("remote", "Nobody is there.");
  };
  return {
    name: "own",
    retain: never,
    recall: async () => [],
    forget: async () => false,
    documents: { put: never, get: never, list: async () => [], remove: never },
    sessions: { keep, get: never, list: async () => [], remove: never },
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

test("AUTO-13: where memory is held elsewhere, episodes go there every third turn: the whole conversation each time", async () => {
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
  expect(inferred(room)).toEqual([]);
});

test("AUTO-13: or in window mode the new turns with some before them, under their own numbers", async () => {
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

test("AUTO-13: a backend that fails costs a notice, and gets the turns with the next ones", async () => {
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
  expect(told).toEqual([expect.stringMatching(/^The last turns were not looked through: .*no such thing/)]);
  fails = false;
  await sayAll(chat, LINES[3] ?? "");
  expect(episodes.map(({ from, turns }) => [from, turns.length])).toEqual([[0, 4]]);
});
