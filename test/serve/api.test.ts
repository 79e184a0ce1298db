/** What the API does with memories: where it stores them, and what it finds again. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OpenAiServer } from "../helpers/openai-server.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { type Served, serveHere } from "./kit.ts";

const bank = (name: string, path = "") => `/v1/default/banks/${encodeURIComponent(name)}${path}`;

async function retain({ ask }: Served, name: string, items: readonly object[]) {
  expect(await ask(bank(name, "/memories"), { body: { items } })).toMatchObject({ status: 200 });
}

async function recalled({ ask }: Served, name: string, body: object): Promise<string[]> {
  const answer = await ask(bank(name, "/memories/recall"), { body });
  expect(answer.status).toBe(200);
  return answer.body.results.map(({ text }: { text: string }) => text);
}

test("SERVE-4: a plain statement is a fact in the bank's MEMORY.md, and everything else a document", async () => {
  const served = await serveHere();
  const { ask, sandbox } = served;
  await retain(served, "team", [
    { content: "The deploy runs on Fridays", context: "ops", metadata: { session_id: "s1" } },
    { content: "Numbers\n\n- 1\n- 2", document_id: "Q1 report" },
    { content: "---\ntitle: kept\n---\nBody", document_id: "front" },
    { content: "Tagged, with a comma", tags: ["a,b"], metadata: { channel: "general" } },
  ]);
  const directory = join(sandbox.memory, "banks/team");
  expect(readFileSync(join(directory, "memories/MEMORY.md"), "utf8")).toContain(
    "## ops\n\n- The deploy runs on Fridays\n",
  );
  expect(
    readdirSync(join(directory, "collections/memory")).filter((name) => name.endsWith(".md")),
  ).toHaveLength(3);
  for (const [id, text] of [
    ["Q1 report", "Numbers\n\n- 1\n- 2"],
    ["front", "---\ntitle: kept\n---\nBody"],
  ] as const)
    expect((await ask(bank("team", `/documents/${encodeURIComponent(id)}`))).body.original_text.trim()).toBe(
      text,
    );
  const asBank = { RETAIN_HOME: directory };
  expect(sandbox.ok(["facts", "--json"], { env: asBank }).json.data.facts[0].text).toBe(
    "The deploy runs on Fridays",
  );
  expect(sandbox.ok(["list", "--json"], { env: asBank }).json.data.total).toBe(3);
  const tags = { tags: ["a,b"], tags_match: "all_strict" };
  expect(await recalled(served, "team", { query: "comma", ...tags })).toEqual(["Tagged, with a comma"]);
});

test("SERVE-7: a bank without a write reads as empty and isn't created, and the bank 'global' is apart from the home memory", async () => {
  const served = await serveHere();
  const { ask, sandbox } = served;
  sandbox.ok(["remember", "Herons nest by the lake"]);
  const query = { query: "herons" };
  for (const name of ["global", "nobody"]) {
    expect((await ask(bank(name, "/memories/list"))).body.items).toEqual([]);
    expect(await recalled(served, name, query)).toEqual([]);
    expect((await ask(bank(name, "/profile"))).status).toBe(404);
  }
  expect((await ask("/v1/default/banks")).body.banks).toEqual([]);
  expect(existsSync(join(sandbox.memory, "banks"))).toBe(false);
  await retain(served, "global", [{ content: "Herons eat fish" }]);
  expect(await recalled(served, "global", query)).toEqual(["Herons eat fish"]);
  expect((await ask(bank("global"), { method: "DELETE" })).status).toBe(200);
  expect(sandbox.ok(["facts", "--json"]).json.data.facts).toMatchObject([
    { text: "Herons nest by the lake" },
  ]);
});

test("SERVE-4: appends to one document at the same time all arrive", async () => {
  const served = await serveHere();
  const parts = Array.from({ length: 12 }, (_, index) => `Part ${index} of the log`);
  await Promise.all(
    parts.map((content) => retain(served, "b", [{ content, document_id: "log", update_mode: "append" }])),
  );
  const { body } = await served.ask("/v1/default/banks/b/documents/log");
  for (const part of parts) expect(body.original_text).toContain(part);
});

test("SERVE-4: an append keeps what it doesn't name: metadata, context and date", async () => {
  const served = await serveHere();
  const shown = async (id: string) =>
    (await served.ask(bank("b", `/documents/${encodeURIComponent(id)}`))).body;
  const first = {
    ...{ content: "Begun", document_id: "log", context: "ops", timestamp: "2026-03-01T10:00:00Z" },
    metadata: { author: "ada", stage: "draft", trust: "stated" },
  };
  await retain(served, "b", [first]);
  const more = { document_id: "log", update_mode: "append" };
  await retain(served, "b", [{ ...more, content: "More" }]);
  await Promise.all(
    [{ stage: "final" }, { editor: "bo" }].map((metadata) =>
      retain(served, "b", [{ ...more, content: JSON.stringify(metadata), metadata }]),
    ),
  );
  expect(await shown("log")).toMatchObject({
    document_metadata: { author: "ada", stage: "final", trust: "stated", editor: "bo" },
    retain_params: { context: "ops" },
  });
  const file = readFileSync(join(served.sandbox.memory, "banks/b/collections/memory/log.md"), "utf8");
  expect(file).toContain("2026-03-01T10:00:00");
  expect(file).toMatch(/^trust: stated$/m);
  const path = join(served.sandbox.memory, "banks/b/collections/life");
  mkdirSync(path);
  writeFileSync(join(path, "notes.md"), "---\ncontext: diary\nmetadata:\n  author: ada\n---\nBy hand\n");
  const copied = { document_id: "life/notes", update_mode: "append", metadata: { editor: "bo" } };
  await retain(served, "b", [{ ...copied, content: "Appended" }]);
  expect(await shown("life/notes")).toMatchObject({
    document_metadata: { author: "ada", editor: "bo" },
    retain_params: { context: "diary" },
  });
});

test("SERVE-4: an append keeps an edit that is made while it waits for the lock", async () => {
  const served = await serveHere();
  const { sandbox, ask } = served;
  const path = bank("b", "/documents/log");
  await retain(served, "b", [{ content: "Begun", document_id: "log", tags: ["first"] }]);
  const directory = join(sandbox.memory, "banks/b");
  const appended = { content: "Appended", document_id: "log", update_mode: "append", tags: ["second"] };
  using lock = new Database(join(directory, ".lock"));
  lock.run("BEGIN IMMEDIATE");
  const answer = retain(served, "b", [appended]);
  for (let round = 0; round < 10; round++) await ask(path);
  appendFileSync(join(directory, "collections/memory/log.md"), "\n\nBy hand\n");
  lock.run("COMMIT");
  await answer;
  const { body } = await ask(path);
  expect(body.original_text).toBe("Begun\n\nBy hand\n\nAppended");
  expect(body.tags).toEqual(["first", "second"]);
});

test("SERVE-4: appending to a file that a person wrote keeps the text; a document of another collection is copied", async () => {
  const served = await serveHere();
  const { sandbox } = served;
  await retain(served, "b", [{ content: "A fact" }]);
  const asBank = { RETAIN_HOME: join(sandbox.memory, "banks/b") };
  for (const collection of ["memory", "life"])
    sandbox.ok(["put", "-", "--id", "notes", "--collection", collection], {
      stdin: "By hand\n",
      env: asBank,
    });
  for (const document_id of ["notes", "life/notes"]) {
    await retain(served, "b", [{ content: "Appended", document_id, update_mode: "append" }]);
    const { body } = await served.ask(bank("b", `/documents/${encodeURIComponent(document_id)}`));
    expect(body.original_text).toMatch(/^By hand\n+Appended$/);
  }
  const life = sandbox.ok(["get", "notes", "--collection", "life"], { env: asBank }).stdout;
  expect(life).not.toContain("Appended");
});

test("SERVE-4: a document is replaced as a whole, appended to, and put together from the items of one request", async () => {
  const served = await serveHere();
  const text = async () => (await served.ask(bank("b", "/documents/log"))).body;
  await retain(served, "b", [{ content: "One", document_id: "log", tags: ["x"], context: "first" }]);
  await retain(served, "b", [{ content: "Two", document_id: "log" }]);
  expect(await text()).toMatchObject({ original_text: "Two", tags: [], retain_params: { context: null } });
  await retain(served, "b", [{ content: "Three", document_id: "log", update_mode: "append" }]);
  expect((await text()).original_text).toBe("Two\n\nThree");
  await retain(served, "b", [
    { content: "Four", document_id: "log" },
    { content: "Five", document_id: "log" },
  ]);
  expect((await text()).original_text).toBe("Four\n\nFive");
});

test("SERVE-4: any bank id works, each with its own directory inside banks/", async () => {
  const served = await serveHere();
  const ids = ["plain", "Plain", "../../etc", "a/b", "..", "con", "ünïcödé", "x".repeat(300), "sp ace"];
  const path = (id: string) => bank(id).replace(/\/\.\.$/, "/%252E%252E");
  for (const id of ids)
    await served.ask(`${path(id)}/memories`, { body: { items: [{ content: `Known to ${id}` }] } });
  const root = join(served.sandbox.memory, "banks");
  expect(readdirSync(root)).toHaveLength(ids.length);
  expect(readdirSync(served.sandbox.memory).sort()).toEqual(["banks"]);
  expect((await served.ask("/v1/default/banks?limit=3")).body).toMatchObject({ total: ids.length, limit: 3 });
  expect(await recalled(served, "Plain", { query: "known" })).toEqual(["Known to Plain"]);
  expect(await recalled(served, "never written", { query: "known" })).toEqual([]);
  expect(readdirSync(root)).toHaveLength(ids.length);
});

test("with the setting incognito, the API reads and refuses writes", async () => {
  const sandbox = new Sandbox();
  const before = await serveHere({ sandbox });
  await retain(before, "b", [{ content: "The deploy runs on Fridays" }]);
  sandbox.ok(["config", "set", "--global", "incognito", "true"]);
  const served = await serveHere({ sandbox });
  expect(await recalled(served, "b", { query: "deploy" })).toEqual(["The deploy runs on Fridays"]);
  for (const [method, path] of [
    ["POST", "/memories"],
    ["PUT", ""],
    ["DELETE", ""],
    ["DELETE", "/memories"],
  ] as const)
    expect((await served.ask(bank("b", path), { method, body: { items: [{ content: "x" }] } })).status).toBe(
      403,
    );
  expect((await served.ask(bank("b", "/memories/list"))).body.total).toBe(1);
});

test("SERVE-5: projects that share a bank by tags don't replace each other's facts", async () => {
  const served = await serveHere();
  const asked = (tag: string) => ({ query: "timezone", tags: [tag], tags_match: "any_strict" });
  await retain(served, "b", [{ content: "Timezone: Madrid", tags: ["project:a"] }]);
  await retain(served, "b", [{ content: "Timezone: Lima", tags: ["project:b"] }]);
  expect(await recalled(served, "b", asked("project:a"))).toEqual(["Timezone: Madrid"]);
  await retain(served, "b", [{ content: "Timezone: Lisbon", tags: ["project:a"] }]);
  expect(await recalled(served, "b", asked("project:a"))).toEqual(["Timezone: Lisbon"]);
  await retain(served, "b", [{ content: "Timezone: Lima", tags: ["project:a"] }]);
  for (const tag of ["project:a", "project:b"])
    expect(await recalled(served, "b", asked(tag))).toContain("Timezone: Lima");
});

test("SERVE-3: recall filters by type, tags, time and size", async () => {
  const served = await serveHere();
  await retain(served, "b", [
    { content: "The red lamp is in the hall", tags: ["a"], timestamp: "2024-03-05T12:00:00Z" },
    { content: "The blue lamp is in the attic", tags: ["a", "b"], timestamp: "2025-03-05T12:00:00Z" },
    { content: "The green lamp is in the cellar", timestamp: "2025-06-05T12:00:00Z" },
  ]);
  const colours = async (more: object) =>
    (await recalled(served, "b", { query: "lamp", ...more }))
      .map((text) => /red|blue|green/.exec(text)?.[0])
      .sort()
      .join();
  expect(await colours({})).toBe("blue,green,red");
  expect(await colours({ types: ["observation"] })).toBe("");
  expect(await colours({ tags: ["b"] })).toBe("blue,green");
  expect(await colours({ tags: ["a", "b"], tags_match: "all" })).toBe("blue,green");
  expect(await colours({ tags: ["b"], tags_match: "any_strict" })).toBe("blue");
  expect(await colours({ tags: ["a"], tags_match: "exact" })).toBe("red");
  expect(await colours({ tags: [], tags_match: "exact" })).toBe("green");
  expect(await colours({ tag_groups: [{ not: { tags: ["b"] } }, { or: [{ tags: ["a"] }] }] })).toBe("red");
  expect(
    await colours({ temporal_window: { start: "2025-01-01T00:00:00Z", end: "2025-04-01T00:00:00Z" } }),
  ).toBe("blue");
  expect(await colours({ max_tokens: 1 })).toBe("");
  const [first] = await recalled(served, "b", {
    query: "which lamp last month?",
    query_timestamp: "2024-04-10T12:00:00Z",
  });
  expect(first).toContain("red");
});

test("SERVE-3: reflect gives the model in the config the bank's mission, its directives and the context", async () => {
  await using model = await new OpenAiServer([{ text: "In July." }]).start();
  const sandbox = new Sandbox();
  sandbox.ok(["model", "add", "own", model.url]);
  sandbox.ok(["model", "use", "own/any"]);
  const served = await serveHere({ sandbox });
  await served.ask(bank("b"), { method: "PUT", body: { reflect_mission: "Help the launch team" } });
  await served.ask(bank("b", "/directives"), { body: { name: "Brief", content: "Use three words at most" } });
  const off = { name: "Off", content: "Never applied", is_active: false };
  await served.ask(bank("b", "/directives"), { body: off });
  await retain(served, "b", [{ content: "The launch is in July" }]);
  const asked = { query: "When is the launch?", context: "asked by a reporter" };
  const { body } = await served.ask(bank("b", "/reflect"), { body: asked });
  expect(body.text).toStartWith("In July.");
  const sent = JSON.stringify(model.requests[0]);
  for (const words of ["Help the launch team", "Use three words", "by a reporter", "launch is in July"])
    expect(sent).toContain(words);
  expect(sent).not.toContain("Never applied");
});

test("SERVE-3: reflect uses only memories with the tags", async () => {
  const served = await serveHere();
  await retain(served, "b", [
    { content: "The launch is in May", tags: ["project:a"] },
    { content: "The launch is in July", tags: ["project:b"] },
  ]);
  const { body } = await served.ask(bank("b", "/reflect"), {
    body: {
      query: "When is the launch?",
      tags: ["project:b"],
      tags_match: "any_strict",
      include: { facts: {} },
    },
  });
  expect(body.text).toContain("July");
  expect(body.text).not.toContain("May");
  expect(body.based_on.memories).toMatchObject([{ text: "The launch is in July" }]);
});

test("SERVE-3: recall, reflect and lists mark a fact that a newer one may replace", async () => {
  const served = await serveHere();
  for (const day of ["Mondays", "Tuesdays"])
    await retain(served, "b", [{ content: `The market is on the square on ${day}` }]);
  const { items } = (await served.ask(bank("b", "/memories/list"))).body;
  const [older, newer] = ["Mondays", "Tuesdays"].map((day) =>
    items.find(({ text }: { text: string }) => text.endsWith(day)),
  );
  expect(older.metadata.may_be_outdated_by).toBe(newer.id);
  expect(newer.metadata.may_be_outdated_by).toBeUndefined();
  const { body: one } = await served.ask(bank("b", `/memories/${older.id}`));
  expect(one.metadata.may_be_outdated_by).toBe(newer.id);
  const query = "When is the market?";
  const { results } = (await served.ask(bank("b", "/memories/recall"), { body: { query } })).body;
  expect(results.map(({ metadata }: typeof one) => metadata.may_be_outdated_by)).toEqual([
    undefined,
    newer.id,
  ]);
  const { body: answer } = await served.ask(bank("b", "/reflect"), {
    body: { query, include: { facts: {} } },
  });
  expect(answer.text).toContain(`Mondays (may be outdated by fact ${newer.id})`);
  expect(answer.based_on.memories).toContainEqual(
    expect.objectContaining({ id: older.id, context: `may be outdated by fact ${newer.id}` }),
  );
});

test("SERVE-6: a statement with a secret is refused and nothing of the request is stored; a document is stored without it", async () => {
  const served = await serveHere();
  const secret = `ghp_${"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hJ3lM6"}`;
  const refused = await served.ask(bank("b", "/memories"), {
    body: { items: [{ content: "Harmless words" }, { content: `The token is ${secret}` }] },
  });
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: [{ loc: ["body", "items", 1, "content"] }] },
  });
  expect(JSON.stringify(refused.body)).not.toContain(secret);
  expect((await served.ask(bank("b", "/memories/list"))).body.total).toBe(0);
  await retain(served, "b", [
    { content: `user: the token is ${secret}\nassistant: noted`, document_id: "talk" },
  ]);
  const { body } = await served.ask(bank("b", "/documents/talk"));
  expect(body.original_text).toContain("assistant: noted");
  const files = served.sandbox.tree(join(served.sandbox.memory, "banks"));
  for (const file of files)
    expect(readFileSync(join(served.sandbox.memory, "banks", file)).includes(secret)).toBe(false);
});
