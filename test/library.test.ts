import { expect, test } from "bun:test";
import { join } from "node:path";
import { openRetain, RetainError } from "../src/index.ts";
import { Sandbox } from "./helpers/sandbox.ts";

function open(sandbox: Sandbox) {
  return openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env() });
}

test("LIB-1: what the library stores, the command finds, and the other way round", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.put({ content: "# From the library\n", tags: ["lib"] });
  sandbox.ok(["put", "-", "--id", "from-cli"], { stdin: "# CLI\n" });
  expect(sandbox.ok(["get", "from-the-library"]).stdout).toContain("Tags: lib");
  const { documents } = await retain.list({ sort: "id" });
  expect(documents.map((document) => document.id)).toEqual(["from-cli", "from-the-library"]);
  expect((await retain.collections()).map(({ name, count }) => [name, count])).toEqual([["memory", 2]]);
});

test("LIB-1: a missing document is a RetainError with code, hint and exit code", async () => {
  using retain = open(new Sandbox());
  const failure = await retain.get("nothing").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetainError);
  expect(failure).toMatchObject({ code: "not_found", exitCode: 1 });
});

test("LIB-1: the clock is the caller's", async () => {
  const sandbox = new Sandbox();
  const clock = () => new Date("2001-02-03T04:05:06.789Z");
  using retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: {}, clock });
  expect((await retain.put({ content: "x" })).created_at).toBe("2001-02-03T04:05:06Z");
});

test("LIB-3: wrong types and misspelt options are named", async () => {
  using retain = open(new Sandbox());
  await retain.put({ content: "# A", id: "a" });
  // biome-ignore lint/suspicious/noExplicitAny: what a caller without a compiler might do
  const loose = retain as any;
  const calls: [() => Promise<unknown>, string][] = [
    [() => loose.put({}), "content"],
    [() => loose.put("x"), "object"],
    [() => loose.put({ content: 5 }), "content"],
    [() => loose.put({ content: "x", id: 5 }), "id"],
    [() => loose.put({ content: "x", metadata: "foo" }), "metadata"],
    [() => loose.put({ content: "x", metadata: { when: new Date() } }), "metadata"],
    [() => loose.put({ content: "x", metadata: { created_at: "yesterday" } }), "created_at"],
    [() => loose.get(), "id"],
    [() => loose.update("a", { tags: ["x"], if_version: 1 }), "if_version"],
    [() => loose.list({ filters: "tags=a" }), "filters"],
    [() => loose.list({ sort: "size" }), "sort"],
    [() => loose.list({ limit: -1 }), "limit"],
  ];
  for (const [call, part] of calls) {
    const failure = await call().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(RetainError);
    expect((failure as RetainError).message).toContain(part);
  }
  const many = await loose.putMany([{ name: "x", read: () => ({}) }]);
  expect(many.failed[0].error.message).toContain("content");
  expect((await retain.list()).total).toBe(1);
  expect(() => openRetain({ settings: { nope: 1 } as object })).toThrow("nope");
});

test("LIB-3: versions are numbers too, and a closed Retain says so", async () => {
  const retain = open(new Sandbox());
  const { version } = await retain.put({ content: "# A\n\none", id: "a" });
  await retain.update("a", { content: "# A\n\ntwo", ifVersion: version });
  expect((await retain.get("a", { version: 1 })).content).toBe("# A\n\none");
  expect((await retain.diff("a", { from: 1, to: 2 })).hunks).toHaveLength(1);
  await retain.restore("a", { version: 1 });
  retain.close();
  for (const call of [() => retain.put({ content: "x" }), () => retain.list(), () => retain.get("a")])
    expect(call()).rejects.toThrow("closed");
});

test("DUR-5: calls at the same time within one process do not disturb each other", async () => {
  const sandbox = new Sandbox();
  using one = open(sandbox);
  using other = open(sandbox);
  await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      (index % 2 ? one : other).put({ content: `text ${index}`, id: `doc-${index % 20}` }),
    ),
  );
  const { documents } = await one.list({ sort: "id" });
  expect(documents).toHaveLength(20);
  expect(documents.every((document) => document.version === 3)).toBe(true);
});

test("LIB-2: the examples run", () => {
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
