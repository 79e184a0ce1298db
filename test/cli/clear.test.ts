import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { processName } from "../../src/util/process.ts";
import { filesHolding } from "../helpers/bytes.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

const RARE = "zyxqwv17";
const EMBEDDING = "embedding: none\n";

/** Filled once, and copied for each test. */
const original = mkdtempSync(join(tmpdir(), "retain-clear-"));
afterAll(() => rmSync(original, { recursive: true }));

beforeAll(() => {
  const sandbox = new Sandbox();
  mkdirSync(sandbox.memory, { mode: 0o700 });
  writeFileSync(join(sandbox.memory, "config.yaml"), EMBEDDING);
  fill(sandbox);
  cpSync(sandbox.memory, original, { recursive: true });
});

/** A workspace with some of everything, each of which says the rare word. */
function filled(): Sandbox {
  const sandbox = new Sandbox();
  cpSync(original, sandbox.memory, { recursive: true });
  return sandbox;
}

function fill(sandbox: Sandbox, cwd = sandbox.work): void {
  sandbox.ok(["remember", `The door code is ${RARE}.`], { cwd });
  sandbox.ok(["remember", "Likes green tea."], { cwd });
  sandbox.ok(["log", `Walk: ${RARE} was seen.`], { cwd });
  for (const text of ["first", "second"])
    sandbox.ok(["put", "-", "--id", "doc"], { cwd, stdin: `# Doc\n\n${text} ${RARE}\n` });
  sandbox.ok(["ingest", "-"], { cwd, stdin: `About ${RARE}.\n[MEMORY] The gate code is ${RARE} too.` });
}

/** What a person finds in it. */
async function contents({ work, home }: Sandbox) {
  using retain = openRetain({ cwd: work, homeDirectory: home, env: {} });
  return {
    facts: (await retain.facts.list()).map(({ text }) => text),
    documents: (await retain.documents.list()).total,
    sessions: (await retain.sessions.list()).length,
    found: (await retain.search(RARE)).hits.length,
  };
}

const backupsIn = (root: string) => {
  const directory = join(root, "backups");
  return existsSync(directory) ? readdirSync(directory).filter((name) => !name.startsWith(".git")) : [];
};

const clear = (sandbox: Sandbox, ...args: string[]) =>
  sandbox.ok(["clear", "--yes", "--json", ...args]).json.data;

test("CLEAR-1: without a terminal it needs --yes, and else changes nothing", () => {
  const sandbox = filled();
  const before = sandbox.tree(sandbox.memory);
  for (const args of [["clear"], ["clear", "--json"]]) {
    const refused = sandbox.run(args);
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr + refused.stdout).toContain("retain clear --yes");
  }
  expect(sandbox.run(["clear", "--json"]).json.error.code).toBe("unconfirmed");
  expect(sandbox.tree(sandbox.memory)).toEqual(before);
});

testNeeding("tmux")(
  "CLEAR-1: at a terminal it asks, and accepts y or the bank's name",
  async () => {
    const sandbox = filled();
    const ask = async (answer: string) => {
      const screen = new TerminalScreen(sandbox, "retain clear", {}, 200, 40);
      try {
        expect(await screen.shows("or y:")).toContain(sandbox.memory);
        screen.type(answer, "Enter");
        return await screen.shows("[exit");
      } finally {
        screen.close();
      }
    };
    for (const answer of ["n", "globa"]) expect(await ask(answer)).toContain("Nothing was cleared.");
    expect((await contents(sandbox)).documents).toBe(1);
    expect(await ask("global")).toContain("✓ Cleared global");
    expect((await contents(sandbox)).documents).toBe(0);
    expect(await ask("y")).toContain("already empty");
  },
  120_000,
);

test("CLEAR-2: documents, versions, memory files, conversations and rows are removed; only the backup contains their text", async () => {
  const sandbox = filled();
  expect(await contents(sandbox)).toMatchObject({ documents: 1, sessions: 1 });
  const { done, backup, bank } = clear(sandbox);
  expect(bank).toBe("global");
  expect(done).toEqual([
    "Removed 1 document with 1 version of them.",
    "Removed 3 memory files.",
    "Removed 1 conversation.",
  ]);
  expect(await contents(sandbox)).toEqual({ facts: [], documents: 0, sessions: 0, found: 0 });
  const holding = filesHolding(sandbox.memory, RARE);
  expect(holding.length).toBeGreaterThan(5);
  expect(holding.filter((path) => !path.startsWith(`${backup}/`))).toEqual([]);
  expect(sandbox.ok(["doctor"]).stdout).toContain("index: ok");
  fill(sandbox);
  expect(await contents(sandbox)).toMatchObject({ documents: 1, sessions: 1 });
});

