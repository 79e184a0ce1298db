/** Undoing, editing and confirming the memories of the last turn. */
import { expect, test } from "bun:test";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, only } from "../helpers/chat.ts";

const texts = async ({ retain }: ChatRoom) => (await retain.facts.list()).map(({ text }) => text).sort();
const offered = (events: Parameters<typeof only>[0]) => only(events, "offers").at(-1)?.offers ?? null;

test("SLASH-5: each fact of a turn is undone alone, and a fact it replaced returns", async () => {
  await using server = await new AnthropicServer(() => ({
    text: 'Noted.\n[MEMORY] The boat is called Nautilus\n[MEMORY key="Deploy day"] Mondays',
  })).start();
  const room = new ChatRoom(server);
  await room.retain.facts.remember("Fridays", { key: "Deploy day" });
  const chat = await room.open();
  const events = await chat.say("The boat is called Nautilus, and we deploy on Mondays");
  expect(await texts(room)).toEqual(["Deploy day: Mondays", "The boat is called Nautilus"]);
  expect(offered(events)?.map(({ line }) => line)).toEqual(["/saved"]);
  // Something else changes after the turn, and stays.
  await room.retain.facts.remember("The cat is called Ink");
  const [list] = only(await chat.say("/saved"), "picker");
  const undo = list?.picker.items.find(({ label }) => /^Undo.*Mondays/.test(label));
  await chat.say(`${undo?.command} ${undo?.value}`);
  expect(await texts(room)).toEqual([
    "Deploy day: Fridays",
    "The boat is called Nautilus",
    "The cat is called Ink",
  ]);
  const [left] = only(await chat.say("/saved"), "picker");
  expect(left?.picker.items.map(({ label }) => label).join("\n")).not.toContain("Mondays");
  const boat = left?.picker.items.find(({ label }) => label.startsWith("Undo"));
  expect(offered(await chat.say(`${boat?.command} ${boat?.value}`))).toEqual([]);
  expect(await texts(room)).toEqual(["Deploy day: Fridays", "The cat is called Ink"]);
  expect(only(await chat.say("/saved"), "picker")).toEqual([]);
});

test("SLASH-5: /edit puts the fact's text into the input, and the changed fact can be undone", async () => {
  await using server = await new AnthropicServer(() => ({
    text: "Noted.\n[MEMORY] The boat is called Nautilus",
  })).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  await chat.say("The boat is called Nautilus");
  const [list] = only(await chat.say("/saved"), "picker");
  const edit = list?.picker.items.find(({ key }) => key === "e");
  const [draft] = only(await chat.say(`${edit?.command} ${edit?.value}`), "draft");
  expect(draft?.text).toMatch(/^\/edit [0-9a-v]{10} The boat is called Nautilus$/);
  const changed = await chat.say(draft?.text.replace("Nautilus", "Argo") ?? "");
  expect(only(changed, "memory")[0]?.superseded).toHaveLength(1);
  expect(await texts(room)).toEqual(["The boat is called Argo"]);
  const [again] = only(await chat.say("/saved"), "picker");
  const undo = again?.picker.items.find(({ key }) => key === "u");
  await chat.say(`${undo?.command} ${undo?.value}`);
  expect(await texts(room)).toEqual(["The boat is called Nautilus"]);
  expect(only(await chat.say("/edit zzzzzzzzzz something"), "error")[0]?.code).toBe("not_found");
  expect(only(await chat.say("/edit"), "error")[0]?.code).toBe("usage");
});

test("SLASH-5: facts that a tool saved and facts that ended can be undone as well; the next message ends the offer", async () => {
  await using server = await new AnthropicServer(({ body }) => {
    const last = JSON.stringify(body.messages.at(-1));
    if (last.includes("tool_result")) return { text: "Saved." };
    if (last.includes("bike"))
      return { calls: [{ name: "retain", input: { items: [{ content: "The bike is red" }] } }] };
    if (last.includes("sold")) return { text: `Fine.\n[MEMORY ends ${id}]` };
    return { text: "Hello." };
  }).start();
  const room = new ChatRoom(server);
  const chat = await room.open();
  expect(offered(await chat.say("The bike is red"))).toHaveLength(1);
  const id = (await room.retain.facts.list())[0]?.id;
  expect(offered(await chat.say("I sold it"))).toBeNull();
  expect(await texts(room)).toEqual([]);
  const [list] = only(await chat.say("/saved"), "picker");
  const [restore] = list?.picker.items ?? [];
  await chat.say(`${restore?.command} ${restore?.value}`);
  expect(await texts(room)).toEqual(["The bike is red"]);
  await chat.say("/remember The cat is called Ink");
  expect(offered(await chat.say("hi"))).toEqual([]);
});

test("SLASH-5: an unconfirmed fact that the chat shows is offered for confirmation", async () => {
  const room = new ChatRoom(null);
  const source = { by: "learn", session: null, message: null, trust: "inferred", tags: [] } as const;
  const fact = { text: "The heron nests on the weir", category: null, chat: null, source };
  await room.retain.facts.writeUnconfirmed([{ about: "project", fact }]);
  const chat = await room.open();
  const [offer] = offered(await chat.say("where does the heron nest?")) ?? [];
  expect(offer?.line).toMatch(/^\/confirm [0-9a-v]{10}$/);
  expect(offered(await chat.say(offer?.line ?? ""))).toEqual([]);
  expect(await room.retain.facts.list({ unconfirmed: true })).toEqual([]);
});
