import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";
import { fingerprint, fixture, writeAll } from "../migrate/place.ts";

const KINDS = ["chat", "lines", "bot", "arcaneum"];

function everything(sandbox: Sandbox): string {
  for (const kind of KINDS) fixture(sandbox, kind);
  const workspace = join(sandbox.work, "chat/workspace");
  writeAll(workspace, {
    "sessions/session_20260220_001.json": '{"id": "session_20260220_001", "messages": [{"role"',
    "README.txt": "mine",
  });
  return workspace;
}

test("MIG-2: the source directory is only read, whatever is imported", () => {
  const sandbox = new Sandbox();
  everything(sandbox);
  const before = KINDS.map((kind) => fingerprint(join(sandbox.work, kind)));
  for (const kind of KINDS) {
    sandbox.run(["migrate", kind, "--dry-run"]);
    sandbox.run(["migrate", kind]);
    sandbox.run(["migrate", kind, "--overwrite"]);
  }
  expect(sandbox.tree(sandbox.memory)).toContain("memories/USER.md");
  expect(KINDS.map((kind) => fingerprint(join(sandbox.work, kind)))).toEqual(before);
});

test("MIG-2: a read-only directory can be imported too", () => {
  const sandbox = new Sandbox();
  const directory = fixture(sandbox, "chat");
  for (const path of ["workspace", "workspace/sessions", "workspace/memories"])
    chmodSync(join(directory, path), 0o555);
  sandbox.ok(["migrate", directory]);
  for (const path of ["workspace", "workspace/sessions", "workspace/memories"])
    chmodSync(join(directory, path), 0o755);
});

test("MIG-2: links inside the directory are followed, links out of it are reported and skipped", () => {
  const sandbox = new Sandbox();
  const outside = writeAll(join(sandbox.root, "outside"), {
    "secret.json": '{"id": "outside", "messages": [{"role": "user", "content": "not yours"}]}',
    "chat/MEMORY.md": "- Not yours\n",
    "MEMORY.md": "- Not yours either\n",
  });
  const directory = writeAll(join(sandbox.work, "old"), {
    "sessions/a.json": '{"id": "a", "messages": [{"role": "user", "content": "mine"}]}',
    "elsewhere/USER.md": "- Likes tea\n",
    "memories/PREFERENCES.md": "- Likes mate\n",
  });
  symlinkSync(join(outside, "secret.json"), join(directory, "sessions/out.json"));
  symlinkSync(join(outside, "MEMORY.md"), join(directory, "memories/MEMORY.md"));
  symlinkSync("../elsewhere/USER.md", join(directory, "memories/USER.md"));
  mkdirSync(join(directory, "memories/chats"));
  symlinkSync(join(outside, "chat"), join(directory, "memories/chats/out"));
  const { exitCode, json } = sandbox.run(["migrate", directory, "--json"]);
  expect(exitCode).toBe(1);
  const items = json.data.items.map(({ outcome, file }: Record<string, string>) => `${outcome} ${file}`);
  expect(items.sort()).toEqual([
    "imported memories/PREFERENCES.md",
    "imported memories/USER.md",
    "imported sessions/a.json",
    "skipped memories/MEMORY.md",
    "skipped sessions/out.json",
  ]);
  expect(json.data.left).toContainEqual({
    path: "memories/chats/out",
    why: expect.stringContaining("link"),
  });
  expect(sandbox.ok(["search", "yours"]).stdout).not.toContain("yours");
});

test("MIG-2: a dry run reports what an import would do, and changes nothing", async () => {
  const sandbox = new Sandbox();
  everything(sandbox);
  await sandbox.addFact("Timezone: Lima");
  writeAll(sandbox.memory, { "memories/USER.md": "# Me\n\n- Likes mate\n" });
  for (const kind of KINDS) {
    const before = fingerprint(sandbox.memory);
    const dry = sandbox.run(["migrate", kind, "--dry-run", "--json"]);
    expect(fingerprint(sandbox.memory)).toEqual(before);
    const real = sandbox.run(["migrate", kind, "--json"]);
    expect(dry.json.data.dry_run).toBe(true);
    expect(real.json.data.dry_run).toBe(false);
    expect(dry.json.data.items).toEqual(real.json.data.items);
    expect(dry.exitCode).toBe(real.exitCode);
  }
});

test("MIG-2: a dry run creates no workspace", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["migrate", fixture(sandbox, "bot"), "--dry-run"]);
  expect(sandbox.tree(sandbox.home)).toEqual([]);
});

