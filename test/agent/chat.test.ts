/** A conversation with a model, through the real SDK, real files and the real database. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inputHistory } from "../../src/files/input-history.ts";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, endOf, KEY, only, textOf } from "../helpers/chat.ts";
import { inNamespace, readOnlyHome } from "../helpers/namespace.ts";
import { testNeeding } from "../helpers/needs.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("CHAT-1: a message and its reply are stored with the context and the usage", async () => {
  await using server = await new AnthropicServer([
    { text: "Hello Ada.", usage: { input: 100, output: 7, cacheRead: 50 } },
  ]).start();
  const room = new ChatRoom(server);
  await room.retain.facts.remember("The user is called Ada");
  const chat = await room.open();
  const events = await chat.say("Who am I?");
  expect(textOf(events)).toBe("Hello Ada.");
  expect(endOf(events)).toBe("finished");
  const [named] = only(events, "named");
  expect(named?.id).toMatch(/^session_\d{8}_001$/);
  expect(named?.title).toBe("Who am I?");
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation.map(({ role, content }) => [role, content])).toEqual([
    ["user", "Who am I?"],
    ["assistant", "Hello Ada."],
  ]);
  const reply = conversation[1];
  expect(reply?.token_count).toBe(7);
  expect(reply?.details.model).toBe("anthropic/claude-haiku-4-5");
  expect(reply?.details.usage).toEqual({ input: 150, output: 7, cacheRead: 50, cacheWrite: 0 });
  const names = reply?.details.context?.map(({ name }) => name);
  expect(names?.slice(0, 2)).toEqual(["base", "marks"]);
  expect(names).toContain("memory");
  expect(reply?.details.context?.every(({ tokens }) => tokens > 0)).toBe(true);
});

test("CHAT-2: recalled memories go next to the newest message, and everything before it stays the same", async () => {
  await using server = await new AnthropicServer([{ text: "One." }, { text: "Two." }]).start();
  const room = new ChatRoom(server);
  await room.retain.documents.put({ content: "# Comet\n\nThe comet comes back in 2061.", id: "comet" });
  const chat = await room.open();
  await chat.say("When does the comet come back?");
  await chat.say("And the other one?");
  const [first, second] = server.requests.map(({ body }) => body);
  expect(JSON.stringify(second.system)).toBe(JSON.stringify(first.system));
  expect(JSON.stringify(first.system)).not.toContain("2061");
  expect(JSON.stringify(first.messages)).toContain("2061");
  const said = (body: typeof first, index: number) => JSON.stringify(body.messages[index]);
  expect(said(second, 0)).toContain("When does the comet come back?");
  expect(said(second, 1)).toContain("One.");
  expect(said(second, 2)).toContain("And the other one?");
});

test("CTX-12: a chat keeps the facts of a large memory that it was shown first, whatever it learns later", async () => {
  await using server = await new AnthropicServer([
    { text: "Hall 3.\n\n[MEMORY] Machine 999 stands in hall 9\n" },
    { text: "Two." },
  ]).start();
  const room = new ChatRoom(server, { settings: { embedding: "none", context_budget: 2_000 } });
  const facts = Array.from({ length: 300 }, (_, index) => `- Machine ${index} stands in hall ${index % 7}\n`);
  mkdirSync(join(room.sandbox.memory, "memories"), { recursive: true });
  writeFileSync(join(room.sandbox.memory, "memories/MEMORY.md"), facts.join(""));
  const chat = await room.open();
  await chat.say("Where does Machine 3 stand?");
  await chat.say("And the other one?");
  const [first, second] = server.requests.map(({ body }) => JSON.stringify(body.system));
  expect(first).toContain("of 300 facts");
  expect(second).toBe(first ?? "");
});

test("CHAT-3: marked facts are saved and reported, and marks are never shown, even if cut in two", async () => {
  await using server = await new AnthropicServer([
    { chunks: ["Noted.\n[MEM", "ORY] Timezone: Mad", "rid\n", "Anything else?"] },
    { chunks: ["[MEMORY] Timezone: Mexico City\nDone."] },
    { chunks: ["[MEMORY] Timezone: Mexico City\nAgain."] },
    { chunks: ["[MEMORY] The password is hunter2-Xk9!pQ7z\nNo."] },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const first = await chat.say("I live in Madrid");
  expect(textOf(first)).not.toContain("MEMORY");
  expect(textOf(first)).toContain("Anything else?");
  expect(only(first, "memory")[0]?.saved).toEqual(["Timezone: Madrid"]);
  const second = await chat.say("I moved to Mexico City");
  expect(only(second, "memory")[0]?.superseded).toEqual([
    { before: "Timezone: Madrid", after: "Timezone: Mexico City" },
  ]);
  expect(only(await chat.say("Did I?"), "memory")[0]?.skipped).toEqual(["Timezone: Mexico City"]);
  const refused = only(await chat.say("My password?"), "memory")[0]?.refused;
  expect(refused?.length).toBe(1);
  const file = readFileSync(join(room.sandbox.memory, "memories/MEMORY.md"), "utf8");
  expect(file).toContain("- Timezone: Mexico City");
  expect(file).not.toContain("hunter2");
});

test("MARK-9: a reply that only talks about marks is shown as it is, and nothing is saved", async () => {
  const reply =
    'Write [MEMORY] before it, or "<memory>x</memory>".\n\n> [MEMORY] y\n\n    [MEMORY] z\n\nDone.';
  await using server = await new AnthropicServer([{ chunks: reply.match(/.{1,4}/gs) ?? [] }]).start();
  const room = new ChatRoom(server);
  const events = await (await room.open()).say("How do I mark a fact?");
  expect(textOf(events)).toBe(reply);
  expect(only(events, "memory")).toEqual([]);
  expect(await room.retain.facts.list()).toEqual([]);
});

test("CHAT-1: an interrupted reply is stored as far as it came, and an incomplete mark is not saved", async () => {
  await using server = await new AnthropicServer([
    { chunks: ["The first part.\n", "[MEMORY] Half a fa"], hang: 5 },
    { text: "Going on." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const stop = new AbortController();
  chat.onEvent = (event) => {
    if (event.type === "text") stop.abort();
  };
  const events = await chat.say("Tell me", stop.signal);
  expect(endOf(events)).toBe("interrupted");
  expect(only(events, "message")[0]).toMatchObject({ text: "The first part.", interrupted: true });
  expect(only(events, "memory")).toEqual([]);
  await server.last.over;
  expect(server.last.disconnected).toBe(true);
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation[1]?.content).toContain("The first part.");
  expect(conversation[1]?.details.interrupted).toBe(true);
  expect(await room.retain.facts.list()).toEqual([]);
  chat.onEvent = () => {};
  expect(textOf(await chat.say("Go on"))).toBe("Going on.");
  expect(JSON.stringify(server.last.body.messages)).toContain("The first part.");
});

test("CHAT-1: a model's failure is shown with a hint; the message and the partial reply stay", async () => {
  const seen = Promise.withResolvers<void>();
  await using server = await new AnthropicServer([
    {
      status: 401,
      body: { type: "error", error: { type: "authentication_error", message: `bad key ${KEY}` } },
    },
    { text: "Half of the answer and more", cutAfter: 6, cutWhen: seen.promise },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const refused = await chat.say("Hello?");
  expect(endOf(refused)).toBe("failed");
  const [error] = only(refused, "error");
  expect(error?.code).toBe("auth");
  expect(error?.hint).toContain("ANTHROPIC_API_KEY");
  expect(JSON.stringify(refused)).not.toContain(KEY);
  chat.onEvent = (event) => {
    if (event.type === "text") seen.resolve();
  };
  const cut = await chat.say("Again");
  expect(endOf(cut)).toBe("failed");
  expect(only(cut, "error")[0]?.code).toBe("cut");
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation.map(({ role }) => role)).toEqual(["user", "user", "assistant"]);
  expect(conversation[2]?.content).toContain("Half");
});

test("CHAT-6: the model sees a resumed session as it was, including tools and thinking", async () => {
  const answers = [
    {
      thinking: "I should look.",
      text: "Let me see.",
      calls: [{ name: "read_file", input: { path: "plan.md" } }],
    },
    { text: "It says: launch on Monday." },
    { text: "Monday." },
  ];
  await using server = await new AnthropicServer(answers).start();
  const room = new ChatRoom(server);
  room.sandbox.write("plan.md", "Launch on Monday.\n");
  const chat = await room.open();
  await chat.say("What is the plan?");
  const before = server.last.body.messages;
  await chat.close();
  const again = await room.open({ resume: "last" });
  const [session] = only(again.events, "session");
  expect(session?.past.map(({ role, text }) => [role, text])).toEqual([
    ["user", "What is the plan?"],
    ["assistant", "Let me see."],
    ["assistant", "It says: launch on Monday."],
  ]);
  expect(session?.past[1]?.tools).toMatchObject([{ name: "read_file", ok: true }]);
  await again.say("When?");
  const after = server.last.body.messages;
  const plain = (messages: object) => JSON.stringify(messages).replaceAll(/,?"cache_control":\{[^}]*\}/g, "");
  expect(plain(after.slice(1, before.length))).toBe(plain(before.slice(1)));
  expect(plain(after)).toContain("signature-1");
  expect(plain(after)).toContain("Launch on Monday.");
});

test("CHAT-6: a session killed between a call and its result can be resumed", async () => {
  await using server = await new AnthropicServer([
    { calls: [{ name: "read_file", input: { path: "a.md" } }] },
    { text: "Well." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const events = chat.chat.send("Read it", new AbortController().signal);
  for await (const event of events) if (event.type === "message") break;
  const again = await room.open({ resume: "last" });
  await again.say("And?");
  const messages: { role: string; content: { type: string; tool_use_id?: string }[] }[] =
    server.last.body.messages;
  const results = messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool_result"));
  expect(results.length).toBe(1);
});

test("SESS-8: a session open in another process cannot be resumed", async () => {
  await using server = await new AnthropicServer([{ text: "Hi." }]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("Hello");
  const { id } = await room.retain.sessions.find("last");
  const other = room.sandbox.run(["-p", "--resume", id, "and?"]);
  expect(other.exitCode).toBe(3);
  expect(other.stderr).toContain("is open in another process");
  await chat.close();
  const later = room.sandbox.run(["-p", "--resume", id, "and?"]);
  expect(later.exitCode).toBe(0);
});

test("CHAT-8: an incognito conversation stores nothing", async () => {
  await using server = await new AnthropicServer([
    { text: "[MEMORY] Likes secrets\nSure." },
    { text: "Again." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open({ incognito: true });
  const events = await chat.say("Between us: I like secrets");
  expect(textOf(events).trim()).toBe("Sure.");
  expect(only(events, "memory")).toEqual([]);
  await chat.say("What did I say?");
  expect(JSON.stringify(server.last.body.messages)).toContain("Between us");
  await chat.close();
  expect(await room.retain.sessions.list()).toEqual([]);
  expect(existsSync(join(room.sandbox.memory, "memories/MEMORY.md"))).toBe(false);
  const everything = room.sandbox
    .tree(room.sandbox.memory)
    .map((path) => readFileSync(join(room.sandbox.memory, path), "latin1"));
  expect(everything.join("")).not.toContain("secrets");
});

test("SESS-6: a session gets a summary that recall finds when it ends; a killed one gets it at the next start", async () => {
  await using server = await new AnthropicServer([
    { text: "Postgres it is." },
    { text: "The team chose Postgres over MySQL for the ledger. Migration starts in May." },
    { text: "Noted." },
    { text: "They talked about the zeppelin." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("We take Postgres for the ledger, not MySQL.");
  await chat.close(false);
  expect((await room.retain.sessions.find("last")).summary).toContain("chose Postgres over MySQL");
  const { hits } = await room.retain.search("ledger migration May", { kinds: ["summary"] });
  expect(hits[0]?.text).toContain("Migration starts in May");
  const env = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY, RETAIN_EMBEDDING: "none" };
  const killed = room.sandbox.start(["-p", "Remember the zeppelin flies on Friday", "--json"], { env });
  for await (const chunk of killed.stdout.pipeThrough(new TextDecoderStream()))
    if (chunk.includes('"message"')) killed.kill(9);
  await killed.exited;
  const next = await room.open();
  await next.close();
  const [summarised] = await room.retain.sessions.list();
  expect(summarised?.summary).toMatch(/zeppelin/);
});

test("SESS-32: forgotten text disappears from the open conversation, for the model and for the summary", async () => {
  const told: string[] = [];
  await using server = await new AnthropicServer(({ bodyText }) => {
    told.push(bodyText);
    return { text: "I see." };
  }).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("/remember The blood type of Anna is AB negative");
  await chat.say("The blood type of Anna is AB negative");
  for (const line of ["one", "two", "three"]) await chat.say(line);
  const [{ id = "" } = {}] = await room.retain.facts.list();
  await chat.say(`/forget ${id} for good`);
  await chat.say("What do you know?");
  expect(told.at(-1)).not.toContain("AB negative");
  await chat.say("/compact");
  expect(told.at(-1)).not.toContain("AB negative");
  const { conversation } = await room.retain.sessions.show("last");
  expect(JSON.stringify(conversation)).not.toContain("AB negative");
});

test("CHAT-11: secrets and private parts are not stored, in messages, thinking or input history", async () => {
  const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  await using server = await new AnthropicServer([
    { thinking: `They gave me ${token}.`, text: "Thanks." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  const line = `My token is ${token}, call me <private>on 555-1234</private>`;
  await chat.say(line);
  expect(server.last.bodyText).toContain("555-1234");
  const typed = inputHistory(room.retain.choice.home.root);
  for (const entry of [line, "an ordinary line"]) typed.add(entry);
  expect(typed.entries()).toEqual(["an ordinary line"]);
  await chat.close();
  const kept = room.sandbox
    .tree(room.sandbox.memory)
    .map((path) => readFileSync(join(room.sandbox.memory, path), "latin1"));
  expect(kept.join("")).not.toContain(token);
  expect(kept.join("")).not.toContain("555-1234");
});

test("SESS-6: starting does not wait for a model: killed sessions are summarised in the background", async () => {
  await using server = await new AnthropicServer(({ bodyText }) =>
    bodyText.includes("Second thoughts") ? { text: "Answered." } : { hang: true },
  ).start();
  const room = new ChatRoom(server);
  await room.retain.facts.ingest("A session that nobody closed, about the zeppelin.", {
    session: "killed",
  });
  const chat = await room.open();
  expect(endOf(chat.events)).toBe("finished");
  expect(textOf(await chat.say("Second thoughts"))).toBe("Answered.");
  await chat.close();
  expect((await room.retain.sessions.find("killed")).summary).toContain("zeppelin");
});

test("LLM-17: the cost includes the session's summaries and starts at zero in a new session", async () => {
  await using server = await new AnthropicServer(({ bodyText }) =>
    bodyText.includes("Compact a conversation")
      ? { text: "The gist.", usage: { input: 1_000_000, output: 0 } }
      : { text: "Yes.", usage: { input: 1_000, output: 0 } },
  ).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  for (const line of ["a", "b", "c", "d", "e"]) await chat.say(line);
  await chat.say("/compact");
  const [usage] = only(await chat.say("f"), "usage");
  expect(usage?.cost).toBeCloseTo(1.006, 4);
  expect(usage?.costComplete).toBe(true);
  await chat.say("/new");
  expect(only(await chat.say("g"), "usage")[0]?.cost).toBeCloseTo(0.001, 6);
});

test("LLM-14: a notice says that the model declined in the middle of a reply", async () => {
  await using server = await new AnthropicServer([{ text: "I would rather", stop: "refusal" }]).start();
  const chat = await new ChatRoom(server).open();
  expect(only(await chat.say("Do it"), "notice")[0]?.text).toContain("declined");
});

test("CHAT-1: a reader that goes away stops the reply, and the partial reply is stored", async () => {
  await using server = await new AnthropicServer([
    { text: "The beginning of an answer", hang: 6 },
    { text: "More." },
  ]).start();
  const room = new ChatRoom(server);
  const { chat } = await room.open();
  for await (const event of chat.send("Tell me", new AbortController().signal))
    if (event.type === "text") break;
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation[1]?.content).toContain("The");
  expect(conversation[1]?.details.interrupted).toBe(true);
  await server.requests[0]?.over;
  expect(server.requests[0]?.disconnected).toBe(true);
});

test("a second line during a reply is rejected and not stored", async () => {
  await using server = await new AnthropicServer([{ text: "First answer." }]).start();
  const room = new ChatRoom(server);
  const talk = await room.open();
  const first = talk.say("First");
  const second = await talk.say("Second");
  expect(endOf(second)).toBe("failed");
  await first;
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation.map(({ content }) => content)).toEqual(["First", "First answer."]);
});

test("PRINT-4: an invalid chat name, and incognito with a session, are rejected before anything is stored", async () => {
  const room = new ChatRoom(null);
  for (const chat of ["../x", "", "a/b", "x".repeat(300)])
    expect(room.retain.chat({ interactive: false, chat })).rejects.toMatchObject({ code: "invalid_name" });
  expect(room.retain.chat({ interactive: false, incognito: true, resume: "last" })).rejects.toMatchObject({
    code: "usage",
  });
  expect(await room.retain.sessions.list()).toEqual([]);
});

testNeeding("mount namespaces")(
  "DUR-9: on a read-only disk, a conversation started with /new is answered too",
  async () => {
    const sandbox = new Sandbox();
    const lines = join(import.meta.dir, "say-lines.ts");
    const told = await inNamespace(sandbox, `${readOnlyHome(sandbox)} bun ${lines} Hello /new "What now?"`);
    const events = told
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === "error")).toEqual([]);
    expect(events.filter(({ type }) => type === "text").map(({ line }) => line)).toEqual([
      "Hello",
      "What now?",
    ]);
  },
);
