/** Mental models during a conversation: when they are refreshed, what that costs, and what the model gets. */

import { expect, test } from "bun:test";
import { ChatMentalModels, FIRST_TURN_MS } from "../../src/agent/mental-models/in-chat.ts";
import type { MentalModels } from "../../src/agent/mental-models/models.ts";
import { parseMentalModel } from "../../src/core/mental-model.ts";
import type { Retain } from "../../src/index.ts";
import { type Answer, AnthropicServer, type RecordedRequest } from "../helpers/anthropic-server.ts";
import { Conversing, KEY, only } from "../helpers/chat.ts";
import { FakeTiming } from "../helpers/fake-timing.ts";
import { known, MINUTE_MS, ModelPlace } from "./mental-models-place.ts";

const HAIKU = "anthropic/claude-haiku-4-5";
const INTERVAL = 5 * MINUTE_MS;
const live = new AbortController().signal;

/** Refreshes on the test's command, and records the writer. */
class Refreshes implements Pick<MentalModels, "refreshInBackground" | "list" | "show"> {
  readonly writers: Parameters<MentalModels["refreshInBackground"]>[0][] = [];
  readonly #gates: (() => void)[] = [];
  notice: string | null = null;

  async refreshInBackground(writer: Parameters<MentalModels["refreshInBackground"]>[0]) {
    this.writers.push(writer);
    await new Promise<void>((resolve) => this.#gates.push(resolve));
    return [{ name: "team", origin: "home", outcome: "failed", notice: this.notice } as const];
  }

  async list() {
    return [];
  }

  async show(): Promise<never> {
    throw new Error("There is none");
  }

  async finish(): Promise<void> {
    for (const open of this.#gates.splice(0)) open();
    await Bun.sleep(0);
  }
}

function beside(options: { enabled?: boolean } = {}) {
  const refreshes = new Refreshes();
  const timing = new FakeTiming(0);
  const models = new ChatMentalModels({
    models: refreshes,
    timing,
    enabled: true,
    intervalMs: INTERVAL,
    ...options,
  });
  return { models, refreshes, timing };
}

test("MODELS-14: the first turn waits at most 1.5 seconds for the first refresh; later turns don't wait", async () => {
  const { models, refreshes, timing } = beside();
  models.begin();
  expect(refreshes.writers.map(({ model }) => model)).toEqual([null]);
  let isReady = false;
  const ready = models.ready(live).then(() => {
    isReady = true;
  });
  timing.advance(FIRST_TURN_MS - 1);
  await Bun.sleep(0);
  expect([FIRST_TURN_MS, isReady]).toEqual([1_500, false]);
  timing.advance(1);
  await ready;
  await models.ready(live);
  await refreshes.finish();
  const quick = beside();
  quick.models.begin();
  const first = quick.models.ready(live);
  await quick.refreshes.finish();
  await first;
  expect(quick.timing.isAwaited).toBe(false);
  const stopped = beside();
  stopped.models.begin();
  const stop = new AbortController();
  const waiting = stopped.models.ready(stop.signal);
  stop.abort();
  await waiting;
  const off = beside({ enabled: false });
  off.models.begin();
  await off.models.ready(live);
  expect(off.refreshes.writers).toEqual([]);
});

test("MODELS-14: after turns mental models are refreshed one at a time, at most once per interval; a problem is reported once", async () => {
  const { models, refreshes, timing } = beside();
  const writer = { model: null, onUsage: () => {} };
  refreshes.notice = "The server is away.";
  models.afterTurn(writer);
  models.afterTurn(writer);
  expect(refreshes.writers.length).toBe(1);
  await refreshes.finish();
  models.afterTurn(writer);
  timing.advance(INTERVAL - 1);
  models.afterTurn(writer);
  expect(refreshes.writers.length).toBe(1);
  timing.advance(1);
  models.afterTurn(writer);
  expect(refreshes.writers.length).toBe(2);
  await refreshes.finish();
  expect(models.notices()).toEqual(["Mental model team: The server is away."]);
  expect(models.notices()).toEqual([]);
  timing.advance(INTERVAL);
  models.afterTurn(writer);
  const ended = models.end();
  expect(refreshes.writers.at(-1)?.signal?.aborted).toBe(true);
  await refreshes.finish();
  await ended;
  timing.advance(INTERVAL);
  models.afterTurn(writer);
  expect(refreshes.writers.length).toBe(3);
});

const isRefresh = ({ bodyText }: RecordedRequest) => bodyText.includes("# Answer a standing question");
const systemOf = ({ body }: RecordedRequest): string => JSON.stringify(body.system);

/** A chat on real files with a model behind HTTP; `refresh` answers its refresh requests. */
async function chatting(place: ModelPlace, server: AnthropicServer, options = {}) {
  const env = place.sandbox.env({ ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: KEY });
  const retain = place.open({ env, asker: "person" });
  const chat = new Conversing(await retain.chat({ interactive: true, model: HAIKU, ...options }));
  return { retain, chat };
}

function answering(refresh: (request: RecordedRequest) => Answer = () => ({ text: "NOTHING" })) {
  return new AnthropicServer((request) =>
    isRefresh(request) ? refresh(request) : { text: "Fine." },
  ).start();
}

const idIn = ({ bodyText }: RecordedRequest) => /- \[([0-9a-v]{10})\]/.exec(bodyText)?.[1];

test("MODELS-14: at the start they quote memories, and no model is asked before the reply, nor for a very recent change", async () => {
  const place = new ModelPlace();
  await using server = await answering();
  const { retain, chat } = await chatting(place, server);
  await known(retain, "Ada prefers tea");
  await chat.start();
  await chat.say("Hello");
  expect(server.requests.filter(isRefresh)).toEqual([]);
  expect(systemOf(server.last)).toContain(": Ada prefers tea [");
  await known(retain, "Ada prefers short answers");
  await chat.say("And now?");
  await chat.close();
  expect(server.requests.filter(isRefresh)).toEqual([]);
  expect(place.read("user-preferences")).not.toContain("fingerprint");
});

test("MODELS-14: after the interval, if something changed, the chat's model rewrites them after a turn, and its usage is counted", async () => {
  const place = new ModelPlace();
  const usage = { input: 1_000_000, output: 0 };
  await using server = await answering((request) => ({ text: `- Tea [${idIn(request)}].`, usage }));
  const { retain, chat } = await chatting(place, server);
  await known(retain, "Ada prefers tea");
  await chat.start();
  await retain.mentalModels.refresh({ model: null });
  place.later();
  await chat.say("Hello");
  await server.asked(2);
  while (!place.read("user-preferences").includes("by: model")) await Bun.sleep(1);
  expect(server.requests.map(isRefresh)).toEqual([false, true]);
  const [told] = only(await chat.say("Again"), "usage");
  expect(told?.cost).toBeGreaterThan(1);
  await chat.close();
  const next = await chatting(place, server);
  await next.chat.start();
  place.later();
  await next.chat.say("Hello again");
  await next.chat.close();
  expect(server.requests.filter(isRefresh).length).toBe(1);
});

test("MODELS-14: a single question asks no model for them, and a quote never replaces a model's answer", async () => {
  const place = new ModelPlace();
  await using server = await answering((request) => ({ text: `- Tea [${idIn(request)}].` }));
  const { retain, chat } = await chatting(place, server, { interactive: false });
  await known(retain, "Ada prefers tea");
  await retain.mentalModels.refresh();
  const before = place.read("user-preferences");
  expect(before).toContain("by: model");
  await known(retain, "Ada prefers short answers");
  place.later();
  await chat.start();
  await chat.say("Hello");
  await chat.close();
  expect(server.requests.filter(isRefresh).length).toBe(1);
  expect(place.read("user-preferences")).toBe(before);
  const offline = place.open({ env: place.sandbox.env() });
  const without = new Conversing(await offline.chat({ interactive: true }));
  await without.start();
  while (place.read("user-preferences") === before) await Bun.sleep(1);
  expect(place.read("user-preferences")).toContain("by: extract");
  await without.close();
});

test("MODELS-14: neither an incognito conversation nor one with memory switched off creates any", async () => {
  for (const [options, settings] of [
    [{ incognito: true }, {}],
    [{}, { memory_backend: "off" }],
  ] as const) {
    const place = new ModelPlace();
    await known(place.open(), "Ada prefers tea");
    const retain = place.open({ settings: { embedding: "none", ...settings } });
    const chat = new Conversing(await retain.chat({ interactive: true, model: "none", ...options }));
    await chat.start();
    await chat.say("Hello");
    await chat.close();
    expect(place.has("user-preferences")).toBe(false);
  }
});

/** From another conversation, so that only the mental model contains it. */
async function said(retain: Retain, session: string, content: string): Promise<void> {
  const turns = [{ role: "user" as const, content, at: "2026-02-18T09:00:00Z" }];
  await retain.facts.writeTurns({ session, chat: "main", turns });
}

test("MODELS-14: a conversation keeps showing its first answers byte for byte, whatever is refreshed", async () => {
  const place = new ModelPlace();
  await using server = await answering();
  const { retain, chat } = await chatting(place, server);
  await said(retain, "tea", "Ada prefers tea.");
  await chat.start();
  await chat.say("One");
  const begun = systemOf(server.last);
  expect(begun).toContain(": Ada prefers tea. [message:");
  await said(retain, "answers", "Ada prefers short answers.");
  await retain.mentalModels.refresh({ model: null, force: true });
  await retain.mentalModels.add("tea", "Who prefers tea?", { model: null });
  expect(place.read("user-preferences")).toContain("short answers");
  await chat.say("Two");
  expect(systemOf(server.last)).toBe(begun);
  await chat.say("/new");
  await chat.say("Three");
  expect(systemOf(server.last)).toContain("short answers");
  expect(systemOf(server.last)).toContain("#### tea");
  await chat.close();
});

test("MODELS-14: the user's edits, own files, removals and compactions take effect at once", async () => {
  const place = new ModelPlace();
  await using server = await answering();
  const { retain, chat } = await chatting(place, server);
  await said(retain, "tea", "Ada prefers tea.");
  await chat.start();
  for (const line of ["One", "Two", "Three", "Four"]) await chat.say(line);
  place.write("mine", "Quiet, please.\n");
  await chat.say("Five");
  expect(systemOf(server.last)).toContain("Quiet, please.");
  place.write("mine", "Loud, please.\n");
  await chat.say("Six");
  expect(systemOf(server.last)).toContain("Loud, please.");
  await said(retain, "answers", "Ada prefers short answers.");
  await retain.mentalModels.refresh({ model: null, force: true });
  await chat.say("Seven");
  expect(systemOf(server.last)).not.toContain("short answers");
  await chat.say("/compact");
  await chat.say("Eight");
  expect(systemOf(server.last)).toContain("short answers");
  await retain.mentalModels.remove("user-preferences");
  await chat.say("Nine");
  expect(systemOf(server.last)).not.toContain("#### user-preferences");
  await chat.close();
});

test("MODELS-14: forgotten text is not shown again, even if the answer was rewritten in the meantime", () => {
  const { models } = beside();
  const conversation = { compactedTo: 0 };
  const file = (answer: string, sources: string[]) => {
    const model = parseMentalModel("m", `---\nquestion: Q?\nby: extract\n---\n\n${answer}\n`);
    return { ...model, sources, isAsWritten: true };
  };
  const shown = (answer: string, sources: string[]) =>
    models.shownIn(conversation).answer?.("home", file(answer, sources));
  expect(shown("Code 4711 and tea", ["code", "tea"])).toBe("Code 4711 and tea");
  expect(shown("Code 4711, tea and more", ["code", "tea", "more"])).toBe("Code 4711 and tea");
  expect(shown("Tea and more", ["tea", "more"])).toBe("Tea and more");
  expect(shown("Code 4711 and tea", ["code", "tea", "more"])).toBe("Tea and more");
});

test("MODELS-3: /mental-models in the chat lists mental models and shows an answer", async () => {
  const place = new ModelPlace();
  const retain = place.open();
  const chat = new Conversing(await retain.chat({ interactive: true, model: "none" }));
  const notices = only(await chat.say("/mental-models"), "notice").map(({ text }) => text);
  expect(notices.join("\n")).toContain("retain mental-models add");
  await known(retain, "Bob is in the team");
  await retain.mentalModels.add("team", "Who is in the team?", { model: null });
  place.write("mine", "Quiet, please.\n");
  expect(only(await chat.say("/mental-models"), "output")[0]?.text).toBe(
    "- **mine** (pinned): your own text\n- **team** (auto-refreshed): Who is in the team?",
  );
  expect(only(await chat.say("/mental-models team"), "output")[0]?.text).toStartWith(
    "**Who is in the team?**\n\nFrom memory",
  );
  expect(only(await chat.say("/mental-models nobody"), "error")).toMatchObject([{ code: "not_found" }]);
  await chat.close();
});