test("CLEAR-2: settings, skills, keys, other banks and read-only folders stay", () => {
  const sandbox = filled();
  const folder = sandbox.write("notes/tea.md", "# Tea\n\nGreen.\n");
  sandbox.ok(["folders", "add", join(sandbox.work, "notes")]);
  const kept = {
    "config.yaml": readFileSync(join(sandbox.memory, "config.yaml"), "utf8"),
    "keys.yaml": "anthropic: x\n",
    "context/system_prompt.md": "Be kind.\n",
    "skills/a/SKILL.md": "---\nname: a\n---\n",
    "banks/b-1a2b3c4d/memories/MEMORY.md": "- Another bank's.\n",
    "spool/x": "queued",
  };
  for (const [path, text] of Object.entries(kept)) {
    mkdirSync(join(sandbox.memory, path, ".."), { recursive: true });
    writeFileSync(join(sandbox.memory, path), text);
  }
  clear(sandbox);
  for (const [path, text] of Object.entries(kept))
    expect([path, readFileSync(join(sandbox.memory, path), "utf8")]).toEqual([path, text]);
  expect(readFileSync(folder, "utf8")).toContain("Green.");
  expect(sandbox.ok(["search", "green", "--json"]).json.data.results.length).toBe(1);
});

test("CLEAR-3: the backup is private and complete, and the printed command restores everything", async () => {
  const sandbox = filled();
  const before = await contents(sandbox);
  const versions = sandbox.ok(["versions", "doc", "--json"]).json.data;
  const files = sandbox.tree(sandbox.memory).filter((path) => /^(?:collections|memories)\//.test(path));
  const bytes = files.map((path) => readFileSync(join(sandbox.memory, path), "utf8"));
  const output = sandbox.ok(["clear", "--yes"]).stdout;
  const [backup = ""] = backupsIn(sandbox.memory);
  const directory = join(sandbox.memory, "backups", backup);
  expect(output).toContain(directory);
  expect(backup).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
  for (const path of [join(directory, ".."), directory, join(directory, "memories")])
    expect(statSync(path).mode & 0o777).toBe(0o700);
  for (const path of sandbox.tree(directory)) expect(statSync(join(directory, path)).mode & 0o077).toBe(0);
  expect(files.map((path) => readFileSync(join(directory, path), "utf8"))).toEqual(bytes);
  await sandbox.addFact("Something since.");
  const command = output.split("\n").find((line) => line.startsWith("  (cd ")) ?? "exit 1";
  expect(Bun.spawnSync(["sh", "-c", command]).exitCode).toBe(0);
  expect(await contents(sandbox)).toEqual(before);
  expect(sandbox.ok(["versions", "doc", "--json"]).json.data).toEqual(versions);
  expect(sandbox.ok(["doctor"]).stdout).toContain("index: ok");
});

test("CLEAR-3: two concurrent runs make one backup, and one finds it empty", async () => {
  const sandbox = filled();
  const both = [1, 2].map(() => sandbox.start(["clear", "--yes", "--json"]));
  const said = await Promise.all(
    both.map(async (child) => JSON.parse(await new Response(child.stdout).text())),
  );
  expect(said.map(({ ok }) => ok)).toEqual([true, true]);
  expect(said.filter(({ data }) => data.backup !== null).length).toBe(1);
  expect(backupsIn(sandbox.memory).length).toBe(1);
  expect(clear(sandbox)).toMatchObject({ done: [], left: [], backup: null });
  expect(backupsIn(sandbox.memory).length).toBe(1);
});

test("CLEAR-3: nothing changes if another process has a conversation open", async () => {
  const sandbox = filled();
  const holder = (pid: number) => {
    using database = new Database(join(sandbox.memory, "retain.db"));
    database.query("UPDATE sessions SET opened_by = ?").run(processName(hostname(), pid));
  };
  holder(process.pid);
  const before = await contents(sandbox);
  const refused = sandbox.run(["clear", "--yes", "--json"]);
  expect([refused.exitCode, refused.json.error.code]).toEqual([3, "conflict"]);
  expect(await contents(sandbox)).toEqual(before);
  expect(backupsIn(sandbox.memory)).toEqual([]);
  holder(2 ** 30);
  expect(clear(sandbox).backup).not.toBeNull();
});

test("CLEAR-3: a missing workspace is not created", () => {
  const sandbox = new Sandbox();
  expect(clear(sandbox)).toMatchObject({ backup: null });
  expect(existsSync(sandbox.memory)).toBe(false);
});

testNeeding("strace")(
  "CLEAR-3: killed at any moment, it loses nothing outside the backup, and the next run finishes",
  async () => {
    const sandbox = filled();
    const memory = ["collections/memory/doc.md", "memories/MEMORY.md", "memories/HISTORY.md"];
    const texts = memory.map((path) => readFileSync(join(original, path), "utf8"));
    let killed = 0;
    let half = 0;
    for (const call of ["linkat,link", "rename,renameat,renameat2", "unlink,unlinkat", "rmdir"])
      for (let count = 1; count < 60; count += count < 8 ? 1 : 7) {
        rmSync(sandbox.memory, { recursive: true });
        cpSync(original, sandbox.memory, { recursive: true });
        if (!clearUntil(sandbox, call, count)) break;
        killed++;
        const where = `${call} ${count}`;
        const [backup] = backupsIn(sandbox.memory).filter((name) => !name.startsWith(".tmp-"));
        const gone = memory.filter((path) => !existsSync(join(sandbox.memory, path)));
        if (gone.length > 0 && gone.length < memory.length) half++;
        const at = backup === undefined ? sandbox.memory : join(sandbox.memory, "backups", backup);
        expect([where, memory.map((path) => readFileSync(join(at, path), "utf8"))]).toEqual([where, texts]);
        expect([
          where,
          readdirSync(join(at, "sessions")).filter((name) => name.endsWith(".jsonl")).length,
        ]).toEqual([where, 1]);
        const rest = sandbox.run(["clear", "--yes", "--json"]);
        expect([where, rest.exitCode, rest.stderr]).toEqual([where, 0, ""]);
        expect([where, await contents(sandbox)]).toEqual([
          where,
          { facts: [], documents: 0, sessions: 0, found: 0 },
        ]);
        expect([where, backupsIn(sandbox.memory).filter((name) => name.startsWith(".tmp-"))]).toEqual([
          where,
          [],
        ]);
      }
    expect(killed).toBeGreaterThan(10);
    expect(half).toBeGreaterThan(0);
  },
  300_000,
);

/** Whether it was killed at the n-th of these calls. */
function clearUntil(sandbox: Sandbox, call: string, count: number): boolean {
  const inject = `inject=${call}:signal=KILL:when=${count}`;
  const log = join(sandbox.root, "strace.log");
  const child = Bun.spawnSync(["strace", "-f", "-o", log, "-e", inject, RETAIN, "clear", "--yes"], {
    cwd: sandbox.work,
    env: sandbox.env(),
  });
  return readFileSync(log, "utf8").includes("killed by SIGKILL") || child.signalCode === "SIGKILL";
}

test("CLEAR-2: links are not followed and unrelated files stay; both are reported", () => {
  const sandbox = filled();
  const outside = sandbox.write("outside/mine.md", `# Mine\n\n${RARE}\n`);
  const collections = join(sandbox.memory, "collections");
  symlinkSync(join(sandbox.work, "outside"), join(collections, "linked"));
  symlinkSync(outside, join(collections, "memory/linked.md"));
  writeFileSync(join(collections, "memory/picture.png"), "png");
  symlinkSync(join(sandbox.work, "outside"), join(sandbox.memory, "memories/chats"));
  const { left } = clear(sandbox);
  expect(readFileSync(outside, "utf8")).toContain(RARE);
  for (const path of ["collections/linked", "collections/memory/linked.md", "collections/memory/picture.png"])
    expect(existsSync(join(sandbox.memory, path))).toBe(true);
  expect(existsSync(join(collections, "memory/doc.md"))).toBe(false);
  expect(left.join()).toContain("4 other files or links were not removed, such as ");
});

test("CLEAR-2: nothing changes if the backup's path leads outside the workspace", async () => {
  for (const make of [
    (path: string) => symlinkSync("/tmp", path),
    (path: string) => writeFileSync(path, "in the way"),
  ]) {
    const sandbox = filled();
    make(join(sandbox.memory, "backups"));
    const before = await contents(sandbox);
    const refused = sandbox.run(["clear", "--yes", "--json"]);
    expect([refused.exitCode, refused.json.error.code]).toEqual([3, "unsafe"]);
    expect(await contents(sandbox)).toEqual(before);
  }
});

test("CLEAR-7: forget also removes a text from the files and databases of backups, and nothing else", async () => {
  const sandbox = filled();
  const { undo } = clear(sandbox);
  await sandbox.addFact(`The door code is ${RARE}.`);
  const [{ id }] = sandbox.ok(["facts", "--json"]).json.data.facts;
  const looked = sandbox.ok(["forget", id, "--dry-run", "--json"]).json.data;
  const paths = looked.places.map(({ path }: { path: string }) => path).join("\n");
  for (const place of [/^memories\/MEMORY\.md$/m, /^backups\/.*\/memories\/MEMORY\.md$/m])
    expect(paths).toMatch(place);
  const { left } = sandbox.ok(["forget", id, "--yes", "--json"]).json.data;
  expect(left).toEqual([]);
  expect(filesHolding(sandbox.memory, `The door code is ${RARE}`)).toEqual([]);
  expect(Bun.spawnSync(["sh", "-c", undo]).exitCode).toBe(0);
  expect(await contents(sandbox)).toMatchObject({
    facts: ["Likes green tea.", `The gate code is ${RARE} too.`],
    documents: 1,
    sessions: 1,
  });
});

test("CLEAR-3: backups are ignored by git, even with an older .gitignore", async () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q"]);
  await sandbox.makeProject();
  const ignore = join(sandbox.work, ".retain/.gitignore");
  expect(readFileSync(ignore, "utf8")).toContain("\n/backups/\n");
  writeFileSync(ignore, "retain.db*\n.versions/\n");
  fill(sandbox);
  sandbox.git(["add", "."]);
  sandbox.git(["commit", "-q", "-m", "memory"]);
  const { left, backup } = clear(sandbox);
  expect(existsSync(backup)).toBe(true);
  expect(left.join()).toContain("git's history");
  expect(sandbox.git(["status", "--porcelain", "--untracked-files=all"])).not.toContain("backups");
});

