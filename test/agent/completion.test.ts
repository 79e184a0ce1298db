/** Completion of the arguments of slash commands. */
import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, type Conversing } from "../helpers/chat.ts";

/** Names are loaded in the background, so the first answer may be empty. */
async function completed({ chat }: Conversing, line: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  chat.onCompletions?.(resolve);
  chat.complete(line.replace(/ .*$/, " "));
  await promise;
  return chat.complete(line);
}

test("SLASH-6: facts are completed by their words, to their id; for /edit with their text", async () => {
  const room = new ChatRoom(null);
  await room.retain.facts.remember("The boat is called Nautilus");
  await room.retain.facts.remember("The cat is called Ink");
  const chat = await room.open();
  const [id] = (await room.retain.facts.list())
    .filter(({ text }) => text.includes("boat"))
    .map((one) => one.id);
  for (const command of ["/why", "/forget", "/undo"]) {
    const found = await completed(chat, `${command} called naut`);
    expect(found).toEqual([{ value: `${command} ${id}`, detail: "The boat is called Nautilus" }]);
  }
  expect((await completed(chat, "/edit boat")).map(({ value }) => value)).toEqual([
    `/edit ${id} The boat is called Nautilus`,
  ]);
  expect(chat.chat.complete(`/edit ${id} The boat`)).toEqual([]);
  expect(await completed(chat, "/why ")).toHaveLength(2);
  expect(await completed(chat, "/confirm ")).toEqual([]);
});

test("SLASH-6: sessions are completed by their titles; models, skills and mental models by their names", async () => {
  await using server = await new AnthropicServer(() => ({ text: "Yes." })).start();
  const room = new ChatRoom(server);
  const skill = join(room.sandbox.memory, "skills/release");
  mkdirSync(skill, { recursive: true });
  writeFileSync(join(skill, "SKILL.md"), "---\nname: release\ndescription: How to ship it\n---\nDo it.\n");
  await room.retain.mentalModels.add("crew", "Who sails?");
  const chat = await room.open();
  await chat.say("We talk about gliders");
  await chat.say("/new");
  const values = async (line: string) => (await completed(chat, line)).map(({ value }) => value);
  const { id } = await room.retain.sessions.find("last");
  expect(await values("/resume glid")).toEqual([`/resume ${id}`]);
  expect(await values("/model sonnet")).toEqual(["/model anthropic/claude-sonnet-4-5"]);
  expect(await values("/skills ship")).toEqual(["/skills release"]);
  expect(await values("/mental-models sails")).toContain("/mental-models crew");
});
