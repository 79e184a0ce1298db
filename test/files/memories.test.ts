import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

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
