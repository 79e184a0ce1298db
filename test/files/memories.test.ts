import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

test("UNDO-6: what a project brings in '.undo' reaches no file but its own memory files", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  const undo = join(sandbox.work, ".retain/.undo");
  mkdirSync(undo);
  mkdirSync(join(sandbox.work, ".retain/memories"), { recursive: true });
  for (const [number, path] of [
    "../../evil",
    "memories/../../../evil",
    "config.yaml",
    "memories/x/y/evil.md",
  ].entries()) {
    const files = [{ path, at: 0, removed: "", inserted: "x", before: null, after: "x" }];
    const record = JSON.stringify({ label: "x", at: "2026-01-01T00:00:00Z", files });
    writeFileSync(join(undo, `0000000${number + 1}.pending.json`), record);
  }
  writeFileSync(join(sandbox.work, ".retain/memories/MEMORY.md"), "- a fact\n");
  sandbox.ok(["facts"]);
  expect(sandbox.tree(sandbox.root).filter((path) => path.includes("evil"))).toEqual([]);
  const { stdout } = sandbox.run(["undo"]);
  expect(stdout).toBe("");
});

test("SAFE-1: a link in one directory hides nothing of the others", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  sandbox.ok(["remember", "--global", "Likes tea"]);
  sandbox.ok(["remember", "Uses Bun here"]);
  symlinkSync("/etc", join(sandbox.work, ".retain/memories/working"));
  const { stdout, stderr } = sandbox.ok(["facts"]);
  expect(stdout).toContain("Likes tea");
  expect(stdout).toContain("Uses Bun here");
  expect(stderr).toContain("leads out of the workspace");
});

test("SAFE-1: memory files are not read or written through a link that leads out of the workspace", () => {
  for (const linked of ["memories", "memories/chats", "memories/MEMORY.md"]) {
    const sandbox = new Sandbox();
    sandbox.ok(["init"]);
    const outside = join(sandbox.root, "outside");
    mkdirSync(join(outside, "work"), { recursive: true });
    for (const file of ["MEMORY.md", "work/MEMORY.md"])
      writeFileSync(join(outside, file), "- stolen words\n");
    const path = join(sandbox.work, ".retain", linked);
    mkdirSync(join(path, ".."), { recursive: true });
    symlinkSync(linked.endsWith(".md") ? join(outside, "MEMORY.md") : outside, path);
    for (const args of [
      ["facts"],
      ["context"],
      ["search", "stolen"],
      ["remember", "--chat", "work", "x is y"],
    ]) {
      const { stdout } = sandbox.run(args);
      expect([linked, args[0], stdout.includes("stolen words")]).toEqual([linked, args[0], false]);
    }
    expect(sandbox.tree(outside)).toEqual(["MEMORY.md", "work/MEMORY.md"]);
  }
});
