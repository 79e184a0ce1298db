/** Compacting a long conversation for the model, without losing anything. */
import { expect, test } from "bun:test";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, endOf, only, textOf } from "../helpers/chat.ts";

const isCompaction = (body: { messages: unknown }) =>
  JSON.stringify(body.messages).includes("Compact a conversation");

test("SHORTEN-1: facts are saved first, then a summary replaces the older messages, which stay stored", async () => {
  const answers = (request: { body: { messages: unknown } }) =>
    isCompaction(request.body)
      ? { text: "[MEMORY] The vault opens with the blue key\nThey spoke of vaults and of tea." }
      : { text: "I see." };
  await using server = await new AnthropicServer(answers).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("The vault opens with the blue key. The aquarium's heater is a Fluval.");
  for (const line of ["Tea?", "Milk?", "Sugar?", "Lemon?"]) await chat.say(line);
  const events = await chat.say("/compact");
  expect(only(events, "memory")[0]?.saved).toEqual(["The vault opens with the blue key"]);
  expect(only(events, "compacted")[0]).toMatchObject({
    messages: 4,
    summary: "They spoke of vaults and of tea.",
    kept: 6,
    tokens: { before: expect.any(Number), after: expect.any(Number) },
    facts: 1,
  });
  expect(only(events, "output")[0]?.text).toContain("They spoke of vaults and of tea.");
  const order = events.map(({ type }) => type);
  expect(order.indexOf("memory")).toBeLessThan(order.indexOf("compacted"));
  await chat.say("What heater does the aquarium have?");
  const { messages } = server.last.body;
  expect(JSON.stringify(messages[0])).toContain("They spoke of vaults and of tea.");
  // Said before the compaction and never marked: recalled from the stored message.
  const newest = JSON.stringify(messages.at(-1));
  expect(newest).toContain("heater is a Fluval");
  expect(JSON.stringify(messages.slice(0, -1))).not.toContain("Fluval");
  expect(JSON.stringify(messages)).toContain("Milk?");
  const { conversation } = await room.retain.sessions.show("last");
  expect(conversation.filter(({ role }) => role === "user").length).toBe(6);
});

test("SHORTEN-1: a resumed session continues with the summary and the messages after it", async () => {
  const answers = (request: { body: { messages: unknown } }) =>
    isCompaction(request.body) ? { text: "The gist." } : { text: "Yes." };
  await using server = await new AnthropicServer(answers).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  for (const line of ["alpha", "beta", "gamma", "delta", "epsilon"]) await chat.say(line);
  await chat.say("/compact");
  await chat.say("zeta");
  const before = server.last.body.messages;
  await chat.close();
  const again = await room.open({ resume: "last" });
  expect(only(again.events, "session")[0]?.past.map(({ role }) => role)).toContain("summary");
  await again.say("eta");
  const after = server.last.body.messages;
  const texts = (messages: { content: { text?: string }[] }[]) =>
    messages.map(({ content }) => content.at(-1)?.text);
  expect(texts(after).slice(0, before.length)).toEqual(texts(before));
  expect(JSON.stringify(after)).not.toContain("alpha");
});

test("SHORTEN-1: compaction runs automatically before the context is full, and once after a provider's overflow", async () => {
  let overflows = 1;
  const answers = (request: { body: { messages: unknown } }) => {
    if (isCompaction(request.body)) return { text: "Much was said." };
    if (overflows-- > 0 && JSON.stringify(request.body.messages).includes("five"))
      return {
        status: 400,
        body: {
          type: "error",
          error: {
            type: "invalid_request_error",
            message: "prompt is too long: 210000 tokens > 200000 maximum",
          },
        },
      };
    return { text: "Good." };
  };
  await using server = await new AnthropicServer(answers).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  overflows = 0;
  for (const line of ["one", "two", "three", "four"]) await chat.say(line);
  overflows = 1;
  const events = await chat.say("five");
  expect(only(events, "compacted").length).toBe(1);
  expect(textOf(events)).toBe("Good.");
  expect(endOf(events)).toBe("finished");
  const long = "words of a very long story ".repeat(27_000);
  for (const line of [long, "short"]) await chat.say(line);
  expect(only(chat.events, "compacted").length).toBeGreaterThan(1);
  const sizes = server.requests
    .filter(({ body }) => !isCompaction(body))
    .map(({ bodyText }) => bodyText.length);
  expect(sizes.at(-1)).toBeLessThan(200_000);
}, 60_000);

test("SHORTEN-1: without a model the summary quotes the conversation; a failing model causes a warning", async () => {
  const room = new ChatRoom(null);
  const chat = await room.open();
  for (const line of ["The launch is on Monday at nine.", "We take Postgres.", "a", "b", "c"])
    await chat.say(line);
  const [compacted] = only(await chat.say("/compact"), "compacted");
  expect(compacted?.summary).toContain("Monday");
  await using server = await new AnthropicServer((request) =>
    isCompaction(request.body)
      ? { status: 400, body: { error: { type: "x", message: "no" } } }
      : { text: "Hm." },
  ).start();
  const other = new ChatRoom(server);
  const talking = await other.open();
  for (const line of ["The launch is on Tuesday at ten.", "b", "c", "d", "e"]) await talking.say(line);
  const events = await talking.say("/compact");
  expect(only(events, "notice")[0]?.level).toBe("warning");
  expect(only(events, "compacted")[0]?.summary).toContain("Tuesday");
  expect(endOf(await talking.say("/compact"))).toBe("finished");
});

test("SHORTEN-1: if the model fails later, its earlier summary is kept whole", async () => {
  let fails = false;
  const gist = "Budget 40 k. Contact is Mira. Deadline in May. Venue is Porto. Backup is Braga.";
  await using server = await new AnthropicServer((request) => {
    if (!isCompaction(request.body)) return { text: "Yes." };
    return fails ? { status: 400, body: { error: { type: "x", message: "no" } } } : { text: gist };
  }).start();
  const chat = await new ChatRoom(server).open();
  for (const line of ["a", "b", "c", "d", "e"]) await chat.say(line);
  await chat.say("/compact");
  fails = true;
  for (const line of ["The caterer is called Rui and he is late.", "g", "h", "i"]) await chat.say(line);
  const [compacted] = only(await chat.say("/compact"), "compacted");
  expect(compacted?.summary).toContain(gist);
});
