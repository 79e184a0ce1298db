import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRetain, RetainError } from "../src/index.ts";
import { Sandbox, WITH_MEANING } from "./helpers/sandbox.ts";

function open(sandbox: Sandbox) {
  return openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
}

test("LIB-1: the command finds documents that the library stores, and vice versa", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.documents.put({ content: "# From the library\n", tags: ["lib"] });
  sandbox.ok(["put", "-", "--id", "from-cli"], { stdin: "# CLI\n" });
  expect(sandbox.ok(["get", "from-the-library"]).stdout).toContain("Tags: lib");
  const { documents } = await retain.documents.list({ sort: "id" });
  expect(documents.map((document) => document.id)).toEqual(["from-cli", "from-the-library"]);
  expect((await retain.documents.collections()).map(({ name, count }) => [name, count])).toEqual([
    ["memory", 2],
  ]);
});

test("LIB-1: a missing document is a RetainError with code, hint and exit code", async () => {
  using retain = open(new Sandbox());
  const failure = await retain.documents.get("nothing").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetainError);
  expect(failure).toMatchObject({ code: "not_found", exitCode: 1 });
});

test("LIB-1: the caller can set the clock", async () => {
  const sandbox = new Sandbox();
  const clock = () => new Date("2001-02-03T04:05:06.789Z");
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: {}, clock });
  expect((await retain.documents.put({ content: "x" })).created_at).toBe("2001-02-03T04:05:06Z");
});

/** Two documents at home, and a project with one of its own. */
async function library(sandbox: Sandbox): Promise<void> {
  using home = openRetain({ cwd: sandbox.home, homeDirectory: sandbox.home, env: sandbox.env() });
  await home.documents.put({
    content: "# Auth\n\nAccess tokens rotate every 15 minutes.\n",
    tags: ["auth"],
    metadata: { created_at: "2020-03-01T10:00:00Z" },
  });
  await home.documents.put({
    content: "# Pets\n\nBiscuit, the border collie puppy, sleeps.\n",
    collection: "life",
  });
  sandbox.ok(["init"]);
  sandbox.ok(["put", "-", "--quiet", "--id", "ours"], { stdin: "# Ours\n\nOur tokens rotate daily.\n" });
}