test("MIG-2: without a directory, the default locations are shown and nothing is imported", () => {
  const sandbox = new Sandbox();
  expect(sandbox.ok(["migrate"]).stdout).toStartWith("Nothing to import in ");
  const arcaneum = fixture(sandbox, "arcaneum");
  Bun.spawnSync(["mv", arcaneum, join(sandbox.home, ".arcaneum")]);
  const { stdout } = sandbox.ok(["migrate"]);
  expect(stdout.replaceAll(sandbox.home, "~")).toBe(
    [
      "Would import from ~/.arcaneum/retain into ~/.retain:",
      "documents  2 imported",
      "Not imported:",
      "  knowledge/.versions: older versions of documents are not imported",
      "Import it with: retain migrate ~/.arcaneum/retain",
      "",
      "Would import from ~/.arcaneum/agent-memory into ~/.retain:",
      "documents  1 imported",
      "Import it with: retain migrate ~/.arcaneum/agent-memory",
      "",
    ].join("\n"),
  );
  expect(sandbox.tree(sandbox.memory)).toEqual([]);
});

test("MIG-4: each kind is counted, a broken file is named, and the rest is imported", () => {
  const sandbox = new Sandbox();
  const workspace = everything(sandbox);
  const { exitCode, stdout, stderr } = sandbox.run(["migrate", workspace]);
  expect(exitCode).toBe(1);
  expect(stdout.replaceAll(sandbox.root, "")).toBe(
    [
      "✓ Imported from /work/chat/workspace into /home/.retain:",
      "sessions      2 imported (5 messages), 1 skipped",
      "facts         5 imported",
      "files         2 imported",
      "instructions  1 imported",
      "  Timezone: Europe/Madrid: replaces: Timezone: Mexico City",
      "Not imported:",
      "  README.txt: nothing in it can be imported",
      "Undo: retain undo (sessions and instructions stay)",
      "",
    ].join("\n"),
  );
  expect(stderr).toStartWith("sessions/session_20260220_001.json: It is not valid JSON.");
});

test("MIG-4: the JSON report has counts, every item, and the failures", () => {
  const sandbox = new Sandbox();
  const { json } = sandbox.run(["migrate", everything(sandbox), "--json"]);
  expect(json).toMatchObject({
    ok: false,
    error: { code: "partial", message: "1 item was skipped.", exit_code: 1 },
    data: {
      dry_run: false,
      found: [
        { kind: "sessions", path: "sessions" },
        { kind: "memories", path: "memories" },
        { kind: "instructions", path: "context/system_prompt.md" },
      ],
      counts: {
        sessions: { imported: 2, existing: 0, skipped: 1, messages: 5 },
        facts: { imported: 5, existing: 0, skipped: 0 },
      },
    },
  });
  expect(json.data.items).toContainEqual({
    kind: "sessions",
    outcome: "imported",
    name: "session_20260218_001",
    file: "sessions/session_20260218_001.json",
    line: null,
    why: null,
    hint: null,
    messages: 3,
  });
});

test("MIG-4: no imported text moves a terminal's cursor", () => {
  const sandbox = new Sandbox();
  const directory = writeAll(join(sandbox.work, "old"), {
    "sessions/a\u001b[2Jb.json": "broken",
    "memories/MEMORY.md": "- Likes \u001b[31mred\n",
    "x\u001b[2Jy": "",
  });
  const { stdout, stderr } = sandbox.run(["migrate", directory]);
  expect(stdout + stderr).not.toContain("\u001b");
});

test("MIG-5: a second run imports nothing and says so", () => {
  const sandbox = new Sandbox();
  everything(sandbox);
  for (const kind of KINDS) sandbox.run(["migrate", kind]);
  const before = sandbox.tree(join(sandbox.memory, "memories"));
  const files = fingerprint(join(sandbox.memory, "memories"));
  for (const kind of KINDS) {
    const { json } = sandbox.run(["migrate", kind, "--json"]);
    expect(json.data.items.filter(({ outcome }: { outcome: string }) => outcome === "imported")).toEqual([]);
  }
  expect(sandbox.tree(join(sandbox.memory, "memories"))).toEqual(before);
  expect(fingerprint(join(sandbox.memory, "memories"))).toEqual(files);
  expect(sandbox.ok(["migrate", "lines"]).stdout).toContain("Nothing new");
});
