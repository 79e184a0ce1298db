/** A plugin and a command of different versions share one memory: what the newer one wrote is refused, never read in part. */
import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

function edit(path: string, change: (text: string) => string): string {
  const after = change(readFileSync(path, "utf8"));
  writeFileSync(path, after);
  return after;
}

test("FORMAT-1: a HISTORY.md of a newer version is refused with what to update, and stays unchanged", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  const path = join(sandbox.memory, "memories/HISTORY.md");
  const newer = edit(path, (text) => text.replace("retain format 1", "retain format 2"));
  expect(newer).toContain("retain format 2");
  for (const args of [
    ["remember", "Likes coffee"],
    ["forget", "Likes tea", "--yes"],
  ]) {
    const { exitCode, stderr } = sandbox.run(args);
    expect([exitCode, stderr.includes("Update Retain")]).toEqual([1, true]);
  }
  expect(readFileSync(path, "utf8")).toBe(newer);
  edit(path, (text) => text.replace("retain format 2", "retain format 1"));
  expect(sandbox.ok(["facts"]).stdout).toContain("Likes tea");
  expect(sandbox.ok(["remember", "Likes coffee"]).exitCode).toBe(0);
});

test("FORMAT-1: so is an undo record or an unfinished change of a newer version", async () => {
  const sandbox = new Sandbox();
  await sandbox.addFact("Likes tea");
  const directory = join(sandbox.memory, ".undo");
  const [name = ""] = readdirSync(directory).filter((file) => file.endsWith(".json"));
  const newer = edit(join(directory, name), (text) => text.replace('"format":1', '"format":2'));
  expect(sandbox.run(["undo"]).stderr).toContain("Update Retain");
  writeFileSync(join(directory, name.replace(".json", ".pending.json")), newer);
  expect(sandbox.run(["remember", "Likes coffee"]).exitCode).toBe(1);
  expect(readdirSync(directory)).toContain(name.replace(".json", ".pending.json"));
});
