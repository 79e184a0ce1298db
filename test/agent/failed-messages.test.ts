/** Messages without a reply: the provider refused them, or could not be reached. */
import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer, type RecordedRequest } from "../helpers/anthropic-server.ts";
import { ChatRoom, type Conversing, endOf, KEY, only } from "../helpers/chat.ts";
import { conversation, talk } from "../helpers/conversations.ts";

function refusal(message: string) {
  return { status: 400, body: { type: "error", error: { type: "invalid_request_error", message } } };
}

/** Refuses every request that contains the word, as a provider does with content that it does not accept. */
class Refusing extends AnthropicServer {
  constructor(public word: string) {
    super((request: RecordedRequest) =>
      JSON.stringify(request.body.messages).includes(this.word)
        ? refusal("messages.1.content: image exceeds 5 MB maximum")
        : { text: "Fine." },
    );
  }

  /** The roles and texts of the last request, without recalled memories. */
  get sent(): string[] {
    const { messages } = this.last.body;
    return messages.map(
      ({ role, content }: { role: string; content: { text: string }[] }) =>
        `${role}: ${content.at(-1)?.text}`,
    );
  }
}

/** The same files, as a new process finds them. */
function restarted(room: ChatRoom, server: AnthropicServer): ChatRoom {
  room.retain.close();
  const { work: cwd, home: homeDirectory, memory } = room.sandbox;
  rmSync(join(memory, "retain.db"));
  const env = room.sandbox.env({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY });
  return new ChatRoom(server, { cwd, homeDirectory, env });
}

function past(chat: Conversing) {
  return only(chat.events, "session")
    .at(-1)
    ?.past.map(({ role, text, failed }) => [role, text, failed ?? false]);
}

test("CHAT-12: later requests leave out a refused message, also after a restart; it stays shown and searchable", async () => {
  await using server = await new Refusing("walrus").start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("Good morning");
  const refused = await chat.say("Describe the walrus picture");
  expect(endOf(refused)).toBe("failed");
  expect(JSON.stringify(only(refused, "notice"))).toContain("/retry");
  expect(endOf(await chat.say("Where do herons nest?"))).toBe("finished");
  const before = ["user: Good morning", "assistant: Fine."];
  expect(server.sent).toEqual([...before, "user: Where do herons nest?"]);
  await chat.close();

  const later = restarted(room, server);
  const resumed = await later.open({ resume: "last" });
  expect(past(resumed)).toContainEqual(["user", "Describe the walrus picture", true]);
  await resumed.say("And storks?");
  expect(server.sent).toEqual([
    ...before,
    "user: Where do herons nest?",
    "assistant: Fine.",
    "user: And storks?",
  ]);
  const found = await later.retain.search("walrus picture");
  expect(found.hits.map(({ text }) => text)).toContain("Describe the walrus picture");
});

test("CHAT-12: /retry sends the failed message again, or another text; the session shows it once", async () => {
  await using server = await new Refusing("walrus").start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("Good morning");
  await chat.say("Describe the walrus picture");
  await chat.say("Where do herons nest?");
  expect(endOf(await chat.say("/retry"))).toBe("failed");
  server.word = "nothing";
  const [choice] = chat.chat.complete("/retry ");
  expect(choice?.value).toBe("/retry Describe the walrus picture");
  expect(endOf(await chat.say("/retry"))).toBe("finished");
  const answered = [
    "user: Good morning",
    "assistant: Fine.",
    "user: Where do herons nest?",
    "assistant: Fine.",
    "user: Describe the walrus picture",
  ];
  expect(server.sent).toEqual(answered);
  server.word = "seal";
  await chat.say("Describe the seal picture");
  expect(endOf(await chat.say("/retry Describe the otter picture"))).toBe("finished");
  expect(server.sent).toEqual([...answered, "assistant: Fine.", "user: Describe the otter picture"]);
  expect(only(await chat.say("/retry"), "error")[0]?.message).toBe("No message has failed.");
  await chat.close();

  const { retain } = restarted(room, server);
  const { conversation, messages } = await retain.sessions.show("last");
  expect(conversation.filter(({ role }) => role === "user").map(({ content }) => content)).toEqual([
    "Good morning",
    "Where do herons nest?",
    "Describe the walrus picture",
    "Describe the otter picture",
  ]);
  expect(messages).toBe(8);
});