test("LIB-1: search returns the command's results as plain fields", async () => {
  const sandbox = new Sandbox(WITH_MEANING);
  await library(sandbox);
  using retain = open(sandbox);
  await retain.index.embed();
  const { hits, by, words } = await retain.search("do tokens rotate");
  expect([by, words]).toEqual(["both", ["tokens", "rotate"]]);
  expect(hits.map(({ origin, collection, id }) => [origin, collection, id])).toEqual([
    ["project", "memory", "ours"],
    ["home", "memory", "auth"],
  ]);
  expect(hits[1]).toMatchObject({
    kind: "document",
    heading: "Auth",
    line: 1,
    tags: ["auth"],
    at: "2020-03-01T10:00:00.000Z",
    text: expect.stringContaining("every 15 minutes"),
  });
  const [best] = hits;
  expect(best?.parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(best?.score ?? 0, 9);
  const { results } = sandbox.ok(["search", "do tokens rotate", "--json"]).json.data;
  expect(results).toEqual(hits.map(({ parts: _, ...hit }) => hit));
  expect((await retain.search("canine companion")).hits[0]?.id).toBe("pets");
});

test("LIB-1: search accepts the command's options", async () => {
  const sandbox = new Sandbox();
  await library(sandbox);
  using retain = open(sandbox);
  const ids = async (query: string, options: Parameters<typeof retain.search>[1]) =>
    (await retain.search(query, { mode: "text", ...options })).hits.map(({ id }) => id);
  expect(await ids("canine companion", {})).toEqual([]);
  expect(await ids("tokens puppy", { collection: "life" })).toEqual(["pets"]);
  expect(await ids("tokens", { filters: ["tags=auth"] })).toEqual(["auth"]);
  expect(await ids("tokens", { until: "2020" })).toEqual(["auth"]);
  expect(await ids("tokens", { since: "2021", limit: 1 })).toEqual(["ours"]);
  expect(await ids("tokens", { kinds: ["fact"] })).toEqual([]);
  expect(await ids("tokens", { minScore: 5 })).toEqual([]);
});

test("LIB-1: recall returns text within its budget, and its sources", async () => {
  const sandbox = new Sandbox();
  await library(sandbox);
  using retain = open(sandbox);
  const { text, tokens, hits, left } = await retain.recall("do tokens rotate", { mode: "text", budget: 30 });
  expect(text).toMatch(/^### memory\/ours: Ours \(\d{4}-\d\d-\d\d, project\)\n\nOur tokens rotate daily\.$/);
  expect(tokens).toBeLessThanOrEqual(30);
  expect([hits.map(({ id }) => id), left]).toEqual([["ours"], 1]);
  const all = await retain.recall("do tokens rotate", { mode: "text" });
  expect([all.hits.map(({ id }) => id), all.left]).toEqual([["ours", "auth"], 0]);
  const nothing = await retain.recall("xyzzyplugh", { mode: "text" });
  expect(nothing).toEqual({ text: "", tokens: 0, hits: [], left: 0 });
});

test("LIB-1: warnings of a search go to the caller, and an empty memory has none", async () => {
  const sandbox = new Sandbox();
  const told: string[] = [];
  using retain = openRetain({
    cwd: sandbox.work,
    homeDirectory: sandbox.home,
    env: sandbox.env(),
    onWarning: (message) => told.push(message),
  });
  expect((await retain.search("tokens")).hits).toEqual([]);
  expect([retain.index.isEmpty(), told]).toEqual([true, []]);
  expect(sandbox.tree(sandbox.home)).toEqual([]);
  await retain.documents.put({ content: "# A\n\nTokens.\n" });
  await retain.search("tokens", { mode: "text", collection: "memry" });
  expect(told).toEqual(["There is no collection 'memry'. Did you mean 'memory'?"]);
  expect(retain.index.isEmpty()).toBe(false);
});

test("LIB-1: errors name wrong types and misspelt options", async () => {
  using retain = open(new Sandbox());
  await retain.documents.put({ content: "# A", id: "a" });
  // biome-ignore lint/suspicious/noExplicitAny: what a caller without a compiler might do
  const loose = retain as any;
  const calls: [() => Promise<unknown>, string][] = [
    [() => loose.documents.put({}), "content"],
    [() => loose.documents.put("x"), "object"],
    [() => loose.documents.put({ content: 5 }), "content"],
    [() => loose.documents.put({ content: "x", id: 5 }), "id"],
    [() => loose.documents.put({ content: "x", metadata: "foo" }), "metadata"],
    [() => loose.documents.put({ content: "x", metadata: { when: new Date() } }), "metadata"],
    [() => loose.documents.put({ content: "x", metadata: { created_at: "yesterday" } }), "created_at"],
    [() => loose.documents.get(), "id"],
    [() => loose.documents.update("a", { tags: ["x"], if_version: 1 }), "if_version"],
    [() => loose.documents.list({ filters: "tags=a" }), "filters"],
    [() => loose.documents.list({ sort: "size" }), "sort"],
    [() => loose.documents.list({ limit: -1 }), "limit"],
    [() => loose.search(), "query"],
    [() => loose.search(""), "query"],
    [() => loose.search("x", { mode: "fuzzy" }), "mode"],
    [() => loose.search("x", { min_score: 1 }), "min_score"],
    [() => loose.search("x", { kinds: ["documnt"] }), "documnt"],
    [() => loose.search("x", { since: "soonish" }), "soonish"],
    [() => loose.recall(5), "query"],
    [() => loose.recall("x", { budget: "all" }), "budget"],
  ];
  for (const [call, part] of calls) {
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RetainError);
    expect((failure as RetainError).message).toContain(part);
  }
  const many = await loose.documents.putMany([{ name: "x", read: () => ({}) }]);
  expect(many.failed[0].error.message).toContain("content");
  expect((await retain.documents.list()).total).toBe(1);
  expect(() => openRetain({ settings: { nope: 1 } as object })).toThrow("nope");
});

test("LIB-1: openRetain refuses misspelt options and wrong types, and opens nothing", () => {
  const sandbox = new Sandbox();
  const { work: cwd, home: homeDirectory } = sandbox;
  const wrong: [object | null, string][] = [
    [{ homedirectory: homeDirectory }, "unknown field 'homedirectory'"],
    [{ scope: "globl" }, "scope"],
    [{ asker: "me" }, "asker"],
    [{ onWarning: 3 }, "onWarning"],
    [{ clock: new Date() }, "clock"],
    [{ backend: "off" }, "backend"],
    [{ cwd: 5 }, "'cwd' must be a string, not a number"],
    [{ homeDirectory: ["a"] }, "homeDirectory"],
    [{ bank: 3 }, "bank"],
    [{ env: { PATH: 1 } }, "env.PATH"],
    [{ settings: "none" }, "settings"],
    [null, "openRetain"],
  ];
  for (const [options, part] of wrong) {
    const given = options === null ? null : { cwd, homeDirectory, env: sandbox.env(), ...options };
    let failure: unknown = null;
    try {
      openRetain(given as object).close();
    } catch (error) {
      failure = error;
    }
    expect([part, failure]).toMatchObject([part, { code: "usage", message: expect.stringContaining(part) }]);
    expect(failure).toBeInstanceOf(RetainError);
  }
  openRetain({ cwd, homeDirectory, env: process.env, bank: undefined, settings: undefined }).close();
});

test("LIB-1: versions can be numbers, and a closed Retain says so", async () => {
  const retain = open(new Sandbox());
  const { version } = await retain.documents.put({ content: "# A\n\none", id: "a" });
  await retain.documents.update("a", { content: "# A\n\ntwo", ifVersion: version });
  expect((await retain.documents.get("a", { version: 1 })).content).toBe("# A\n\none");
  expect((await retain.documents.diff("a", { from: 1, to: 2 })).hunks).toHaveLength(1);
  await retain.documents.restore("a", { version: 1 });
  retain.close();
  for (const call of [
    () => retain.documents.put({ content: "x" }),
    () => retain.documents.list(),
    () => retain.documents.get("a"),
    () => retain.search("a"),
    () => retain.recall("a"),
  ])
    expect(call()).rejects.toThrow("closed");
});

test("DUR-2: calls at the same time within one process do not disturb each other", async () => {
  const sandbox = new Sandbox();
  using one = open(sandbox);
  using other = open(sandbox);
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? one : other).documents.put({ content: `text ${index}`, id: `doc-${index % 20}` }),
    ),
  );
  const { documents } = await one.documents.list({ sort: "id" });
  expect(documents).toHaveLength(20);
  expect(documents.every((document) => document.version === 3)).toBe(true);
});

