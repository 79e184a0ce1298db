/** Recall from a Hindsight server: the request, its results, and pending items. */
import { expect, test } from "bun:test";
import { document, episode, item, question } from "../contract/backend.ts";
import { flush, HindsightKit, settings } from "./hindsight-kit.ts";

async function asked(tags: string[], more: Parameters<typeof question>[1] = {}) {
  const kit = await HindsightKit.start();
  kit.bank();
  await kit.open({ tags }).recall(question("what", more));
  return kit.server.sent("POST", "/memories/recall")[0]?.body;
}

test("HIND-1: a query carries budget, tokens, and the tags of the project and of no project", async () => {
  const plain = { query: "what", budget: "mid", max_tokens: 1024, include: { entities: null } };
  expect(await asked([])).toEqual(plain);
  const own = ["project:a", "project:any"];
  expect(await asked(["project:a"])).toEqual({ ...plain, tags: own, tags_match: "any" });
  expect(await asked([], { tags: ["x", "y"] })).toEqual({
    ...plain,
    tags: ["x", "y"],
    tags_match: "all_strict",
  });
  expect(await asked(["project:a"], { tags: ["x"] })).toEqual({
    ...plain,
    tag_groups: [
      { tags: own, match: "any" },
      { tags: ["x"], match: "all_strict" },
    ],
  });
  const [since, until] = [Date.parse("2025-01-01"), Date.parse("2026-01-01")];
  const temporal_window = { start: "2025-01-01T00:00:00.000Z", end: "2026-01-01T00:00:00.000Z" };
  expect(await asked([], { since, until })).toEqual({ ...plain, temporal_window });
});

test("HIND-1: queries that a bank cannot answer are not sent", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  for (const hopeless of [question(" "), question("x", { kinds: ["note"] }), question("x", { limit: 0 })])
    expect(await backend.recall(hopeless)).toEqual([]);
  expect(kit.server.requests).toEqual([]);
});

test("a query is sent only with words in it, and a long one is reduced to its beginning and end", async () => {
  const kit = await HindsightKit.start();
  kit.bank();
  const backend = kit.open();
  for (const wordless of ["???", "— … —", "🎉"]) expect(await backend.recall(question(wordless))).toEqual([]);
  expect(kit.server.requests).toEqual([]);
  const sent = async (query: string) => {
    await backend.recall(question(query));
    return kit.server.sent("POST", "/memories/recall").at(-1)?.body.query;
  };
  const most = "a".repeat(900);
  expect(await sent(most)).toBe(most);
  for (const filling of ["0 1 2 3 ", "编译器报错", "🎉"]) {
    const query = await sent(`Why does this fail? ${filling.repeat(500)} It worked in May.`);
    expect(query).toMatch(/^Why does this fail\? .* It worked in May\.$/);
    expect(query).not.toContain("\ufffd");
    expect(Buffer.byteLength(query)).toBeLessThanOrEqual(901);
  }
});

test("HIND-5: another project's memories are not returned, whatever the server does with the tags", async () => {
  const kit = await HindsightKit.start();
  const [a, b] = [kit.open({ tags: ["project:a"] }), kit.open({ tags: ["project:b"] })];
  await a.retain([
    item("Alpha of a", { tags: ["x"] }),
    item("Alpha of all", { tags: ["x"], everywhere: true }),
  ]);
  await flush(a);
  kit.serverHasLearned();
  kit.server.trouble = {
    raw: JSON.stringify({ results: kit.bank().recall({ query: "alpha" }) }),
    on: ({ path }) => path === "/memories/recall",
  };
  const texts = async (more = {}) => (await b.recall(question("alpha", more))).map(({ text }) => text);
  expect(await texts()).toEqual(["Alpha of all"]);
  expect(await texts({ tags: ["x"] })).toEqual(["Alpha of all"]);
  expect(await a.recall(question("alpha"))).toHaveLength(2);
});

test("a hit has the server's scores, the kind of the sent item, and its trust, session, time and tags", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open({ tags: ["project:a"] });
  await backend.retain([
    item("The kettle boils water fast", { tags: ["kitchen"], session: "s7", trust: "tool" }),
  ]);
  await backend.documents.put(document("a/b c", "A kettle of water"));
  await backend.sessions.keep(episode("s1", ["Where is the kettle?"]));
  kit.bank().retain([{ content: "Somebody else's kettle\u001b[31m", document_id: "foreign/1" }]);
  await flush(backend);
  const hits = await backend.recall(question("kettle boils water"));
  const find = (part: string) => hits.find(({ text }) => text.includes(part));
  expect(find("fast")).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    kind: "fact",
    text: "The kettle boils water fast",
    tags: ["kitchen"],
    session: "s7",
    at: Date.parse("2026-03-01T12:00:00Z"),
    trust: "tool",
    cosine: 1,
    words: 1,
  });
  expect(find("A kettle")).toMatchObject({ id: "notes/a/b c", kind: "document", trust: "stated", tags: [] });
  expect(find("A kettle")?.words).toBeCloseTo(2 / 3);
  expect(find("Where")).toMatchObject({ kind: "message", session: "s1", trust: "inferred" });
  expect(find("Somebody")).toMatchObject({ kind: "fact", trust: "inferred", session: null, at: null });
  expect(find("Somebody")?.text).not.toContain("\u001b");
});

