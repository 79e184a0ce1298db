import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { differenceOf } from "../../src/files/file-change.ts";
import { Sandbox } from "../helpers/sandbox.ts";

test("UNDO-6: a project's '.undo' can change only its own memory files", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
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

test("SAFE-1: a link in one directory does not hide the others", async () => {
  const sandbox = new Sandbox();
  await sandbox.makeProject();
  await sandbox.addFact("Likes tea", {}, { scope: "global" });
  await sandbox.addFact("Uses Bun here");
  symlinkSync("/etc", join(sandbox.work, ".retain/memories/working"));
  const { stdout, stderr } = sandbox.ok(["facts"]);
  expect(stdout).toContain("Likes tea");
  expect(stdout).toContain("Uses Bun here");
  expect(stderr).toContain("memories/working");
});

test("SAFE-1: memory files are not read or written through a link out of the workspace", async () => {
  for (const linked of ["memories", "memories/chats", "memories/MEMORY.md"]) {
    const sandbox = new Sandbox();
    await sandbox.makeProject();
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

test("FACT-17: every command warns about an unreadable memory file, and its facts stay known", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  sandbox.ok(["log", "Walk: to Bergen"]);
  const memories = join(sandbox.home, ".retain/memories");
  const files = readdirSync(memories).filter((name) => name !== "HISTORY.md");
  expect(files).toHaveLength(2);
  const whole = files.map((name) => readFileSync(join(memories, name), "utf8"));
  for (const name of files)
    appendFileSync(join(memories, name), "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n");
  for (let round = 0; round < 2; round++) {
    const { stdout, stderr } = sandbox.ok(["search", "Bergen tea"]);
    for (const name of files) expect(stderr).toContain(`${name} contains git conflicts`);
    expect(stdout).toContain("Likes tea");
    expect(stdout).toContain("Bergen");
  }
  for (const [index, name] of files.entries()) writeFileSync(join(memories, name), whole[index] ?? "");
  expect(sandbox.ok(["facts"]).stderr).toBe("");
});

test("FACT-17: deleting an unreadable log removes its notes", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["log", "Walk: to Bergen"]);
  const memories = join(sandbox.home, ".retain/memories");
  const [log = ""] = readdirSync(memories);
  appendFileSync(join(memories, log), "<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n");
  expect(sandbox.ok(["search", "Bergen"]).stdout).toContain("Bergen");
  rmSync(join(memories, log));
  expect(sandbox.ok(["search", "Bergen"]).stdout).not.toContain("Walk");
});

test("FACT-1: an empty bullet is not a fact", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  appendFileSync(join(sandbox.home, ".retain/memories/MEMORY.md"), "-\n- \n*\n1.\n- Lives in Oslo\n");
  const { facts } = sandbox.ok(["facts", "--json"]).json.data as { facts: { text: string }[] };
  expect(facts.map(({ text }) => text)).toEqual(["Likes tea", "Lives in Oslo"]);
});

test("FACT-11: a directory in place of a memory file is an error that names it, and nothing is half done", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["log", "Walk: to Bergen"]);
  mkdirSync(join(sandbox.home, ".retain/memories/MEMORY.md"));
  for (let round = 0; round < 2; round++) {
    const { exitCode, stderr } = sandbox.run(["remember", "Likes tea"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("MEMORY.md is not a file");
  }
  sandbox.ok(["context"]);
  sandbox.ok(["undo"]);
});

test("BAD-2: a file in place of the workspace is an error that names it", () => {
  const sandbox = new Sandbox();
  writeFileSync(join(sandbox.home, ".retain"), "mine\n");
  const { exitCode, stderr } = sandbox.run(["remember", "Likes tea"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain(".retain is not a directory");
  expect(readFileSync(join(sandbox.home, ".retain"), "utf8")).toBe("mine\n");
});

test("UNDO-5: of lines with the same beginning, only those added or removed are listed", () => {
  const [tea, oslo] = ["- Likes tea\n", "- Lives in Oslo\n"];
  const path = "memories/MEMORY.md";
  expect(differenceOf({ path, before: tea + oslo, after: oslo })).toMatchObject({
    removed: tea,
    inserted: "",
  });
  expect(differenceOf({ path, before: oslo, after: tea + oslo })).toMatchObject({
    removed: "",
    inserted: tea,
  });
});
