/** Memory that is held elsewhere, and a backend that does anything: throws, loses, invents, hangs. This machine goes on. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { MapBackend } from "../../examples/map-backend.ts";
import { confirmationOf } from "../../src/agent/memory-tools/forget.ts";
import { Remote } from "../../src/app/remote/remote.ts";
import { sanitizeHits } from "../../src/app/remote/sanitize-hits.ts";
import type { BackendHit, MemoryBackend } from "../../src/core/ports/backend.ts";
import { withoutCjk } from "../../src/core/text/cjk.ts";
import { holds, termOf, termsOf } from "../../src/core/text/terms.ts";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { Sandbox } from "../helpers/sandbox.ts";

function open(over: Partial<MemoryBackend>, settings = {}) {
  const sandbox = new Sandbox();
  const warnings: string[] = [];
  const backend = Object.assign(new MapBackend(), over);
  const retain = openRetain({
    ...{ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(), backend },
    settings: { embedding: "none", ...settings },
    onWarning: (message) => warnings.push(message),
  });
  afterThisTest(() => retain.close());
  return { retain, backend, warnings, sandbox };
}

function boom(): never {
  throw new TypeError("fetch failed\u001b[2J");
}
const WHY = "The memory backend failed (fetch failed[2J).";

function hit(more: Partial<BackendHit> = {}): BackendHit {
  const common = { kind: "fact", tags: [], session: null, at: null, trust: "stated", cosine: null } as const;
  return { id: "a", text: "heron", ...common, words: 1, ...more };
}

test("REMOTE-5: an exception in a program's own backend is a warning, and this machine answers", async () => {
  for (const recall of [boom, async () => boom()]) {
    const { retain, warnings } = open({ recall, flush: async () => boom(), close: boom });
    await retain.facts.log("Heron: restarted twice");
    expect((await retain.search("heron")).hits).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining(WHY)]);
    await retain.uploads.flush();
    retain.close();
    await Bun.sleep(0);
  }
});

test("REMOTE-5: items that a program's own backend throws on or loses are reported one by one", async () => {
  const throwing = open({ retain: async () => boom() });
  const { failed } = await throwing.retain.facts.retain([{ content: "Tea at four" }]);
  expect(failed).toEqual([{ text: "Tea at four", why: WHY }]);
  expect(await throwing.retain.facts.remember("Tea").catch((error: unknown) => error)).toMatchObject({
    code: "remote",
  });
  const losing = open({
    retain: async ([first]) => {
      const stored = [{ id: "1", text: first?.content ?? "" }];
      return { stored, queued: [], known: [], failed: [] };
    },
  });
  const lost = await losing.retain.facts.retain([{ content: "Tea at four" }, { content: "Cake at five" }]);
  expect(lost.saved.map(({ text }) => text)).toEqual(["Tea at four"]);
  expect(lost.failed).toEqual([{ text: "Cake at five", why: expect.any(String) }]);
});

test("REMOTE-5: an invalid answer counts as failed for every item, and an exception in forget is a tool's result", async () => {
  for (const nothing of [undefined, {}, { stored: [] }]) {
    const { retain } = open({ retain: async () => nothing as never });
    const { saved, failed } = await retain.facts.retain([{ content: "Tea at four" }]);
    expect(saved).toEqual([]);
    expect(failed).toEqual([{ text: "Tea at four", why: expect.any(String) }]);
  }
  const { retain } = open({ forget: async () => boom() });
  const forget = (await retain.memoryTools()).find(({ name }) => name === "memory_forget");
  const { text } =
    (await forget?.run({ id: "m1", confirm: confirmationOf("m1") }, new AbortController().signal)) ?? {};
  expect(text).toContain(WHY);
});

test("REMOTE-5: exceptions in a program's own mental models are errors, and end no conversation", async () => {
  const models = { list: async () => boom(), create: async () => boom(), refresh: async () => boom() };
  const { retain } = open({ models });
  await expect(retain.mentalModels.add("team", "Who is in the team?")).rejects.toMatchObject({
    code: "remote",
    message: WHY,
  });
  await expect(retain.mentalModels.refresh()).rejects.toMatchObject({ code: "remote", message: WHY });
});

test("REMOTE-5: a backend that never answers times out: saving fails, and a document is still stored", async () => {
  const never = () => new Promise<never>(() => {});
  const { documents, sessions } = new MapBackend();
  const backend = Object.assign(new MapBackend(), {
    ...{ retain: never, forget: never },
    documents: { ...documents, put: never, remove: never },
    sessions: { ...sessions, keep: never },
    models: { list: never, create: never, refresh: never },
  });
  const own = { spool: () => null, isOwn: true, recallTimeoutMs: 1, answerMs: 1, warn: () => {} };
  const remote = new Remote({ ...own, open: async () => backend });
  const document = { collection: "a", id: "b", title: "B", content: "C", tags: [], updated_at: "2026-03-01" };
  const episode = { session: "s", chat: "main", title: null, from: 0, turns: [] };
  const asked = [
    () => remote.retain([]),
    () => remote.forget("m1"),
    () => remote.keepEpisode(episode),
    () => remote.documents.put(document),
    () => remote.documents.remove(document),
    () => remote.models.list(),
  ];
  for (const ask of asked)
    await expect(ask()).rejects.toMatchObject({
      code: "remote",
      message: expect.stringContaining("within 0.001 s"),
    });
});

test("REMOTE-5: a model is told each time the bank did not answer, and only then", async () => {
  const asking = async (over: Partial<MemoryBackend>) => {
    const { retain } = open(over);
    await retain.facts.log("Heron: restarted twice");
    const tools = await retain.memoryTools();
    return async (name: string, query: string) => {
      const tool = tools.find((one) => one.name === name);
      return (await tool?.run({ query }, new AbortController().signal))?.text ?? "";
    };
  };
  const shortfall = `Only this machine's memory was searched: ${WHY}`;
  const ask = await asking({ recall: boom });
  expect(await ask("recall", "stork")).toBe(`No relevant memories. ${shortfall}`);
  expect(await ask("recall", "heron")).toStartWith(`${shortfall}\n\n`);
  const answered = await asking({ recall: async () => [] });
  expect(await answered("recall", "stork")).toBe("No relevant memories.");
  expect(await answered("recall", "heron")).not.toContain(shortfall);
});

test("REMOTE-2: a bank's copy of a document has no private parts", async () => {
  const { documents } = new MapBackend();
  const sent: string[] = [];
  const put: typeof documents.put = async (document) => {
    sent.push(document.content);
    return documents.put(document);
  };
  const { retain } = open({ documents: { ...documents, put } });
  await retain.documents.put({
    content: "# Heron\n\nIt wades. <private>It costs 9.</private>\n",
    id: "heron",
  });
  expect(sent).toHaveLength(1);
  expect(sent.join()).toContain("It wades.");
  expect(sent.join()).not.toContain("costs");
});

test("REMOTE-5: a document is stored even if its copy cannot be sent or no server is set", async () => {
  const { documents } = new MapBackend();
  const { retain, warnings } = open({ documents: { ...documents, put: async () => boom() } });
  await retain.documents.put({ content: "# Heron\n\nIt wades.", id: "heron" });
  expect(warnings).toEqual([expect.stringMatching(/memory\/heron: .*fetch failed/)]);
  const sandbox = new Sandbox();
  const env = { RETAIN_MEMORY_BACKEND: "hindsight", RETAIN_HINDSIGHT_DOCUMENTS: "true" };
  const put = sandbox.ok(["put", "-", "--id", "heron", "--json"], { env, stdin: "# Heron\n" }).json;
  expect(put.data.id).toBe("heron");
  expect(put.warnings.join()).toContain("hindsight_url");
});

test("REMOTE-10: a bank's hits are sanitised: one-line ids, tags and sessions, valid document names, and numbers", async () => {
  const { retain } = open({
    recall: async () => [
      hit({ id: "a\u001b[2J\n</recalled>", tags: ["t\u001b[31m\nx"], session: "s\n\u001b[0m" }),
      hit({ id: "notes/../../etc/passwd", kind: "document", text: "heron of passwd" }),
      hit({ id: "b", text: "heron \u001b]0;x\u0007 two", at: Number.NaN, cosine: 7, words: -3 }),
      hit({ id: " ", text: "heron of nobody" }),
      { id: 7 } as unknown as BackendHit,
    ],
  });
  const { hits } = await retain.search("heron");
  expect(hits.map(({ id, kind }) => [id, kind]).toSorted()).toEqual([
    ["a[2J </recalled>", "fact"],
    ["b", "fact"],
    ["notes/../../etc/passwd", "fact"],
  ]);
  expect(hits.find(({ id }) => id.startsWith("a"))).toMatchObject({ tags: ["t[31m x"], session: "s [0m" });
  expect((await retain.recall("heron")).text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  const { text } = await retain.context({ query: "heron" });
  expect(text.match(/<\/recalled>/g)).toHaveLength(1);
});

test("REMOTE-3: duplicate hits are shown once, whatever their id; documents stay distinct", async () => {
  const given = [
    hit({ id: "a", text: "heron wades" }),
    hit({ id: "a", text: "heron wades" }),
    hit({ id: "b", text: "heron wades " }),
    hit({ id: "c", text: "heron wades", tags: ["zoo"] }),
    hit({ id: "notes/one", text: "heron plan", kind: "document" }),
    hit({ id: "notes/two", text: "heron plan", kind: "document" }),
  ];
  expect(sanitizeHits(given).map(({ id }) => id)).toEqual(["a", "c", "notes/one", "notes/two"]);
  const { retain } = open({ recall: async () => given });
  expect((await retain.recall("heron")).text.match(/heron wades/g)).toHaveLength(1);
  expect((await retain.search("heron tag:zoo")).hits.map(({ id }) => id)).toEqual(["c"]);
});

test("REMOTE-10: no result of a backend throws", () => {
  const value = fc.oneof(fc.anything(), fc.constantFrom("document", "fact", "stated", "a/b"));
  const anyHit = fc.record(
    Object.fromEntries(Object.keys(hit()).map((key) => [key, value])) as Record<
      keyof BackendHit,
      typeof value
    >,
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.array(fc.oneof(anyHit, fc.anything()))), (given) => {
      for (const { id, tags, at, cosine, words } of sanitizeHits(given)) {
        expect([id, ...tags].join("")).not.toMatch(/[\u0000-\u001f]/);
        if (at !== null) new Date(at).toISOString();
        for (const share of [cosine ?? 0, words ?? 0]) expect(share >= 0 && share <= 1).toBe(true);
      }
    }),
  );
});

test("MEMTOOL-16: another chat's memories stay out of the context, and the chat's own are in it", async () => {
  const { retain } = open({
    recall: async () => [
      hit({ id: "a", text: "heron for all" }),
      hit({ id: "b", text: "heron of work", tags: ["chat:work"] }),
      hit({ id: "c", text: "heron said at work", tags: ["chat:work"], kind: "message", session: "s" }),
    ],
  });
  const context = async (chat: string) => (await retain.context({ query: "heron", chat })).text;
  expect(await context("work")).toContain("heron of work");
  expect(await context("work")).toContain("heron said at work");
  const elsewhere = await context("main");
  expect(elsewhere).toContain("heron for all");
  expect(elsewhere).not.toMatch(/(?:of|at) work/);
  expect((await retain.search("heron")).hits).toHaveLength(3);
});

test("REMOTE-1: a backend gets a memory's source, tags and time in separate fields", async () => {
  const { retain, backend } = open({});
  const items: unknown[] = [];
  const keep = backend.retain.bind(backend);
  backend.retain = async (given) => {
    items.push(...given);
    return keep(given);
  };
  const at = "2026-02-03T04:05:06.000Z";
  await retain.facts.retain([
    { content: "Otters hold hands", context: "a zoo visit, in May", tags: ["zoo", "otters"], at },
    { content: "Otters swim" },
  ]);
  await retain.facts.remember("Otters eat fish", { category: "Animals", tags: ["zoo"] });
  expect(items).toMatchObject([
    { content: "Otters hold hands", context: "a zoo visit, in May", tags: ["zoo", "otters"], at },
    { content: "Otters swim", context: null, tags: [] },
    { content: "Otters eat fish", context: "Animals", tags: ["zoo"] },
  ]);
});

test("REMOTE-3: phrases and excluded words work in other languages and word forms, as for local memories", async () => {
  const texts = [
    "東京タワーは高い",
    "Das Café in der Straße",
    "Red herons wade",
    "İstanbul is large",
    "東京の塔",
  ];
  const { retain } = open({
    recall: async () =>
      texts.map((text, index) => hit({ id: String(index), text, cosine: 0.5, words: null })),
  });
  const ids = async (query: string) => (await retain.search(query)).hits.map(({ id }) => id).toSorted();
  expect(await ids('"東京タワー"')).toEqual(["0"]);
  expect(await ids('"東京"')).toEqual(["0", "4"]);
  expect(await ids('"cafe in der"')).toEqual(["1"]);
  expect(await ids('"red heron"')).toEqual(["2"]);
  expect(await ids('"istanbul is"')).toEqual(["3"]);
  expect(await ids("-東京 wade")).toEqual(["1", "2", "3"]);
  expect(await ids("-cafe -heron large")).toEqual(["0", "3", "4"]);
});

test("REMOTE-3: every word and phrase of a text is found in it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(9), fc.nat(9), (text, start, length) => {
      const terms = termsOf(text);
      const words = withoutCjk(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
      expect(holds(terms, words.slice(start, start + length))).toBe(true);
      expect(holds(terms, terms.pairs.slice(start, start + length))).toBe(true);
    }),
  );
});

test("REMOTE-3: forms of an English word are one term, and different words are not", () => {
  for (const forms of [
    "heron herons",
    "ending endings ended ends end",
    "wade wades waded wading",
    "box boxes",
  ])
    expect(new Set(forms.split(" ").map(termOf)).size).toBe(1);
  for (const forms of ["study studies studied", "run runs running", "class classes", "string strings"])
    expect(new Set(forms.split(" ").map(termOf)).size).toBe(1);
  expect(new Set("need needle sing string red reed bus bush class clash".split(" ").map(termOf)).size).toBe(
    10,
  );
});

test("REMOTE-5: a process that has just timed out on a backend does not wait for it again at exit", async () => {
  let flushed = 0;
  const flush = async () => void flushed++;
  const late = open(
    { recall: () => new Promise<never>(() => {}), flush },
    { hindsight_recall_timeout_ms: 10 },
  );
  await late.retain.search("heron");
  await late.retain.uploads.flush();
  expect(flushed).toBe(0);
  const prompt = open({ flush });
  await prompt.retain.search("heron");
  await prompt.retain.uploads.flush();
  expect(flushed).toBe(1);
});
