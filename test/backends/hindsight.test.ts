/** Requests to and responses from a fake Hindsight server, over real HTTP. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { document, episode, item, question } from "../contract/backend.ts";
import { flush, HindsightKit, settings } from "./hindsight-kit.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test("HIND-1: a batch is one request, each item with context, metadata, tags, time and its own id", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open({ tags: ["project:aurora"] });
  const { queued } = await backend.retain([
    item("Marta prefers tea", { context: "a chat", tags: ["people"], session: "s1", trust: "tool" }),
    item("Everybody likes cake", { everywhere: true }),
  ]);
  await flush(backend);
  const [request, ...more] = kit.server.sent("POST", "/memories");
  expect(more).toEqual([]);
  expect(request?.body).toEqual({
    async: true,
    operation_id: expect.stringMatching(UUID),
    items: [
      {
        content: "Marta prefers tea",
        timestamp: "2026-03-01T12:00:00.000Z",
        context: "a chat",
        metadata: { source: "retain", trust: "tool", session_id: "s1" },
        document_id: queued[0]?.id,
        tags: ["people", "project:aurora"],
        update_mode: "replace",
      },
      {
        content: "Everybody likes cake",
        timestamp: "2026-03-01T12:00:00.000Z",
        context: "retain",
        metadata: { source: "retain", trust: "stated" },
        document_id: queued[1]?.id,
        tags: [],
        update_mode: "replace",
      },
    ],
  });
});

test("an invalid time is sent as unset, so that the item is accepted", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.refuses = ({ timestamp }) => timestamp !== "unset" && Number.isNaN(Date.parse(timestamp ?? ""));
  const times = ["last Tuesday", "", "March 2026", "2026-13-45", "1", "2026-03-01 noon"];
  for (const [index, updated_at] of times.entries())
    await backend.documents.put(document(`d${index}`, "Bees dance", { updated_at }));
  await backend.retain([item("Bees hum", { at: "noon" })]);
  const turns = [{ role: "user" as const, content: "Do bees sleep?", at: "whenever" }];
  await backend.sessions.keep({ ...episode("s", []), turns });
  await flush(backend);
  kit.serverHasLearned();
  expect(await backend.status()).toMatchObject({ waiting: 0, stuck: [] });
  const sent = kit.server.sent("POST", "/memories").flatMap(({ body }) => body.items);
  expect(new Set(sent.map(({ timestamp }: { timestamp: string }) => timestamp))).toEqual(new Set(["unset"]));
  for (const at of ["2026-03-01", "2026-03-01T12:00:00+02:00", "2026-03-01 12:00"]) {
    await backend.documents.put(document("d0", `Bees at ${at}`, { updated_at: at }));
    await flush(backend);
    expect(kit.server.sent("POST", "/memories").at(-1)?.body.items[0].timestamp).toBe(at);
  }
});

test("an edited statement keeps its metadata, wherever the server stores it", async () => {
  const kit = await HindsightKit.start();
  const [id, bank_id, original_text] = [`retain:${"0".repeat(32)}`, "retain", "Paint it"];
  const metadata = { trust: "tool", session_id: "s1" };
  const answers = [
    { document_metadata: metadata },
    { document_metadata: {}, retain_params: { metadata } },
    { document_metadata: null, retain_params: { metadata, context: "x", chunk_size: 3 } },
    {
      document_metadata: { trust: "tool" },
      retain_params: { metadata: { ...metadata, trust: "stated" } },
    },
  ];
  for (const [index, answer] of answers.entries()) {
    const body = { id, bank_id, original_text, updated_at: "2026-03-01T00:00:00Z", ...answer };
    kit.server.trouble = { raw: JSON.stringify(body), on: ({ method }) => method === "GET" };
    const backend = kit.open({ spoolDirectory: join(kit.directory, String(index)) });
    await backend.edit(id, "Paint it blue");
    await flush(backend);
    expect(kit.server.sent("POST", "/memories").at(-1)?.body.items[0].metadata).toEqual(metadata);
  }
});

test("HIND-1: each process sends the bank's mission once, before the first write", async () => {
  const kit = await HindsightKit.start();
  const [first, second] = [kit.open(), kit.open()];
  await first.retain([item("one")]);
  await flush(first);
  await second.retain([item("two")]);
  await flush(second);
  const told = kit.server.requests.filter(({ method }) => method === "PUT");
  expect(told.map(({ path, body }) => [path, body])).toEqual([
    ["", { reflect_mission: settings().hindsight_bank_mission }],
  ]);
  expect(kit.server.requests[0]?.method).toBe("PUT");
});

test("HIND-1: items are sent even if the server rejects the mission, and an empty mission is not sent", async () => {
  const kit = await HindsightKit.start();
  kit.server.trouble = { status: 500, on: ({ method }) => method === "PUT" };
  const backend = kit.open();
  await backend.retain([item("one")]);
  await flush(backend);
  expect(kit.bank().documents.size).toBe(1);
  const other = kit.open({ bank: "other", settings: settings({ hindsight_bank_mission: "" }) });
  await other.retain([item("one")]);
  await flush(other);
  expect(kit.server.requests.filter(({ method, bank }) => method === "PUT" && bank === "other")).toEqual([]);
});

test("HIND-10: a retry after a lost response is the same operation, and nothing is stored twice", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.trouble = { cut: "after", on: ({ path }) => path === "/memories" };
  await backend.retain([item("Only once")]);
  await flush(backend);
  expect((await backend.status()).waiting).toBe(1);
  kit.server.trouble = null;
  kit.time.now += 3_600_000;
  await flush(backend);
  expect((await backend.status()).waiting).toBe(0);
  const operations = kit.server.sent("POST", "/memories").map(({ body }) => body.operation_id);
  expect(operations).toHaveLength(2);
  expect(new Set(operations).size).toBe(1);
  expect([...kit.bank().memories.values()]).toHaveLength(1);
});

test("HIND-10: if the operation id is taken, the items are sent without one", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.trouble = { status: 409, on: ({ body }) => body?.operation_id !== undefined };
  await backend.retain([item("Said all the same")]);
  await flush(backend);
  expect(kit.bank().documents.size).toBe(1);
});

test("SPOOL-6: items that a server silently drops from a batch are sent again", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  kit.server.takes = 1;
  await backend.retain([item("one"), item("two"), item("three")]);
  await flush(backend);
  expect([...kit.bank().memories.values()].map(({ text }) => text).sort()).toEqual(["one", "three", "two"]);
});

test("HIND-5: projects that share a bank keep same-named documents and conversations apart, and share memories of no project", async () => {
  const kit = await HindsightKit.start();
  const [aurora, borealis] = [kit.open({ tags: ["project:a"] }), kit.open({ tags: ["project:b"] })];
  for (const [backend, name] of [
    [aurora, "aurora"],
    [borealis, "borealis"],
  ] as const) {
    await backend.documents.put(document("plan", `The plan of ${name}`));
    await backend.sessions.keep(episode("session_20260301_001", [`We speak of ${name}`]));
    await backend.retain([item(`The colour of ${name} is blue`)]);
  }
  await aurora.retain([item("The colour of everything is grey", { everywhere: true })]);
  await flush(aurora);
  for (const [backend, name] of [
    [aurora, "aurora"],
    [borealis, "borealis"],
  ] as const) {
    for (const [kinds, text] of [
      [["document"], `The plan of ${name}`],
      [["message"], `We speak of ${name}`],
    ] as const)
      expect(await backend.recall(question("the plan we speak of", { kinds }))).toMatchObject([{ text }]);
    const texts = (await backend.recall(question("the colour of"))).map(({ text }) => text);
    expect(texts).toContain("The colour of everything is grey");
    expect(texts).toContain(`The colour of ${name} is blue`);
    expect(texts).toHaveLength(4);
  }
});

test("HIND-5: another project's process can send a queued item, with the original project's tags", async () => {
  const kit = await HindsightKit.start();
  const aurora = kit.open({ tags: ["project:a"], self: "here:1" });
  await aurora.retain([item("Said in aurora", { tags: ["own"] })]);
  await aurora.documents.put(document("plan", "Of aurora"));
  aurora.close();
  await flush(kit.open({ tags: ["project:b"], self: "here:2" }));
  const tags = [...kit.bank().documents.values()].map((held) => held.tags);
  expect(tags).toEqual([["own", "project:a"], ["project:a"]]);
});

test("REMOTE-7: forgetting a pending item sends nothing; a stored one is deleted with its text", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  const { queued } = await backend.retain([item("A secret wish"), item("A plain fact")]);
  expect(await backend.forget(queued[0]?.id ?? "")).toBe(true);
  const files = readdirSync(kit.directory).map((name) => readFileSync(join(kit.directory, name), "utf8"));
  expect(files.join()).not.toContain("secret wish");
  await flush(backend);
  expect(JSON.stringify(kit.server.requests.map(({ body }) => body))).not.toContain("secret wish");
  const [hit] = await backend.recall(question("plain fact"));
  expect(await backend.forget(hit?.id ?? "")).toBe(true);
  expect(kit.bank().documents.size).toBe(0);
});

test("REMOTE-7: a memory learned from a conversation is invalidated on its own; for a derived one the error says what to forget", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open();
  await backend.sessions.keep(episode("s", ["The tower is tall", "The river is wide"]));
  await flush(backend);
  const [tower] = await backend.recall(question("tower tall"));
  expect(tower).toMatchObject({ kind: "message", session: "s", trust: "inferred" });
  expect(await backend.forget(tower?.id ?? "")).toBe(true);
  expect(await backend.recall(question("tower tall"))).toEqual([]);
  expect(await backend.forget(tower?.id ?? "")).toBe(false);
  expect(kit.bank().documents.size).toBe(1);
  const [river] = [...kit.bank().memories.values()].filter(({ text }) => text.includes("river"));
  kit
    .bank()
    .memories.set("derived", { ...river, id: "derived", observation: true } as NonNullable<typeof river>);
  const failure = await backend.forget("derived").catch((error) => error);
  expect(failure).toMatchObject({ code: "remote", hint: expect.stringContaining("derived") });
});

test("CLEAR-10: clearing empties the spool, and says how to delete the server's data", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open({ bank: "my bank" });
  await backend.retain([item("one"), item("two")]);
  expect((await backend.status()).location).toBe(`bank my bank at ${kit.server.url}`);
  const { done, left } = await backend.empty();
  expect(done).toEqual([expect.stringContaining("2 memories")]);
  expect(left.join()).toContain(`curl -X DELETE ${kit.server.url}/v1/default/banks/my%20bank`);
  await flush(backend);
  expect(kit.server.requests).toEqual([]);
});

test("CLEAR-10: in a project, clearing removes that project's pending items; outside projects, all of them", async () => {
  const kit = await HindsightKit.start();
  const heron = kit.open({ tags: ["project:heron-1a"] });
  const tern = kit.open({ tags: ["project:tern-2b"] });
  const outside = kit.open();
  await heron.retain([item("one"), item("two"), { ...item("for all"), everywhere: true, tags: ["tea"] }]);
  await heron.sessions.remove("s");
  await tern.retain([item("three")]);
  await tern.sessions.remove("s");
  writeFileSync(join(kit.directory, `001772366500000-${"0".repeat(32)}-00000000.json`), "{");
  const all = [
    "2 of project heron-1a",
    "1 of no project",
    "2 to delete on the server",
    "1 of project tern-2b",
  ];
  const unread = "1 unreadable";
  expect(outside.toEmpty()).toEqual({ goes: [...all, unread], stays: [] });
  const stays = [
    expect.stringMatching(
      /: 1 of no project, 1 of project tern-2b, 1 to delete on the server, 1 unreadable\. .*retain clear --global$/,
    ),
  ];
  expect(heron.toEmpty()).toEqual({ goes: ["2 of project heron-1a", "1 to delete on the server"], stays });
  const { done, left } = await heron.empty();
  expect(done).toEqual([expect.stringContaining("3 memories")]);
  expect(left[0]).toEqual(stays[0] ?? "");
  expect(heron.toEmpty()).toEqual({ goes: [], stays });
  expect(tern.toEmpty().goes).toEqual(["1 of project tern-2b", "1 to delete on the server"]);
  expect((await outside.empty()).done).toEqual([expect.stringContaining("4 memories")]);
  expect(outside.toEmpty()).toEqual({ goes: [], stays: [] });
});

test("CLEAR-10: the deletion command mentions shared projects and uses the key's variable, not the key", async () => {
  const kit = await HindsightKit.start();
  const { left } = await kit.open({ key: "sesame", tags: ["project:a"] }).empty();
  expect(left).toEqual([
    expect.stringContaining(
      `: curl -X DELETE -H "Authorization: Bearer $HINDSIGHT_API_KEY" ${kit.server.url}/v1/default/banks/retain`,
    ),
    expect.stringContaining("project:a"),
  ]);
});

test("MODELS-17: mental models are listed with answers, created once and refreshed, and no id escapes its path", async () => {
  const kit = await HindsightKit.start();
  const backend = kit.open({ tags: ["project:a"] });
  const { models } = backend;
  expect(await models.list()).toEqual([]);
  await backend.retain([item("Decided to use Bun")]);
  await flush(backend);
  const id = await models.create("project-decisions", "What was decided?", []);
  expect(id).toMatch(/^project-decisions-[0-9a-f]{8}$/);
  expect(await models.create("project-decisions", "Another question?", [])).toBe(id);
  const general = await models.create("user-preferences", "What is preferred?", [], true);
  expect(general).toBe("user-preferences");
  const tagged = await models.create("kitchen", "What is in the kitchen?", ["home"], true);
  await kit.open({ tags: ["project:b"] }).models.create("project-decisions", "And here?", []);
  expect([...kit.bank().models.values()].map(({ tags }) => tags)).toEqual([
    ["project:a"],
    [],
    ["home"],
    ["project:b"],
  ]);
  expect(await models.refresh(id)).toBe(true);
  const listed = await models.list();
  expect(listed.map((model) => model.id)).toEqual([id, general, tagged]);
  expect(listed[0]).toMatchObject({
    question: "What was decided?",
    content: "- Decided to use Bun",
    isStale: false,
  });
  expect(await models.refresh("no-such-model")).toBe(false);
  for (const id of ["..", ".", ""])
    expect([await models.refresh(id), await backend.forget(id)]).toEqual([false, false]);
});
