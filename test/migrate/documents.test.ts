import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";
import { fixture, open, outcomesOf, writeAll } from "./place.ts";

/** The lines of a frontmatter that are not Retain's own to keep. */
function ownLines(text: string): string[] {
  const [, yaml = "", body = ""] = text.split(/^---$/m);
  const kept = yaml.replace(/^(?:version|version_history|collection):.*\n(?: .*\n)*/gm, "");
  return [...kept.split("\n").filter((line) => line !== ""), body];
}

test("MIG-15: documents keep collection, id and every line of their frontmatter", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = fixture(sandbox, "arcaneum");
  const report = await retain.migrate(join(directory, "retain"));
  expect(outcomesOf(report)).toEqual(["imported knowledge/gpu-patterns", "imported memory/security-audit"]);
  const source = readFileSync(join(directory, "retain/knowledge/gpu-patterns.md"), "utf8");
  expect(ownLines(sandbox.document("knowledge", "gpu-patterns"))).toEqual(ownLines(source));
  expect(sandbox.document("knowledge", "gpu-patterns")).toContain(
    'title: "GPU Acceleration Patterns"   # as it was published\n',
  );
  expect(await retain.documents.get("gpu-patterns")).toMatchObject({
    created_at: "2025-10-30T14:23:45Z",
    created_by: "Claude",
    tags: ["gpu", "performance", "metal"],
    metadata: { source_url: "https://example.org/gpu" },
  });
  expect(report.left).toEqual([
    { path: "knowledge/.versions", why: "older versions of documents are not imported" },
  ]);
});

test("MIG-15: a document without id and dates gets them", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  await retain.migrate(fixture(sandbox, "arcaneum"));
  expect(await retain.documents.get("5f3a2c8b12ef")).toMatchObject({
    collection: "research",
    title: "Heat pumps",
    category: "energy",
    metadata: { injected_by: "agent" },
  });
  expect((await retain.search("freezing")).hits[0]).toMatchObject({ kind: "document" });
});

test("MIG-15: an equal document is already present; a different one is skipped with a hint, and replaced only with overwrite", async () => {
  const sandbox = new Sandbox();
  using retain = open(sandbox);
  const directory = fixture(sandbox, "arcaneum");
  await retain.documents.put({ content: "Our own audit.\n", id: "security-audit", collection: "memory" });
  await retain.migrate(directory);
  const again = await retain.migrate(directory);
  expect(outcomesOf(again)).toEqual([
    "existing knowledge/gpu-patterns",
    "skipped memory/security-audit",
    "existing research/5f3a2c8b12ef",
  ]);
  expect(again.items[1]).toMatchObject({
    file: "retain/memory/security-audit.md",
    hint: expect.stringMatching(/retain get security-audit --collection memory.*--overwrite/),
  });
  expect((await retain.documents.get("security-audit")).content).toBe("Our own audit.\n");
  const overwritten = await retain.migrate(directory, { overwrite: true });
  expect(overwritten.items[1]).toMatchObject({ outcome: "imported", why: expect.stringContaining("v1") });
  expect((await retain.documents.get("security-audit")).content).toBe("The audit found no open ports.\n");
  expect((await retain.documents.get("security-audit", { version: 1 })).content).toBe("Our own audit.\n");
  expect(outcomesOf(await retain.migrate(directory, { overwrite: true }))[1]).toBe(
    "existing memory/security-audit",
  );
});

test("MIG-15: oversized, broken or badly named documents are reported, and the rest is imported", async () => {
  const sandbox = new Sandbox();
  writeAll(sandbox.memory, { "config.yaml": "max_document_bytes: 2000\n" });
  const directory = writeAll(join(sandbox.work, ".arcaneum/retain"), {
    "notes/good.md": "Good\n",
    "notes/large.md": "x".repeat(2001),
    "notes/broken.md": "---\ntitle: [\n---\n\nText\n",
    "notes/two words.md": "Text\n",
    "notes/empty.md": "---\ntitle: Empty\n---\n",
  });
  using retain = open(sandbox);
  const report = await retain.migrate(directory);
  expect(outcomesOf(report).sort()).toEqual([
    "imported notes/good",
    "skipped notes/broken",
    "skipped notes/empty",
    "skipped notes/large",
    "skipped notes/two words",
  ]);
  expect(report.items.find(({ name }) => name === "notes/large")?.why).toContain("larger");
});

test("MIG-15: Markdown above the size limit is not read", async () => {
  const sandbox = new Sandbox();
  writeAll(sandbox.memory, { "config.yaml": "max_document_bytes: 2000\n" });
  const directory = writeAll(join(sandbox.work, "old"), {
    "memories/MEMORY.md": `- Likes tea\n- ${"x".repeat(2000)}\n`,
    "memories/USER.md": "- Has a dog\n",
  });
  using retain = open(sandbox);
  expect(outcomesOf(await retain.migrate(directory))).toEqual(["skipped MEMORY.md", "imported USER.md"]);
});
