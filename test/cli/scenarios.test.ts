/** The documented scenarios. */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

test("DOCS-2: scenario 1, the basic workflow in the home workspace", () => {
  const sandbox = new Sandbox();
  const research = sandbox.write("research.md", "# GPU Patterns\n\nMetal vs CUDA\n");
  sandbox.ok(["put", research, "--collection", "knowledge", "--id", "gpu-patterns"]);
  expect(sandbox.ok(["get", "gpu-patterns", "--format", "context"]).stdout).toContain("ID: gpu-patterns");
  sandbox.ok(["update", "gpu-patterns", "--tags", "gpu,metal"]);
  expect(sandbox.ok(["list", "--collection", "knowledge", "--filter", "tags=gpu", "-q"]).stdout).toBe(
    "gpu-patterns\n",
  );
  const search = () => sandbox.ok(["search", "GPU", "--collection", "knowledge", "--json"]).json.data.results;
  expect(search()).toMatchObject([{ id: "gpu-patterns", collection: "knowledge" }]);
  sandbox.ok(["delete", "gpu-patterns"]);
  expect(sandbox.run(["get", "gpu-patterns"]).exitCode).toBe(1);
  expect(search()).toEqual([]);
});

test("DOCS-2: scenario 2, a project with its own memory", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "version: 1\nretain:\n  enabled: true\n  path: .arcaneum-retain\n");
  const notes = sandbox.write("notes.md", "# Security Findings\n\nnone\n");
  sandbox.ok(["put", notes, "--collection", "memory"]);
  expect(sandbox.ok(["get", "security-findings"]).stdout).toContain("none");
  expect(sandbox.ok(["list", "--local", "-q"]).stdout).toBe("security-findings\n");
  expect(existsSync(join(sandbox.work, ".arcaneum-retain/memory/security-findings.md"))).toBe(true);
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("DOCS-2: scenario 3, a search across collections, and in one", () => {
  const sandbox = new Sandbox();
  const put = (collection: string, title: string, text: string) =>
    sandbox.ok(["put", "-", "--collection", collection], { stdin: `# ${title}\n\n${text}\n` });
  put("knowledge", "Token rotation", "Security of sessions depends on short-lived tokens.");
  put("memory", "Audit of May", "The security audit found two open ports.");
  put("research", "Threat models", "How teams think about security before they build.");
  put("research", "Sourdough", "Flour, water, salt and time.");
  const found = (...args: string[]): string[] =>
    sandbox
      .ok(["search", "security", "--json", ...args])
      .json.data.results.map((hit: { collection: string; id: string }) => `${hit.collection}/${hit.id}`)
      .sort();
  expect(found()).toEqual(["knowledge/token-rotation", "memory/audit-of-may", "research/threat-models"]);
  expect(found("--collection", "knowledge")).toEqual(["knowledge/token-rotation"]);
});

test("DOCS-2: scenario 4, a document printed for a context", () => {
  const sandbox = new Sandbox();
  const fields = [
    "--tags",
    "gpu,performance",
    "--category",
    "hw",
    "--context",
    "Research for 183",
    "--metadata",
    '{"related_to": ["x-1"]}',
  ];
  sandbox.ok(["put", "-", "--id", "gpu", ...fields], { stdin: "# GPU\n\nfull text\n" });
  const text = sandbox.ok(["get", "gpu", "--format", "context"]).stdout;
  for (const part of [
    "Context: Research for 183",
    "Tags: gpu, performance",
    "Category: hw",
    "Related: x-1",
    "full text",
  ])
    expect(text).toContain(part);
  for (const detail of [sandbox.root, "version", "hash", "etag"]) expect(text).not.toContain(detail);
});

test("DOCS-2: scenario 5, an update without new content", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a", "--tags", "old"], { stdin: "# A\n\ntext\n" });
  sandbox.ok(["update", "a", "--tags", "new,tags", "--merge-tags"]);
  const { content, metadata } = sandbox.ok(["get", "a", "--format", "json"]).json;
  expect(content).toBe("# A\n\ntext\n");
  expect(metadata.tags).toEqual(["old", "new", "tags"]);
  expect(metadata.updated_at).toMatch(/^\d{4}-/);
});

test("DOCS-2: scenario 6, versions by git", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q"]);
  sandbox.write(
    ".arcaneum",
    "version: 1\nretain:\n  enabled: true\n  path: .arcaneum-retain\n  versioning: git\n",
  );
  const commit = (message: string) => {
    sandbox.git(["add", "-A"]);
    sandbox.git(["commit", "-qm", message]);
  };
  sandbox.ok([
    "put",
    sandbox.write("research.md", "# GPU\n\nfirst\n"),
    "--collection",
    "knowledge",
    "--id",
    "gpu-patterns",
  ]);
  commit("first");
  sandbox.ok(["update", "gpu-patterns", "--content", sandbox.write("updated.md", "# GPU\n\nsecond\n")]);
  commit("second");
  expect(sandbox.ok(["versions", "gpu-patterns"]).stdout).toMatch(/Ada {2}second[\s\S]+Ada {2}first/);
  expect(sandbox.ok(["get", "gpu-patterns", "--version", "HEAD~1", "--format", "raw"]).stdout).toBe(
    "# GPU\n\nfirst\n",
  );
  expect(sandbox.ok(["diff", "gpu-patterns", "--from", "HEAD~1", "--to", "HEAD"]).stdout).toContain(
    "-first\n+second",
  );
  expect(existsSync(join(sandbox.work, ".arcaneum-retain/.versions"))).toBe(false);
  expect(sandbox.git(["status", "--porcelain"])).toBe("");
});
