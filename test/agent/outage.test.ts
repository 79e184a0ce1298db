/** A chat while the memory server is down, and after it is back. */
import { expect, test } from "bun:test";
import { AnthropicServer } from "../helpers/anthropic-server.ts";
import { ChatRoom, only } from "../helpers/chat.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { HindsightServer } from "../helpers/hindsight-server.ts";

test("HIND-10: the chat reports an outage once and its end once, and shows memories as queued meanwhile", async () => {
  const hindsight = await new HindsightServer().start();
  afterThisTest(() => hindsight.stop());
  const facts = ["Herons wade", "Storks clap", "Owls turn", "Gulls steal"];
  await using server = await new AnthropicServer(
    facts.map((fact) => ({ text: `Fine.\n\n[MEMORY] ${fact}\n` })),
  ).start();
  const settings = { embedding: "none", hindsight_auto_retain: false } as const;
  const variables = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_URL: hindsight.url };
  const room = new ChatRoom(server, { settings, onWarning: () => {} }, variables);
  const chat = await room.open();
  const told = (words: string) => only(chat.events, "notice").filter(({ text }) => text.includes(words));

  hindsight.trouble = { status: 503 };
  const kept = [];
  for (const line of ["One", "Two", "Three"]) kept.push(...only(await chat.say(line), "memory"));
  expect(kept.map(({ saved, queued }) => [saved, queued])).toEqual([
    [[], ["Herons wade"]],
    [[], ["Storks clap"]],
    [[], ["Owls turn"]],
  ]);
  expect(told("memory server")).toHaveLength(1);

  hindsight.trouble = null;
  await room.retain.uploads.retry(20_000);
  const [last] = only(await chat.say("Four"), "memory");
  expect([last?.saved, last?.queued ?? []]).toEqual([["Gulls steal"], []]);
  expect(told("is back").map(({ text }) => text)).toEqual(["Memory server is back: 3 memories sent."]);
  expect(told("memory server")).toHaveLength(1);
});
