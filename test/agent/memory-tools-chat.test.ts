/** The memory tools in a conversation: what a model may do without asking, and what needs approval. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import type { Decision } from "../../src/agent/tool.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, type Conversing, endOf, only } from "../helpers/chat.ts";
import { OpenAiServer } from "../helpers/openai-server.ts";

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

/** The tool results in the last request. */
function resultsIn(server: AnthropicServer): string[] {
  const messages: { content: Block[] | string }[] = server.last.body.messages;
  return messages
    .flatMap(({ content }) => (typeof content === "string" ? [] : content))
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => (typeof content === "string" ? content : (JSON.stringify(content) ?? "")));
}

function namesIn({ last }: AnthropicServer): string[] {
  return last.body.tools.map(({ name }: { name: string }) => name);
}

function answering(chat: Conversing, decision: Decision): void {
  chat.onEvent = (event) => {
    if (event.type === "approval") queueMicrotask(() => chat.chat.answer(event.id, decision));
  };
}

const WRITING = ["retain", "memory_put", "memory_update", "memory_delete", "memory_forget", "memory_undo"];

test("MEMTOOL-14: the chat offers the tools, and saves, recalls, changes and reads without asking", async () => {
  await using server = await new AnthropicServer([
    { calls: [{ name: "retain", input: { items: [{ content: "Deploys run on Fridays" }] } }] },
    { calls: [{ name: "recall", input: { query: "deploys" } }] },
    { calls: [{ name: "memory_put", input: { content: "# Plan\n\nShip it.", id: "plan" } }] },
    { calls: [{ name: "memory_update", input: { id: "plan", tags: ["x"] } }] },
    { calls: [{ name: "memory_forget", input: { id: "Deploys" } }] },
    { calls: [{ name: "recall", input: { query: 7 } }] },
    { text: "Done." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const events = await chat.say("Remember how we deploy");
  expect(endOf(events)).toBe("finished");
  expect(namesIn(server)).toEqual(expect.arrayContaining(["read_file", "recall", "reflect", ...WRITING]));
  expect(namesIn(server)).not.toContain("context");
  expect(only(events, "approval")).toEqual([]);
  expect(only(events, "tool").map(({ summary }) => summary)).toEqual([
    "save facts: Deploys run on Fridays",
    "recall memories: deploys",
    "store a document: plan",
    "change a memory: plan",
    "forget permanently: Deploys",
    "recall",
  ]);
  expect(only(events, "result").map(({ ok, brief }) => [ok, brief])).toEqual([
    [true, "1 memory stored"],
    [true, "1 memory"],
    [true, "created memory/plan"],
    [true, "updated memory/plan"],
    [false, "nothing removed yet"],
    [false, "failed"],
  ]);
  const [kept, recalled, , , , wrong] = resultsIn(server);
  expect(kept).toContain("1 memory stored.");
  expect(recalled).toContain("inferred: Deploys run on Fridays");
  expect(wrong).toContain("input for recall: 'query'");
  const lines = only(await chat.say("/tools"), "output")[0]?.text;
  expect(lines).toMatch(/- \*\*retain\*\*: .*facts/);
});

test("MEMTOOL-1: the chat's model gets the same text as the library returns, errors included", async () => {
  const calls = [
    { name: "recall", input: { query: "deploys" } },
    { name: "memory_get", input: { id: "plan" } },
    { name: "memory_get", input: { id: "nowhere" } },
    { name: "memory_list", input: {} },
    { name: "memory_list", input: { limit: "many" } },
    { name: "memory_list", input: { what: "versions", id: "plan" } },
    { name: "memory_list", input: { what: "facts" } },
  ];
  await using server = await new AnthropicServer([{ calls }, { text: "Done." }]).start();
  const room = new ChatRoom(server);
  const { retain } = room;
  await retain.facts.remember("Deploys run on Fridays");
  await retain.documents.put({ content: "# Plan\n\nShip it.", id: "plan" });
  await (await room.open()).say("Look around");
  const tools = await retain.memoryTools();
  const texts = calls.map(async ({ name, input }) => {
    const tool = tools.find((one) => one.name === name);
    return (await tool?.run(input, new AbortController().signal))?.text ?? "";
  });
  expect(resultsIn(server)).toEqual(await Promise.all(texts));
});

test("MEMTOOL-14: deleting needs approval, and forgetting needs it in every mode, with a preview", async () => {
  const script = (id: string) => [
    { calls: [{ name: "memory_delete", input: { id: "plan" } }] },
    {
      calls: [
        { name: "memory_forget", input: { id, confirm: confirmationOf(id, "The door code is 4711 blue") } },
      ],
    },
    { text: "Done." },
  ];
  const facts = new ChatRoom(null);
  const { saved } = await facts.retain.facts.remember("The door code is 4711 blue");
  const id = saved[0]?.id ?? "";
  for (const [mode, decision, asked, left] of [
    ["ask", "deny", ["memory_delete", "memory_forget"], [1, 1]],
    ["read", "once", [], [1, 1]],
    ["all", "deny", ["memory_forget"], [0, 1]],
    ["ask", "once", ["memory_delete", "memory_forget"], [0, 0]],
  ] as const) {
    await using server = await new AnthropicServer(script(id)).start();
    const room = new ChatRoom(server);
    await room.retain.facts.remember("The door code is 4711 blue");
    await room.retain.documents.put({ content: "# Plan\n", id: "plan" });
    const chat = await room.open({ tools: mode });
    answering(chat, { answer: decision });
    const approvals = only(await chat.say("Clean up"), "approval");
    expect(approvals.map(({ name }) => name)).toEqual([...asked]);
    expect(approvals.every(({ pattern }) => pattern === null)).toBe(true);
    const forget = approvals.find(({ name }) => name === "memory_forget");
    if (forget !== undefined) {
      expect(forget.preview?.text).toContain("The door code is 4711 blue");
      expect(forget.caution).toContain("cannot be restored");
    }
    const { total } = await room.retain.documents.list();
    expect([total, (await room.retain.facts.list()).length]).toEqual([...left]);
  }
});

test("MEMTOOL-14: undoing needs approval, with a preview; looking at what would be undone does not", async () => {
  for (const [mode, asked, left] of [
    ["ask", ["memory_undo"], []],
    ["all", [], []],
    ["read", [], ["Ada likes tea"]],
  ] as const) {
    await using server = await new AnthropicServer([
      { calls: [{ name: "memory_undo", input: {} }] },
      (request) => {
        const [, confirm] = /confirm[\\": ]+([a-z]+-\d+)/.exec(request.bodyText) ?? [];
        return { calls: [{ name: "memory_undo", input: { confirm } }] };
      },
      { text: "Done." },
    ]).start();
    const room = new ChatRoom(server);
    await room.retain.facts.remember("Ada likes tea");
    const chat = await room.open({ tools: mode });
    answering(chat, { answer: "once" });
    const approvals = only(await chat.say("Undo that"), "approval");
    expect(approvals.map(({ name }) => name)).toEqual([...asked]);
    for (const { preview } of approvals) expect(preview?.text).toContain("Ada likes tea");
    expect((await room.retain.facts.list()).map(({ text }) => text)).toEqual([...left]);
  }
});

test("MEMTOOL-14: the user is not asked to approve an invalid call or a missing memory", async () => {
  await using server = await new AnthropicServer([
    { calls: [{ name: "memory_forget", input: { id: "qqqq000000", confirm: "yes" } }] },
    { calls: [{ name: "memory_delete", input: {} }] },
    { text: "Done." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const events = await chat.say("Clean up");
  expect(only(events, "approval")).toEqual([]);
  expect(only(events, "result").map(({ ok }) => ok)).toEqual([false, false]);
  expect(resultsIn(server)[0]).toStartWith("not_found: ");
});

test("MEMTOOL-14: with --tools none a conversation still has its memory tools, but deletes nothing", async () => {
  await using server = await new AnthropicServer([
    { calls: [{ name: "memory_put", input: { content: "# Plan\n\nShip it.", id: "plan" } }] },
    { calls: [{ name: "recall", input: { query: "plan" } }] },
    { calls: [{ name: "memory_delete", input: { id: "plan" } }] },
    { text: "Done." },
  ]).start();
  const chat = await new ChatRoom(server).open({ tools: "none" });
  const events = await chat.say("Note the plan");
  expect(namesIn(server)).toEqual(expect.arrayContaining(["recall", "reflect", ...WRITING]));
  expect(namesIn(server).filter((name) => /file|command|skill/.test(name))).toEqual([]);
  expect(only(events, "result").map(({ ok }) => ok)).toEqual([true, true, false]);
  expect(only(events, "approval")).toEqual([]);
  const listed = only(await chat.say("/tools"), "output")[0]?.text;
  expect(listed).toContain("- **recall**");
  expect(listed).not.toContain("read_file");
});

test("MEMTOOL-3: a fact saved or changed in a chat records the session and the message that asked for it", async () => {
  await using server = await new AnthropicServer([
    {
      text: "I keep that.",
      calls: [{ name: "retain", input: { items: [{ content: "Deploys run on Fridays" }] } }],
    },
    (request) => {
      const [, id] = /fact ([0-9a-v]{10}), inferred/.exec(request.bodyText) ?? [];
      return id === undefined
        ? { calls: [{ name: "recall", input: { query: "deploys" } }] }
        : { text: "Known." };
    },
    (request) => {
      const [, id] = /fact ([0-9a-v]{10}), inferred/.exec(request.bodyText) ?? [];
      return { calls: [{ name: "memory_update", input: { id, content: "Deploys run on Mondays" } }] };
    },
    { text: "Done." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("We deploy on Fridays");
  const [fact] = await room.retain.facts.list();
  expect(fact?.text).toBe("Deploys run on Mondays");
  const { id: session } = (await room.retain.sessions.list())[0] ?? {};
  const why = await room.retain.facts.why(fact?.id ?? "");
  expect(why.fact.source).toMatchObject({ by: "memory_update", session });
  expect(why.message?.details.calls?.[0]?.name).toBe("memory_update");
  expect(why.before[0]?.source).toMatchObject({ by: "retain", session, trust: "inferred" });
  const before = await room.retain.facts.why(why.before[0]?.id ?? "");
  expect(before.message?.content).toBe("I keep that.");
});

test("MEMTOOL-16: messages of this conversation and of other chats are not recalled; tool results are never searchable", async () => {
  await using server = await new AnthropicServer([
    { calls: [{ name: "recall", input: { query: "zebra stripes" } }] },
    { calls: [{ name: "memory_list", input: { what: "facts" } }] },
    { calls: [{ name: "memory_list", input: { what: "activity" } }] },
    { text: "Black and white." },
  ]).start();
  const room = new ChatRoom(server);
  await room.retain.facts.remember("The zebra of this chat has stripes", { chat: "main" });
  await room.retain.facts.remember("The zebra of another chat has stripes", { chat: "work" });
  const chat = await room.open({ chat: "main" });
  await chat.say("Which stripes has the zebra?");
  for (const result of resultsIn(server)) {
    expect(result).toContain("The zebra of this chat has stripes");
    expect(result).not.toContain("another chat");
    expect(result).not.toContain("Which stripes has");
  }
  const found = await room.retain.search("zebra stripes", { kinds: ["message"] });
  expect(found.hits.map(({ text }) => text)).toEqual(["Which stripes has the zebra?"]);
});

test("MEMTOOL-16: memories in tool results are not summarised into the conversation again", async () => {
  const script = [
    { calls: [{ name: "recall", input: { query: "zebra" } }] },
    { text: "It has stripes." },
    ...["One.", "Two.", "Three."].map((text) => ({ text })),
    { text: "They spoke of an animal." },
  ];
  await using server = await new AnthropicServer(script).start();
  const room = new ChatRoom(server);
  await room.retain.facts.remember("The zebra lives in Kenya");
  const chat = await room.open();
  await chat.say("What about it?");
  expect(resultsIn(server)[0]).toContain("The zebra lives in Kenya");
  for (const line of ["a", "b", "c"]) await chat.say(line);
  await chat.say("/compact");
  const prompt = JSON.stringify(server.last.body.messages);
  expect(prompt).toContain("[result of recall]");
  expect(prompt).not.toContain("lives in Kenya");
});

test("CHAT-8: an incognito conversation gets only tools that read, and its recalls are not counted", async () => {
  await using server = await new AnthropicServer([
    { calls: [{ name: "recall", input: { query: "zebra" } }] },
    { calls: [{ name: "reflect", input: { query: "Where does the zebra live?" } }] },
    { text: "The zebra lives in Kenya." },
    { text: "In Kenya." },
    { calls: [{ name: "retain", input: { items: [{ content: "The zebra is striped" }] } }] },
    { text: "Not possible." },
  ]).start();
  const room = new ChatRoom(server);
  await room.retain.facts.remember("The zebra lives in Kenya");
  const chat = await room.open({ incognito: true });
  await chat.say("Where?");
  expect(resultsIn(server)[0]).toContain("The zebra lives in Kenya");
  const events = await chat.say("Remember it is striped");
  const names = namesIn(server);
  expect(names).toContain("recall");
  expect(names.filter((name) => WRITING.includes(name))).toEqual([]);
  expect(only(events, "result")[0]).toMatchObject({ name: "retain", ok: false });
  expect((await room.retain.facts.list()).length).toBe(1);
  using database = new Database(join(room.sandbox.memory, "retain.db"), { readonly: true });
  expect(database.query("SELECT count(*) AS n FROM recalls").get()).toEqual({ n: 0 });
});

test("MEMTOOL-14: a model with a small context gets only the most important tools", async () => {
  await using server = await new OpenAiServer([{ text: "Hello." }]).start();
  const room = new ChatRoom(null, {
    settings: {
      embedding: "none",
      model: "small/one",
      model_context_tokens: 8_000,
      model_endpoints: [{ name: "small", url: server.url }],
    },
  });
  const chat = await room.open();
  await chat.say("Hello");
  const names = server.last.body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  expect(names).toEqual([
    "read_file",
    "write_file",
    "run_command",
    "retain",
    "recall",
    "memory_get",
    "memory_update",
  ]);
});