test("if a server returns no scores, the rank in its list counts", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.givesScores = false;
  await backend.retain([item("apple pear plum"), item("apple pear"), item("apple"), item("apple alone")]);
  await flush(backend);
  const hits = await backend.recall(question("apple pear plum"));
  expect(hits.map(({ cosine, words }) => [cosine, words])).toEqual(
    [1, 0.75, 0.5, 0.25].map((share) => [null, share]),
  );
});

test("REMOTE-5: a server that doesn't answer in time is reported, for the deadline and the caller's signal", async () => {
  const late = new AbortController();
  const kit = await HindsightKit.start();
  kit.server.trouble = { hang: true };
  const given: number[] = [];
  const deadline = (ms: number) => {
    given.push(ms);
    return late.signal;
  };
  const recalled = kit
    .open({ deadline })
    .recall(question("x"))
    .catch((error) => error);
  await kit.server.asked(1);
  late.abort();
  const message = `Hindsight at ${kit.server.url} did not answer in 2 s.`;
  expect(await recalled).toMatchObject({
    code: "remote",
    message,
    hint: expect.stringContaining("hindsight_url"),
  });
  expect(given).toEqual([settings().hindsight_recall_timeout_ms]);
  const caller = new AbortController();
  const again = kit
    .open({ deadline: () => new AbortController().signal })
    .recall(question("x", { signal: caller.signal }))
    .catch((error) => error);
  await kit.server.asked(2);
  caller.abort();
  const inTime = message.replace("2 s", "time");
  expect(await again).toMatchObject({ code: "remote", message: inTime });
});

test("REMOTE-5: an unreachable and a failing server are each reported with what to do", async () => {
  const kit = await HindsightKit.start();
  kit.server.trouble = { status: 500, body: { detail: "out of\n memory." } };
  const failed = await kit
    .open()
    .recall(question("x"))
    .catch((error) => error);
  expect(failed).toMatchObject({
    code: "remote",
    message: `Hindsight at ${kit.server.url} answered 500: out of memory.`,
  });
  kit.server.stop();
  const gone = await kit
    .open()
    .recall(question("x"))
    .catch((error) => error);
  expect(gone.message).toStartWith(`Hindsight at ${kit.server.url} could not be reached (`);
  expect(gone.hint).toContain("`hindsight_url`");
});

test("HIND-23: pending items are recalled if most words match; pending removals and replacements are not", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open({ tags: ["project:a"] });
  await backend.retain([item("The old bridge is closed")]);
  await backend.documents.put(document("roads", "Bridge closed\n\nTunnel open"));
  await backend.sessions.keep(episode("s", ["Is the bridge closed?", "The ferry runs"]));
  await flush(backend);
  kit.server.trouble = { status: 500, on: ({ path }) => path === "/memories" };
  const { queued } = await backend.retain([
    item("Marta's new bridge opens in June"),
    item("他在学习机器学习"),
  ]);
  const ids = async (query: string) => (await backend.recall(question(query))).map(({ id }) => id);
  expect(await ids("Which bridge did the committee repair?")).not.toContain(queued[0]?.id);
  expect((await ids("When is the new bridge of Marta?"))[0]).toBe(queued[0]?.id ?? "");
  expect((await ids("机器学习"))[0]).toBe(queued[1]?.id ?? "");
  expect(await ids("June")).toEqual([queued[0]?.id ?? ""]);
  await backend.documents.put(document("roads", "Everything is open\n\nThe airport too"));
  const [airport] = await backend.recall(question("airport"));
  expect(airport).toMatchObject({
    id: "notes/roads",
    kind: "document",
    text: "About roads: The airport too",
  });
  expect(await ids("tunnel open")).not.toContain("notes/tunnel");
  expect((await backend.recall(question("tunnel"))).length).toBe(0);
  await backend.sessions.remove("s");
  expect(await ids("ferry runs")).toEqual([]);
  await backend.sessions.keep(episode("s", ["Hello", "A zeppelin lands"]));
  expect(await backend.recall(question("zeppelin"))).toMatchObject([
    { kind: "message", text: "A zeppelin lands" },
  ]);
});