test("CHAT-12: a message that fails before any reply is failed, whatever the reason; one with part of a reply is not", async () => {
  const seen = Promise.withResolvers<void>();
  await using server = await new AnthropicServer([
    { status: 401, body: { type: "error", error: { type: "authentication_error", message: "no" } } },
    { text: "Half of the answer and more", cutAfter: 6, cutWhen: seen.promise },
    { text: "Fine." },
  ]).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("With a wrong key");
  chat.onEvent = (event) => {
    if (event.type === "text") seen.resolve();
  };
  const cut = await chat.say("Cut off");
  expect(JSON.stringify(only(cut, "notice"))).not.toContain("/retry");
  await chat.say("Go on");
  const sent = JSON.stringify(server.last.body.messages);
  expect(sent).not.toContain("With a wrong key");
  expect(sent).toContain("Cut off");
  expect(sent).toContain("Half");
});

test("CHAT-12: a message whose process was killed before the reply has failed when the session is resumed", async () => {
  await using server = await new Refusing("walrus").start();
  const room = new ChatRoom(server);
  const session = await conversation(room.sandbox, talk("Good morning", "Fine.", "Where do herons nest?"));
  const chat = await room.open({ resume: session });
  expect(past(chat)?.at(-1)).toEqual(["user", "Where do herons nest?", true]);
  await chat.say("/retry");
  expect(server.sent).toEqual(["user: Good morning", "assistant: Fine.", "user: Where do herons nest?"]);
});

test("CHAT-12: a message whose reply was stopped before any text came has not failed, and is shown as stopped", async () => {
  await using server = await new Refusing("walrus").start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("Good morning");
  const stop = new AbortController();
  chat.onEvent = ({ type }) => type === "context" && stop.abort();
  const stopped = await chat.say("Where do herons nest?", stop.signal);
  expect([endOf(stopped), only(stopped, "text")]).toEqual(["interrupted", []]);
  await chat.close();

  const later = restarted(room, server);
  const resumed = await later.open({ resume: "last" });
  const [session] = only(resumed.events, "session");
  expect(
    session?.past.slice(-2).map(({ role, text, interrupted, failed }) => [role, text, interrupted, failed]),
  ).toEqual([
    ["user", "Where do herons nest?", false, undefined],
    ["assistant", "", true, undefined],
  ]);
  expect(only(await resumed.say("/retry"), "error")[0]?.message).toBe("No message has failed.");
  await resumed.say("And storks?");
  expect(JSON.stringify(server.last.body.messages)).toContain("Where do herons nest?");
});

test("CHAT-12: a message that the model declines to answer is failed", async () => {
  await using server = await new AnthropicServer([{ stop: "refusal" }, { text: "Fine." }]).start();
  const chat = await new ChatRoom(server).open();
  expect(JSON.stringify(only(await chat.say("Describe the walrus"), "notice"))).toContain("/retry");
  await chat.say("Never mind");
  expect(JSON.stringify(server.last.body.messages)).not.toContain("walrus");
});

test("CHAT-12: a turn is left out if the provider refuses what its tools returned", async () => {
  await using server = await new AnthropicServer((request: RecordedRequest) => {
    const sent = JSON.stringify(request.body.messages);
    if (sent.includes("walrus")) return refusal("content policy");
    return sent.includes("Read it")
      ? { calls: [{ name: "read_file", input: { path: "a.md" } }] }
      : { text: "Fine." };
  }).start();
  const room = new ChatRoom(server);
  room.sandbox.write("a.md", "A walrus.\n");
  const chat = await room.open();
  expect(endOf(await chat.say("Read it"))).toBe("failed");
  expect(endOf(await chat.say("Never mind"))).toBe("finished");
});

test("CHAT-12: in an incognito conversation, /retry sends the failed message again and stores nothing", async () => {
  await using server = await new Refusing("walrus").start();
  const room = new ChatRoom(server);
  const chat = await room.open({ incognito: true });
  await chat.say("Describe the walrus picture");
  server.word = "nothing";
  expect(endOf(await chat.say("/retry"))).toBe("finished");
  expect(server.sent).toEqual(["user: Describe the walrus picture"]);
  expect(await room.retain.sessions.list()).toEqual([]);
});

test("the mark of a failed message is a line that earlier versions skip", async () => {
  await using server = await new Refusing("walrus").start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("Describe the walrus picture");
  const { id } = (await room.retain.sessions.list())[0] ?? {};
  const path = join(room.sandbox.memory, "sessions", `${id}.jsonl`);
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ type, version }) => [type, version])).toEqual([
    ["session", 1],
    ["message", undefined],
    ["change", undefined],
  ]);
  expect(lines[2].failed).toBe(lines[1].id);
});