test("CLEAR-2: only the workspace in use is cleared", async () => {
  const sandbox = filled();
  const project = join(sandbox.work, "project");
  mkdirSync(project);
  await sandbox.makeProject(project);
  fill(sandbox, project);
  const home = sandbox.tree(sandbox.memory).filter((path) => /^(?:collections|memories)\//.test(path));
  sandbox.ok(["clear", "--yes"], { cwd: project });
  expect(sandbox.ok(["facts", "--local", "--json"], { cwd: project }).json.data.total).toBe(0);
  expect(sandbox.tree(sandbox.memory).filter((path) => home.includes(path))).toEqual(home);
  fill(sandbox, project);
  sandbox.ok(["clear", "--yes", "--global"], { cwd: project });
  expect((await contents(sandbox)).facts).toEqual([]);
  expect(sandbox.ok(["facts", "--local", "--json"], { cwd: project }).json.data.total).toBe(3);
});

test("CLEAR-2: a workspace with collections directly in it is cleared too", async () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "retain:\n  enabled: true\n");
  await sandbox.addDocument(`# Doc\n\n${RARE}\n`, { id: "doc" });
  await sandbox.addFact("A fact.");
  const { backup } = sandbox.ok(["clear", "--yes", "--json"]).json.data;
  expect(sandbox.ok(["list", "--json"]).json.data.total).toBe(0);
  expect(sandbox.ok(["collections", "--json"]).stdout).not.toContain("backups");
  expect(sandbox.tree(backup)).toContain("memory/doc.md");
  expect(existsSync(join(sandbox.work, ".arcaneum"))).toBe(true);
});
