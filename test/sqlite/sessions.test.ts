/** Conversations in the real database: stored data is read back, removed data is gone. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { MessageDetails, NewMessage } from "../../src/core/sessions/conversation.ts";
import { SqliteCare } from "../../src/sqlite/database/care.ts";
import { contents, DAY, ME, said, talk } from "../helpers/conversations.ts";
import { letters, Store } from "../helpers/store.ts";

const text = fc.string({ unit: "grapheme" }).filter((one) => !one.includes("\0"));
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const tokens = fc.option(fc.nat(), { nil: null });
const details = fc.record(
  {
    calls: fc.array(
      fc.record(
        { id: text, name: text, input: json, invalid: text },
        { requiredKeys: ["id", "name", "input"] },
      ),
    ),
    thinking: fc.array(fc.record({ text, metadata: json }, { requiredKeys: ["text"] })),
    context: fc.array(
      fc.record(
        { name: text, title: text, tokens: fc.nat(), memories: fc.array(text) },
        { requiredKeys: ["name", "title", "tokens"] },
      ),
    ),
    model: text,
    usage: fc.record({ input: tokens, output: tokens, cacheRead: tokens, cacheWrite: tokens }),
    interrupted: fc.boolean(),
    results: fc.array(fc.record({ id: text, name: text, output: text, ok: fc.boolean() })),
    compactsTo: fc.nat(),
  },
  { requiredKeys: [] },
);
const message: fc.Arbitrary<NewMessage> = fc.record({
  role: fc.constantFrom("user", "assistant", "system", "tool"),
  speaker: fc.option(text, { nil: null }),
  content: text,
  timestamp: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  token_count: tokens,
  details: details as fc.Arbitrary<MessageDetails>,
});

test("SESS-1: any message is read back as it was stored", async () => {
  const { sessions } = new Store();
  const some = fc.array(message, { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(some, some, async (first, more) => {
      const { id, messages } = await sessions.begin(ME, first);
      const added = await sessions.append({ id, chat: "main", title: null }, more);
      const stored = [...messages, ...added];
      expect(stored.map(({ id: _, ...rest }) => rest)).toEqual([...first, ...more] as typeof stored);
      expect(sessions.messages(id)).toEqual(stored);
      for (const one of stored)
        expect(sessions.message(one.id)).toEqual({ ...one, session: id, chat: "main" });
    }),
    { numRuns: 60 },
  );
});

test("SESS-1: of invalid details, the valid parts are read", async () => {
  const { sessions, database } = new Store();
  const { id, messages } = await sessions.begin(ME, talk("Hello"));
  const spoilt: [string, object][] = [
    ["", {}],
    ["[1]", {}],
    ['"text"', {}],
    ['{"calls": 5, "model": "m"}', { model: "m" }],
    ['{"calls": [{"id": 1}], "results": {}, "interrupted": true}', { interrupted: true }],
    ['{"usage": {"input": "many"}, "compactsTo": "all"}', {}],
    ['{"what a later version adds": 1}', { "what a later version adds": 1 }],
  ];
  for (const [kept, read] of spoilt) {
    await database.transaction((rows) => rows.query("UPDATE messages SET details = ?").run(kept));
    expect(sessions.messages(id)).toEqual([{ ...messages[0], details: read } as (typeof messages)[0]]);
  }
});

test("SESS-2: a session's id is its day and the next number of that day", async () => {
  const { sessions } = new Store();
  const begin = async (day = DAY) => (await sessions.begin({ ...ME, day }, talk("Hello"))).id;
  expect([await begin(), await begin(), await begin("2026-02-19"), await begin()]).toEqual([
    "session_20260218_001",
    "session_20260218_002",
    "session_20260219_001",
    "session_20260218_003",
  ]);
  for (const id of ["session_20260218_041", "session_20260218_99999999999999999999", "session_20260218_x"])
    await sessions.append({ id, chat: "main", title: null }, talk("Taken over"));
  expect(await begin()).toBe("session_20260218_042");
  await sessions.append({ id: "session_20260218_999", chat: "main", title: null }, talk("Taken over"));
  expect(await begin()).toBe("session_20260218_1000");
});

test("SESS-2: the number of a removed session is not reused", async () => {
  const { sessions } = new Store();
  const begin = async () => (await sessions.begin(ME, talk("Hello"))).id;
  for (const id of [await begin(), await begin()]) expect(await sessions.remove(id)).toBe(true);
  expect(await begin()).toBe("session_20260218_003");
  await sessions.append({ id: "session_20260218_017", chat: "main", title: null }, talk("Taken over"));
  await sessions.remove("session_20260218_017");
  expect(await begin()).toBe("session_20260218_018");
});

test("SESS-5: tool output and summaries of older messages are neither searched nor counted", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin(ME, [
    said("user", "Where is the walrus?"),
    said("assistant", "", { details: { calls: [{ id: "1", name: "read", input: { path: "walrus.txt" } }] } }),
    said("tool", "walrus in the results", {
      details: { results: [{ id: "1", name: "read", output: "walrus", ok: true }] },
    }),
    said("system", "They spoke of a walrus", { details: { compactsTo: 1 } }),
    said("assistant", "The walrus is in", { details: { interrupted: true } }),
    said("assistant", "[MEMORY] The walrus is called Ada"),
  ]);
  expect((await store.ask("walrus")).sort()).toEqual(["The walrus is in", "Where is the walrus?"]);
  expect(store.sessions.session(id)?.messages).toBe(4);
  expect(store.sessions.messages(id)).toHaveLength(6);
  const [, , , , reply] = store.sessions.messages(id);
  const around = store.sessions.around({ ...reply, session: id, chat: "main" } as never, 2);
  expect(around.map(({ role }) => role)).toEqual(["user", "assistant", "assistant", "assistant"]);
});

test("SESS-5: a turn is found by its neighbouring turns, ignoring tool calls in between", async () => {
  const store = new Store();
  await store.sessions.begin(ME, [said("user", "Which plant likes shade?")]);
  const add = (message: NewMessage) =>
    store.sessions.append({ id: "session_20260218_001", chat: "main", title: null }, [message]);
  await add(said("tool", "ferns.md"));
  await add(said("assistant", "A fern."));
  const nextTo = (word: string) =>
    store.database.read([], (rows) =>
      rows
        .query("SELECT chunks.text FROM chunks JOIN words ON words.rowid = chunk_id WHERE words MATCH ?")
        .values(`neighbours : ${word}`)
        .flat(),
    );
  expect([nextTo("shade"), nextTo("fern")]).toEqual([["A fern."], []]);
});

test("SESS-6: a summary is searched with its title, in its chat; a new one replaces it, also after a rebuild", async () => {
  const store = new Store();
  const { id } = await store.sessions.begin({ ...ME, chat: "work", title: "Herons" }, talk("Hi", "Hello"));
  const found = (query: string, scope = "work") =>
    store.ask(query, { filter: { kinds: ["summary"], scopes: [scope] } });
  await store.sessions.change(id, { summary: "They counted birds at the lake." });
  for (const query of ["lake", "herons"])
    expect([query, await found(query)]).toEqual([query, ["They counted birds at the lake."]]);
  expect(await found("lake", "main")).toEqual([]);
  await store.sessions.change(id, { summary: "They counted otters." });
  await store.sessions.change(id, { title: "Weasels", tags: ["fauna"] });
  const care = new SqliteCare(store.database);
  for (const rebuilt of [false, true]) {
    if (rebuilt) await store.database.exclusively(() => care.clear());
    store.sessions.rebuild();
    expect([await found("lake"), await found("herons")]).toEqual([[], []]);
    expect(await found("weasels")).toEqual(["They counted otters."]);
    expect(await found("tag:fauna otters")).toEqual(["They counted otters."]);
  }
  expect(care.check().problems).toEqual([]);
});

test("SESS-26: sessions are listed newest first, by chat and tag, without empty ones", async () => {
  const { sessions } = new Store();
  const begin = async (chat: string, minute: number) =>
    (await sessions.begin({ ...ME, chat }, [said("user", "Hello", { minute })])).id;
  const [first, second, third] = [await begin("main", 1), await begin("work", 3), await begin("main", 2)];
  await sessions.begin(ME, [said("tool", "Nothing said", { minute: 9 })]);
  for (const id of [first, second]) await sessions.change(id, { tags: ["Über", "b"] });
  const ids = (wanted: Parameters<typeof sessions.list>[0]) => sessions.list(wanted).map(({ id }) => id);
  expect(ids({})).toEqual([second, third, first]);
  expect(ids({ chat: "main" })).toEqual([third, first]);
  expect(ids({ tag: "über" })).toEqual([second, first]);
  expect(ids({ tag: "b", limit: 1 })).toEqual([second]);
  expect(ids({ limit: 2 })).toEqual([second, third]);
  expect(ids({ chat: "none" })).toEqual([]);
  expect(sessions.idsFrom("session_20260218", 2)).toHaveLength(2);
  expect(sessions.idsFrom("session_2026_218", 2)).toEqual([]);
  expect(sessions.idsFrom("%", 2)).toEqual([]);
});

test("SESS-8: one process has a session open; another can claim it once that one has ended or released it", async () => {
  const { sessions } = new Store();
  const { id } = await sessions.begin({ ...ME, openedBy: "here:1" }, talk("Hello"));
  const [alive, gone] = [() => false, () => true];
  expect(await sessions.claim(id, "here:2", alive)).toBe("here:1");
  expect(await sessions.claim(id, "here:1", alive)).toBe("here:1");
  expect(await sessions.claim(id, "here:2", gone)).toBe("here:2");
  await sessions.release(id, "here:1");
  expect(sessions.session(id)?.openedBy).toBe("here:2");
  await sessions.release(id, "here:2");
  expect(sessions.session(id)?.openedBy).toBeNull();
  expect(await sessions.claim(id, "here:3", alive)).toBe("here:3");
  await expect(sessions.claim("none", "here:3", alive)).rejects.toThrow('There is no session "none".');
  await expect(sessions.change("none", { title: "x" })).rejects.toThrow('There is no session "none".');
});

test("SESS-6: a closed session with turns after its summary is due for a new one", async () => {
  const { sessions } = new Store();
  const begin = async (openedBy: string | null, minute: number) =>
    (await sessions.begin({ ...ME, openedBy }, [said("user", "Hello", { minute })])).id;
  const [late, open, killed] = [await begin(null, 5), await begin("here:1", 1), await begin("here:2", 2)];
  const waiting = () => sessions.unsummarised((holder) => holder === "here:2").map(({ id }) => id);
  expect(waiting()).toEqual([killed, late]);
  await sessions.change(late, { summary: "They said hello." });
  await sessions.change(killed, { title: "A title is no summary" });
  expect(waiting()).toEqual([killed]);
  const session = { id: late, chat: "main", title: null };
  const [covered] = await sessions.append(session, [said("user", "One more", { minute: 6 })]);
  await sessions.append(session, [said("tool", "Not said", { minute: 7 })]);
  expect(waiting()).toEqual([killed, late]);
  await sessions.change(late, { summary: "They said more.", coversTo: covered?.id ?? 0 });
  expect(waiting()).toEqual([killed]);
  await sessions.append(session, [said("assistant", "And more", { minute: 8 })]);
  await sessions.change(late, { summary: "They said more.", coversTo: covered?.id ?? 0 });
  expect(waiting()).toEqual([killed, late]);
  await sessions.release(open, "here:1");
  expect(waiting()).toEqual([open, killed, late]);
});

test("SESS-30: a removed session leaves no row and is not found", async () => {
  const store = new Store([letters]);
  const { sessions, database } = store;
  const { id, messages } = await sessions.begin(
    { ...ME, title: "Albatross" },
    talk("An albatross", "Yes, it flies"),
  );
  await sessions.change(id, { summary: "They saw an albatross.", tags: ["albatross"] });
  const { id: other } = await sessions.begin(ME, talk("A pelican", "Yes, it swims"));
  await store.embed();
  await sessions.append({ id, chat: "main", title: null }, talk("The albatross waits for its vector"));
  const refs = [...messages.map(({ id: number }) => ({ kind: "message" as const, source: String(number) }))];
  await store.log.record([...refs, { kind: "summary", source: id }], new Date());
  const found = async () => (await store.ask("albatross")).filter((one) => one.includes("albatross"));
  expect(await found()).toHaveLength(3);
  expect(await sessions.remove(id)).toBe(true);
  expect(await sessions.remove(id)).toBe(false);
  expect(await found()).toEqual([]);
  expect(sessions.session(id)).toBeNull();
  expect(contents(sessions.messages(other))).toEqual(["A pelican", "Yes, it swims"]);
  const count = (table: string) =>
    database.read([], (rows) => rows.query(`SELECT count(*) FROM ${table}`).values().flat());
  const left = [
    "sessions",
    "messages",
    "chunks",
    "words_docsize",
    "trigrams_docsize",
    "vectors",
    "pending",
    "recalls",
  ];
  expect(left.map((table) => [table, ...count(table)])).toEqual([
    ["sessions", 1],
    ["messages", 2],
    ["chunks", 2],
    ["words_docsize", 2],
    ["trigrams_docsize", 2],
    ["vectors", 2],
    ["pending", 0],
    ["recalls", 0],
  ]);
  expect(new SqliteCare(database).check().problems).toEqual([]);
});

test("SESS-32: every text of a conversation can be edited, including tool calls and results", async () => {
  const store = new Store();
  const { sessions } = store;
  const { id } = await sessions.begin({ ...ME, title: "On Grendel" }, [
    said("user", "Who is Grendel?"),
    said("assistant", 'A "Grendel"\n', {
      details: {
        calls: [{ id: "1", name: "look", input: { Grendel: ["is", { deep: 'in "Grendel"\n' }], number: 5 } }],
        thinking: [{ text: "Who?", metadata: { signature: "a monster's" } }],
        usage: { input: 1, output: null, cacheRead: 0, cacheWrite: 0 },
      },
    }),
    said("tool", "", {
      details: { results: [{ id: "1", name: "look", output: "Grendel\t\u0000", ok: true }] },
    }),
  ]);
  await sessions.change(id, { summary: "They spoke of Grendel.", tags: ["Grendel", "b"] });
  const { id: other } = await sessions.begin(ME, talk("Nothing of the kind"));
  const before = sessions.messages(other);
  const edit = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll("Grendel", "[forgotten]")) as unknown;
  const [messages, session] = [edit(sessions.messages(id)), edit(sessions.session(id))];
  expect(await sessions.rewrite((one) => one.replaceAll("Grendel", "[forgotten]"))).toBe(1);
  expect(sessions.messages(id) as unknown).toEqual(messages);
  expect(sessions.session(id) as unknown).toEqual(session);
  expect(sessions.messages(other)).toEqual(before);
  expect((await store.ask("forgotten")).sort()).toEqual([
    'A "[forgotten]"',
    "They spoke of [forgotten].",
    "Who is [forgotten]?",
  ]);
  expect(await sessions.rewrite((one) => one.replaceAll("Grendel", "x"))).toBe(0);
  expect(await store.ask("Grendel")).toEqual([]);
});

test("SESS-32: a thinking block that would change is dropped, since it is signed; others stay", async () => {
  const { sessions } = new Store();
  const [kept, ...changed] = [
    { text: "Who?", metadata: { signature: "abc" } },
    { text: "Is it Grendel?", metadata: { signature: "def" } },
    { text: "", metadata: { redactedData: "xGrendelx" } },
  ];
  const details = { thinking: [...changed, kept], calls: [{ id: "1", name: "look", input: "Grendel" }] };
  const { id } = await sessions.begin(ME, [said("assistant", "Nobody.", { details: details as never })]);
  expect(await sessions.rewrite((one) => one.replaceAll("Grendel", "[forgotten]"))).toBe(1);
  const after = { thinking: [kept], calls: [{ id: "1", name: "look", input: "[forgotten]" }] };
  expect(sessions.messages(id)[0]?.details as unknown).toEqual(after);
  expect(await sessions.rewrite((one) => one.replaceAll("Grendel", "x"))).toBe(0);
});

test("SESS-32: after any edit, a tool's input is still JSON", async () => {
  const { sessions } = new Store();
  await fc.assert(
    fc.asyncProperty(message, fc.constantFrom('"', "\\", "{", "a", "\n"), async (one, letter) => {
      const { id } = await sessions.begin(ME, [one]);
      const edit = (value: string) => value.replaceAll(letter, '"}\\');
      await sessions.rewrite(edit);
      const [stored] = sessions.messages(id);
      expect(stored?.content).toBe(edit(one.content));
      const outputs = one.details?.results?.map(({ output }) => edit(output));
      expect(stored?.details.results?.map(({ output }) => output)).toEqual(outputs);
      await sessions.remove(id);
    }),
    { numRuns: 60 },
  );
});
