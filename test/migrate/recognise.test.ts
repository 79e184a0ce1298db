import { expect, test } from "bun:test";
import { join } from "node:path";
import { RetainError } from "../../src/core/errors.ts";
import { recognise } from "../../src/migrate/recognise.ts";
import { Source } from "../../src/migrate/source.ts";
import { Sandbox } from "../helpers/sandbox.ts";
import { fixture, open, outcomesOf, writeAll } from "./place.ts";

function found(directory: string): string[] {
  return recognise(new Source(directory, 10_000_000)).map(({ kind, path }) => `${kind} ${path}`);
}

test("MIG-1: a workspace is recognised from itself, its parent and each of its parts", () => {
  const directory = fixture(new Sandbox(), "chat");
  const inside = (base: string) => [
    `sessions ${base}sessions`,
    `memories ${base}memories`,
    `instructions ${base}context/system_prompt.md`,
  ];
  expect(found(directory)).toEqual(inside("workspace/"));
  expect(found(join(directory, "workspace"))).toEqual(inside(""));
  expect(found(join(directory, "workspace/sessions"))).toEqual(["sessions "]);
  expect(found(join(directory, "workspace/memories"))).toEqual(["memories "]);
  expect(found(join(directory, "workspace/context"))).toEqual(["instructions system_prompt.md"]);
});

test("MIG-1: a directory with daily logs, chats or working memory is recognised as memories", () => {
  const directory = fixture(new Sandbox(), "bot");
  expect(found(directory)).toEqual(["sessions data/sessions", "memories data/memory"]);
  expect(found(join(directory, "data/memory"))).toEqual(["memories "]);
  const sandbox = new Sandbox();
  for (const path of ["2026-02-07.md", "chats/a/MEMORY.md", "working/a.md"])
    expect(found(writeAll(join(sandbox.work, path), { [path]: "## 10:00 - x\n" }))).toEqual(["memories "]);
});

test("MIG-1: collections are recognised by their documents, even one called memory", () => {
  const sandbox = new Sandbox();
  const directory = fixture(sandbox, "arcaneum");
  expect(found(directory)).toEqual([
    "documents retain/knowledge",
    "documents retain/memory",
    "documents agent-memory/research",
  ]);
  expect(found(join(directory, "retain"))).toEqual(["documents knowledge", "documents memory"]);
  expect(found(join(directory, "retain/knowledge"))).toEqual(["documents "]);
  expect(found(join(directory, "agent-memory"))).toEqual(["documents research"]);
  const home = writeAll(join(sandbox.root, "home2"), { ".arcaneum/retain/notes/a.md": "# Plain\n" });
  expect(found(home)).toEqual(["documents .arcaneum/retain/notes"]);
});

test("MIG-1: sessions are found in a folder of any name, and other JSON is ignored", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const said = JSON.stringify({ messages: [{ role: "user", content: "Hello there" }] });
  const directory = writeAll(join(sandbox.work, "chats of 2025"), {
    "monday.json": said,
    "package.json": "{}",
  });
  const report = await retain.migrate(directory);
  expect(outcomesOf(report)).toEqual(["imported monday"]);
  expect(report.left).toEqual([{ path: "package.json", why: expect.any(String) }]);
});

test("MIG-1: a directory with other contents has nothing to import", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = writeAll(join(sandbox.work, "project"), {
    "README.md": "# Read me\n",
    "docs/guide.md": "---\ntitle: Guide\n---\n\nText\n",
    "package.json": '{"name": "x"}',
    "memory/model.bin": "x",
  });
  const failure = await retain.migrate(directory).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(RetainError);
  expect(failure).toMatchObject({ code: "not_found" });
  expect(sandbox.tree(sandbox.memory)).toEqual([]);
});

test("MIG-1: a workspace is not imported into itself", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  using retain = open(sandbox);
  for (const directory of [sandbox.memory, join(sandbox.memory, "memories")])
    expect(await retain.migrate(directory).catch(({ code }: RetainError) => code)).toBe("usage");
});

test("MIG-1: a missing directory and a file are refused", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const file = sandbox.write("a.json", "{}");
  expect(await retain.migrate("nowhere").catch(({ code }: RetainError) => code)).toBe("not_found");
  expect(await retain.migrate(file).catch(({ code }: RetainError) => code)).toBe("invalid_input");
});