test("DOCS-1: the examples run", () => {
  const directory = join(import.meta.dir, "../examples");
  for (const file of new Bun.Glob("*.ts").scanSync(directory)) {
    const result = Bun.spawnSync([process.execPath, join(directory, file)], { cwd: directory });
    expect(result.stderr.toString()).toBe("");
    expect(result.exitCode).toBe(0);
  }
  const output = Bun.spawnSync([process.execPath, join(directory, "01-documents.ts")], {
    cwd: directory,
  }).stdout.toString();
  for (const line of [
    "stored gpu-patterns, version 1",
    "refused: conflict",
    "found 1: gpu-patterns",
    "back again, with versions v2, v1",
  ])
    expect(output).toContain(line);
});

test("DOCS-1: docs/library.md lists every error code and every option", () => {
  const read = (path: string) => readFileSync(join(import.meta.dir, "..", path), "utf8");
  const page = read("docs/library.md");
  const namesIn = (source: string, start: string, name: RegExp) =>
    [...(source.split(start)[1]?.split("\n}")[0] ?? "").matchAll(name)].map((match) => match[1] ?? "");
  const codes = namesIn(read("src/core/errors.ts"), "const EXIT_CODES = {", /^ {2}(\w+):/gm);
  const options = namesIn(
    read("src/app/retain-options.ts"),
    "export interface RetainOptions {",
    /^ {2}(\w+)\?:/gm,
  );
  expect([codes.length > 15, options.length > 5]).toEqual([true, true]);
  expect([...codes, ...options].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
