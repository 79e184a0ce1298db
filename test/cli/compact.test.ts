/** Compaction through the real command: shown before it is done, done as one, and taken back. */
import { expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WORDS_ALONE as env, states, written } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const FILES = {
  "MEMORY.md": "# Memory\n\n- Prefers tea\n",
  "2020-01-02.md": "## 10:30 — User preference\nprefers tea\n\n## 10:31 -- Pets\n- a dog\n- 2 cats\n",
  "2020-01-03.md": "what is this?\n\n## 10:30 - A\nb\n",
  "chats/work/2020-01-03.md": "## 10:30 - Deadline\nMarch 3\n",
};

test("COMPACT-6: --dry-run prints a unified diff and the report, and changes nothing", () => {
  const sandbox = written(FILES);
  const before = states(sandbox);
  const { stdout, stderr } = sandbox.ok(["compact", "--dry-run"], { env });
  expect(stdout).toContain(
    "--- MEMORY.md\n+++ MEMORY.md\n@@ -1,3 +1,7 @@\n # Memory\n \n - Prefers tea\n+\n+## Compacted memories\n+\n+- Pets: a dog; 2 cats\n",
  );
  expect(stdout).toContain("--- 2020-01-02.md\n+++ /dev/null\n");
  expect(stdout).toContain("Would compact 2 logs, 3 notes: 2 added, 1 already known\n");
  expect(stderr).toContain("memories/2020-01-03.md, line 1, not compacted: ");
  expect(states(sandbox)).toEqual(before);
  const { data, warnings } = sandbox.ok(["compact", "--dry-run", "--json"], { env }).json;
  expect(data).toMatchObject({
    dry_run: true,
    removed: ["2020-01-02.md", "chats/work/2020-01-03.md"],
    kept: [{ log: "2020-01-03.md", lines: [1] }],
  });
  expect(data.notes.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["known", "added", "added"]);
  expect(warnings.length).toBe(1);
  expect(states(sandbox)).toEqual(before);
});

test("COMPACT-3: the command reports the outcome of every note, and how to undo it", () => {
  const sandbox = written(FILES);
  const { stdout } = sandbox.ok(["compact"], { env });
  expect(stdout).toContain("✓ Compacted 2 logs, 3 notes: 2 added, 1 already known (undo: retain undo)\n");
  expect(stdout).toMatch(
    /^ {2}2020-01-02 User preference: prefers tea \(already known; .+: [a-z0-9]{10}\)$/m,
  );
  expect(stdout).toMatch(/^ {2}2020-01-02 Pets: a dog; 2 cats [a-z0-9]{10}$/m);
  expect(stdout).not.toContain("+++");
  expect(sandbox.ok(["compact"], { env }).stdout).toBe("Nothing was compacted.\n");
  sandbox.ok(["undo"], { env });
  expect(sandbox.ok(["compact", "--chat", "work", "--quiet"], { env }).stdout).toMatch(/^[a-z0-9]{10}\n$/);
  expect(states(sandbox)["2020-01-02.md"]).toBe(FILES["2020-01-02.md"]);
  expect(sandbox.run(["compact", "--chat", "../x"], { env }).exitCode).toBe(2);
});

test("COMPACT-1: if nothing is old enough, nothing is created; --global works on the home workspace", async () => {
  const empty = new Sandbox();
  const { stdout } = empty.ok(["compact"], { env });
  expect(stdout).toBe("Nothing to compact: no log is older than 30 days.\n");
  expect(existsSync(empty.memory)).toBe(false);
  const sandbox = written(FILES);
  await sandbox.makeProject();
  expect(sandbox.ok(["compact"], { env }).stdout).toContain("Nothing to compact");
  expect(sandbox.ok(["compact", "--global"], { env }).stdout).toContain("✓ Compacted 2 logs");
});

test("COMPACT-9: a refusal is exit 3, says what would be lost, and changes nothing", () => {
  const sandbox = written({ ...FILES, "MEMORY.md": "- Prefers tea\n\n<!-- never closed\n" });
  sandbox.ok(["facts"], { env });
  const before = states(sandbox);
  const { exitCode, stderr } = sandbox.run(["compact"], { env });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('would be lost: "Pets: a dog; 2 cats"');
  expect(states(sandbox)).toEqual(before);
});

test("COMPACT-9: of two concurrent compactions one does the work, and nothing is duplicated", async () => {
  const sandbox = written(FILES);
  const children = [1, 2, 3].map(() => sandbox.start(["compact", "--json"], { env }));
  const reports = await Promise.all(
    children.map(
      async (child): Promise<{ ok: boolean; data: { removed: string[] } }> =>
        JSON.parse(await new Response(child.stdout).text()),
    ),
  );
  expect(reports.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(reports.map(({ data }) => data.removed.length).sort()).toEqual([0, 0, 2]);
  expect(states(sandbox)["MEMORY.md"]).toBe(
    "# Memory\n\n- Prefers tea\n\n## Compacted memories\n\n- Pets: a dog; 2 cats\n",
  );
});

test("COMPACT-1: after an undo, only retain compact compacts those logs again, not the next conversation", () => {
  const sandbox = written({
    "2020-01-02.md": "## 10:30 - Pets\ntwo cats\n",
    "chats/main/2020-01-03.md": "## 10:30 - Deadline\nMarch 3\n",
  });
  const chat = () => sandbox.ok(["-p", "hello"], { env: { ...env, RETAIN_MODEL: "none" } });
  const before = states(sandbox);
  chat();
  expect(Object.keys(states(sandbox))).not.toContain("2020-01-02.md");
  sandbox.ok(["undo"], { env });
  chat();
  expect(states(sandbox)).toMatchObject(before);
  sandbox.ok(["reindex"], { env });
  chat();
  expect(states(sandbox)).toMatchObject(before);

  // Another log that is due is compacted as ever.
  writeFileSync(join(sandbox.memory, "memories/2020-01-05.md"), "## 10:30 - Plants\na fern\n");
  chat();
  expect(Object.keys(states(sandbox))).not.toContain("2020-01-05.md");
  expect(states(sandbox)["2020-01-02.md"]).toBe(before["2020-01-02.md"]);
  expect(sandbox.ok(["compact"], { env }).stdout).toContain("Compacted 2 logs");
});
