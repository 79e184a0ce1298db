/** Memory that is held elsewhere: what goes there, what comes back, and what happens when nobody answers. */
import { expect, test } from "bun:test";
import { MapBackend } from "../../examples/map-backend.ts";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import type { BackendHit, BackendQuestion, MemoryBackend } from "../../src/core/ports/backend.ts";
import { openRetain, type Retain, RetainError } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const SECRET = "ghp_9fKd83LsQp02XcVbn45TyUiOpAsDfGhJkL12";

function open(backend: MemoryBackend, sandbox = new Sandbox(), settings = {}) {
  const warnings: string[] = [];
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(), backend },
    settings: { embedding: "none", ...settings },
    onWarning: (message) => warnings.push(message),
  });
  afterThisTest(() => retain.close());
  return { retain, warnings, sandbox };
}

async function call(retain: Retain, name: string, input: unknown) {
  const tool = (await retain.memoryTools()).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no tool ${name}`);
  return tool.run(input, new AbortController().signal);
}

async function heldBy(backend: MapBackend, query: string): Promise<string[]> {
  const question = { query, tags: [], kinds: null, since: null, until: null, limit: 10 };
  const hits = await backend.recall({ ...question, signal: new AbortController().signal });
  return hits.map(({ text }) => text);
}

test("REMOTE-1: tools, remember and marks save facts in the backend, not in MEMORY.md; notes stay local", async () => {
  const backend = new MapBackend();
  const { retain } = open(backend);
  const { text } = await call(retain, "retain", { items: [{ content: "Heron is the staging server" }] });
  expect(text).toMatch(/^1 memory stored\.\n- stored as fact \S+: "Heron is the staging server"$/);
  expect((await retain.facts.remember("Heron runs Debian")).saved.map((one) => one.text)).toEqual([
    "Heron runs Debian",
  ]);
  const reply = "Fine.\n[MEMORY] Heron has two disks\n<memory>Talk: about herons</memory>";
  const { saved } = await retain.facts.ingest(reply);
  expect(saved.map(({ kind }) => kind).toSorted()).toEqual(["fact", "note"]);
  expect((await heldBy(backend, "heron")).length).toBe(3);
  expect(await retain.facts.list()).toEqual([]);
});

test("REMOTE-2: a secret is refused before a backend sees it, and facts the backend already knows are reported", async () => {
  const backend = new MapBackend();
  const { retain } = open(backend);
  const items = [
    { content: `The token is ${SECRET}` },
    { content: "Tea at four" },
    { content: "Tea at four" },
  ];
  const { text, data } = await call(retain, "retain", { items });
  expect(text).toStartWith("1 memory stored.\n");
  expect(text).toMatch(/\n- already known as fact \S+ \(.+\): "Tea at four"\n/);
  expect(text).toContain("\n- not stored: ");
  expect(data).toMatchObject({ count: 1 });
  expect(await heldBy(backend, "token tea")).toEqual(["Tea at four"]);
});

test("REMOTE-3: search, recall and the context rank a backend's hits among local ones, with their origin", async () => {
  const backend = new MapBackend();
  const { retain } = open(backend);
  await retain.facts.remember("Heron is the staging server");
  await retain.facts.log("Heron: restarted twice");
  const { hits } = await retain.search("heron");
  expect(hits.map(({ origin, kind }) => [origin, kind]).toSorted()).toEqual([
    ["bank", "fact"],
    ["home", "note"],
  ]);
  expect((await retain.recall("heron")).text).toContain("Heron is the staging server");
  expect((await retain.context({ query: "What is heron?" })).text).toContain("Heron is the staging server");
  expect((await call(retain, "recall", { query: "heron" })).text).toContain("Heron is the staging server");
});

test("REMOTE-3: phrases, exclusions, tags, kinds and times filter a backend's hits too", async () => {
  const at = Date.parse("2026-03-01T00:00:00Z");
  const hit = (id: string, text: string, more: Partial<BackendHit> = {}): BackendHit => {
    const common = {
      kind: "fact",
      tags: [],
      session: null,
      at,
      trust: "inferred",
      cosine: null,
      words: 1,
    } as const;
    return { id, text, ...common, ...more };
  };
  const backend = new MapBackend();
  backend.recall = async () => [
    hit("a", "red heron wades", { tags: ["Bird"] }),
    hit("b", "heron red draft"),
    hit("c", "red heron in March", { kind: "message" }),
    hit("d", "red heron of old", { at: Date.parse("2020-01-01T00:00:00Z") }),
  ];
  const { retain } = open(backend);
  const ids = async (query: string, options = {}) =>
    (await retain.search(query, options)).hits.map(({ id }) => id).toSorted();
  expect(await ids('"red heron"')).toEqual(["a", "c", "d"]);
  expect(await ids("heron -draft")).toEqual(["a", "c", "d"]);
  expect(await ids("heron tag:bird")).toEqual(["a"]);
  expect(await ids("heron", { filters: ["tags=bird"] })).toEqual([]);
  expect(await ids("heron", { kinds: ["message"] })).toEqual(["c"]);
  expect(await ids("heron", { since: "2025-01-01" })).toEqual(["a", "b", "c"]);
});

test("REMOTE-5: a backend that fails or is late causes one warning; this machine answers, and retries only after a while", async () => {
  for (const answer of [
    async () => {
      throw new RetainError("remote", "The server is asleep.");
    },
    () => new Promise<never>(() => {}),
  ]) {
    let asked = 0;
    const backend = new MapBackend();
    backend.recall = (_: BackendQuestion) => {
      asked++;
      return answer();
    };
    const { retain, warnings } = open(backend, new Sandbox(), { hindsight_recall_timeout_ms: 20 });
    await retain.facts.log("Heron: restarted twice");
    for (let time = 0; time < 3; time++) expect((await retain.search("heron")).hits).toHaveLength(1);
    expect(asked).toBe(1);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("this machine");
  }
});

test("REMOTE-1: documents are copied to the backend and found once", async () => {
  const backend = new MapBackend();
  const { retain } = open(backend);
  await retain.documents.put({ content: "# Heron\n\nIt wades.", collection: "birds" });
  await retain.documents.update("heron", { content: "It wades slowly." });
  expect(await heldBy(backend, "slowly")).toHaveLength(1);
  expect((await retain.search("wades")).hits.map(({ origin }) => origin)).toEqual(["home"]);
  await retain.documents.delete("heron");
  expect(await heldBy(backend, "slowly")).toEqual([]);
  await retain.documents.restore("heron");
  expect(await heldBy(backend, "slowly")).toHaveLength(1);
});

test("REMOTE-7: memory_forget removes a memory from the backend after confirmation", async () => {
  const backend = new MapBackend();
  const { retain } = open(backend);
  await retain.facts.remember("Heron is the staging server");
  const [hit] = (await retain.search("heron")).hits;
  expect((await call(retain, "memory_forget", { id: hit?.id })).ok).toBe(false);
  expect(await heldBy(backend, "heron")).toHaveLength(1);
  const { ok, data } = await call(retain, "memory_forget", {
    id: hit?.id,
    confirm: confirmationOf(hit?.id ?? ""),
  });
  expect(ok).toBe(true);
  expect(data).toMatchObject({ forgotten: [{ id: hit?.id, origin: "bank" }] });
  expect(await heldBy(backend, "heron")).toEqual([]);
});

test("REMOTE-8: items that a backend rejects are named, and remember fails with its reason", async () => {
  const backend = new MapBackend();
  backend.retain = async (items) => {
    const failed = items.map(({ content }) => ({ text: content, why: "the bank is full" }));
    return { stored: [], queued: [], known: [], failed };
  };
  const { retain } = open(backend);
  const { ok, text } = await call(retain, "retain", { items: [{ content: "Tea at four" }] });
  expect([ok, text]).toEqual([false, '0 memories stored.\n- not stored: "Tea at four": the bank is full']);
  const failure = await retain.facts.remember("Tea at four").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "remote", message: expect.stringContaining("the bank is full") });
});

test("OFF-3: with memory off there are no tools, no recall, and only instructions in the context", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Heron is the staging server");
  using retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() },
    settings: { memory_backend: "off", embedding: "none" },
  });
  expect(await retain.memoryTools()).toEqual([]);
  const { text, parts } = await retain.context({ query: "heron" });
  expect(text).toContain("memory is off");
  expect(text).not.toContain("staging");
  expect(parts.filter(({ included }) => included).map(({ name }) => name)).toEqual(["base"]);
  // What a person asks for is done.
  expect((await retain.search("heron")).hits).toHaveLength(1);
});