test("HIND-23: another project's pending items are not recalled, and filters apply to pending items", async () => {
  const kit = await HindsightKit.start();
  const [a, b] = [kit.open({ tags: ["project:a"] }), kit.open({ tags: ["project:b"] })];
  kit.bank();
  await a.retain([item("Alpha waits", { tags: ["x"] }), item("Alpha everywhere", { everywhere: true })]);
  const texts = async (backend: typeof a, more = {}) =>
    (await backend.recall(question("alpha", more))).map(({ text }) => text);
  expect(await texts(b)).toEqual(["Alpha everywhere"]);
  expect(await texts(a)).toEqual(["Alpha waits", "Alpha everywhere"]);
  expect(await texts(a, { tags: ["x"] })).toEqual(["Alpha waits"]);
  expect(await texts(a, { since: Date.parse("2030-01-01") })).toEqual([]);
  kit.server.stop();
  expect(b.recallWaiting(question("alpha")).map(({ text }) => text)).toEqual(["Alpha everywhere"]);
});

test("HIND-5: a tagged memory of no project is recalled in every project, pending or stored", async () => {
  const kit = await HindsightKit.start();
  const [a, outside] = [kit.open({ tags: ["project:a"] }), kit.open()];
  const b = kit.open({ tags: ["project:b"] });
  await a.retain([item("Giraffes are tall", { tags: ["zoo"], everywhere: true }), item("Giraffes of a")]);
  await outside.retain([item("Giraffes are shy", { tags: ["zoo"] })]);
  const found = async (more = {}) =>
    (await b.recall(question("giraffes", more))).map(({ text, tags }) => [text, tags]).sort();
  const expected = [
    ["Giraffes are shy", ["zoo"]],
    ["Giraffes are tall", ["zoo"]],
  ];
  for (const settle of [async () => {}, () => flush(b), async () => kit.serverHasLearned()]) {
    await settle();
    expect(await found()).toEqual(expected);
    expect(await found({ tags: ["zoo"] })).toEqual(expected);
  }
  await outside.documents.put(document("herd", "Giraffes run", { tags: ["zoo"] }));
  expect(await found()).toContainEqual(["Giraffes run", ["zoo"]]);
});

test("HIND-5: a project recalls its memories from before it had a remote", async () => {
  const kit = await HindsightKit.start();
  const before = kit.open({ tags: ["project:old"] });
  await before.retain([item("Kept before the remote", { tags: ["x"] })]);
  const after = kit.open({ tags: ["project:new"], formerTags: ["project:old"] });
  for (const settle of [async () => {}, () => flush(after), async () => kit.serverHasLearned()]) {
    await settle();
    expect(await after.recall(question("before remote"))).toMatchObject([{ tags: ["x"] }]);
  }
  await after.retain([item("Kept after the remote")]);
  await flush(after);
  const [, sent] = kit.bank().documents.values();
  expect(sent?.tags).toEqual(["project:new"]);
});

test("messages of a chat are returned with that chat as a tag", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  await backend.sessions.keep({ ...episode("s", ["A zeppelin lands"]), chat: "work" });
  for (const settle of [async () => {}, () => flush(backend), async () => kit.serverHasLearned()]) {
    await settle();
    expect(await backend.recall(question("zeppelin"))).toMatchObject([{ tags: ["chat:work"] }]);
  }
});

test("HIND-23: a sent item counts as stored while the server processes it; after that only the server's results count", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.isLearning = true;
  const { queued } = await backend.retain([
    item("The lighthouse keeper is called Ivo"),
    item("Ivo has a boat"),
  ]);
  await backend.documents.put(document("plan", "Paint the lighthouse"));
  await backend.sessions.keep(episode("s", ["Is the lighthouse lit?"]));
  await flush(backend);
  expect((await backend.status()).waiting).toBe(0);
  const ids = async () => (await backend.recall(question("lighthouse"))).map(({ id }) => id).sort();
  expect(await ids()).toEqual(["notes/plan", queued[0]?.id ?? "", "session:s"]);
  expect(await backend.forget(queued[1]?.id ?? "")).toBe(true);
  expect(await backend.recall(question("boat"))).toEqual([]);
  kit.server.learn();
  await flush(backend);
  expect(await backend.recall(question("boat"))).toEqual([]);
  expect(
    (await backend.recall(question("lighthouse keeper"))).filter(({ text }) => text.includes("Ivo")),
  ).toHaveLength(1);
  kit.server.banks.clear();
  kit.bank();
  kit.serverHasLearned();
  expect(await ids()).toEqual([]);
});
