/** `doctor` on files that cannot be read, and `doctor --deep` on an index that says something else than the files. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ORDINARY, testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const BINARY = new Uint8Array([0x2d, 0x20, 0xff, 0xfe, 0x0a]);
const DAY = "2026-02-18";
const FILES = ["MEMORY.md", "HISTORY.md", "INFERRED.md", "INFERRED-HISTORY.md", `${DAY}.md`];

function run(sandbox: Sandbox, ...args: string[]) {
  return sandbox.run(args);
}

async function remembering(): Promise<Sandbox> {
  const sandbox = new Sandbox();
  await sandbox.addFact("Herons wade at dawn");
  return sandbox;
}

function acknowledged(sandbox: Sandbox): Sandbox {
  run(sandbox, "doctor");
  sandbox.ok(["doctor", "--acknowledge", "--yes"]);
  return sandbox;
}

/** Acknowledging hides incidents, not what is wrong now. */
function expectFinding(sandbox: Sandbox, path: string, why: string): void {
  const { exitCode, stdout } = run(acknowledged(sandbox), "doctor");
  expect({ path, exitCode }).toEqual({ path, exitCode: 1 });
  const line = stdout.split("\n").find((one) => one.includes(path));
  expect(line).toContain(why);
}

test("INDEX-7: doctor names each memory file that is not UTF-8, or a directory, or a dangling link", async () => {
  for (const name of FILES) {
    const sandbox = await remembering();
    const path = join(sandbox.memory, "memories", name);
    rmSync(path, { force: true });
    writeFileSync(path, BINARY);
    expectFinding(sandbox, path, "UTF-8");
    rmSync(path);
    mkdirSync(path);
    expectFinding(sandbox, path, "is not a file");
  }
  const sandbox = await remembering();
  const path = join(sandbox.memory, "memories/MEMORY.md");
  rmSync(path);
  symlinkSync(join(sandbox.memory, "nothing"), path);
  expectFinding(sandbox, path, "link");
});

test("INDEX-7: in a project, doctor also names memory files of the home workspace", async () => {
  const sandbox = await remembering();
  await sandbox.makeProject();
  const path = join(sandbox.memory, "memories/MEMORY.md");
  writeFileSync(path, BINARY);
  expectFinding(sandbox, path, "UTF-8");
});

testNeeding("permissions")(
  "INDEX-7: doctor names memory files that it has no permission to read",
  async () => {
    const sandbox = await remembering();
    const paths = FILES.slice(0, 2).map((name) => join(sandbox.memory, "memories", name));
    const script = `chmod 000 ${paths.join(" ")}; ${[...ORDINARY, RETAIN].join(" ")} doctor`;
    const env = sandbox.env();
    const { exitCode, stdout } = Bun.spawnSync(["sh", "-c", script], { cwd: sandbox.work, env });
    expect(exitCode).toBe(1);
    for (const path of paths) expect(stdout.toString()).toContain(`${path}: permission`);
  },
);

test("INDEX-7: doctor reports an invalid config, in the home workspace and in a project", async () => {
  const sandbox = await remembering();
  await sandbox.makeProject();
  const homes = [join(sandbox.memory, "config.yaml"), join(sandbox.work, ".retain/config.yaml")];
  for (const path of homes) {
    rmSync(path);
    writeFileSync(path, BINARY);
    expectFinding(sandbox, path, "UTF-8");
    rmSync(path);
    mkdirSync(path);
    expectFinding(sandbox, path, path);
    rmSync(path, { recursive: true });
    writeFileSync(path, "max_versions: many\n");
    expectFinding(sandbox, path, "max_versions");
  }
  const { findings } = run(sandbox, "doctor", "--json").json.data;
  expect(findings.filter(({ name }: { name: string }) => name === "config")).toHaveLength(2);
});

/** With a document, a fact, a note and a conversation in the home workspace. */
async function full(): Promise<Sandbox> {
  const sandbox = await remembering();
  await sandbox.addDocument("# GPU\n\nThe card is blue.\n", { id: "gpu" });
  sandbox.ok(["log", "Harbour: the boat left"]);
  sandbox.ok(["--model", "none", "Where is the lighthouse?"]);
  return sandbox;
}

function change(sandbox: Sandbox, sql: string, ...values: (string | number)[]): void {
  using database = new Database(join(sandbox.memory, "retain.db"));
  database.query(sql).run(...values);
}

function deep(sandbox: Sandbox) {
  const { exitCode, json } = run(sandbox, "doctor", "--deep", "--json");
  const findings: { name: string; ok: boolean; items?: string[]; hint?: string }[] = json.data.findings;
  return { exitCode, finding: findings.find(({ ok, items }) => !ok && items) };
}

test("INDEX-7: --deep finds an index that differs from the files, and reindex fixes it", async () => {
  const changes = {
    document: "UPDATE chunks SET text = 'The card is red.' WHERE kind = 'document'",
    fact: "UPDATE facts SET fact = 'Herons sleep at dawn'",
    note: "UPDATE chunks SET text = 'the boat stayed' WHERE kind = 'note'",
    session: "UPDATE sessions SET title = 'Another title'",
    message: "UPDATE messages SET content = 'Where is the harbour?' WHERE role = 'user'",
  };
  const sandbox = await full();
  expect(deep(sandbox)).toEqual({ exitCode: 0, finding: undefined });
  for (const [kind, sql] of Object.entries(changes)) {
    change(sandbox, sql);
    const { exitCode, finding } = deep(sandbox);
    expect({ kind, exitCode }).toEqual({ kind, exitCode: 1 });
    expect(finding?.hint).toContain("retain reindex");
    sandbox.ok(["reindex"]);
    expect(deep(sandbox)).toEqual({ exitCode: 0, finding: undefined });
  }
  for (const [kind, sql] of Object.entries({
    note: "DELETE FROM chunks WHERE kind = 'note'",
    session: "INSERT INTO sessions (id, created_at, updated_at) VALUES ('stray', '2026', '2026')",
  })) {
    change(sandbox, sql);
    expect(deep(sandbox).finding?.items?.[0]).toStartWith(kind);
    sandbox.ok(["reindex"]);
    expect(deep(sandbox)).toEqual({ exitCode: 0, finding: undefined });
  }
});

test("INDEX-7: --deep verifies the checksums of a session file that looks unchanged", async () => {
  const sandbox = await full();
  const directory = join(sandbox.memory, "sessions");
  const [name = ""] = readdirSync(directory).filter((file) => file.endsWith(".jsonl"));
  const path = join(directory, name);
  writeFileSync(path, readFileSync(path, "utf8").replaceAll("lighthouse", "lightships"));
  const { size, mtimeMs, ctimeMs, ino } = statSync(path);
  change(
    sandbox,
    "UPDATE session_files SET size = ?, mtime = ?, ctime = ?, inode = ?, seen_at = ?",
    ...[size, mtimeMs, ctimeMs, ino, ctimeMs + 60_000],
  );
  expect(run(sandbox, "doctor").exitCode).toBe(0);
  const { exitCode, finding } = deep(sandbox);
  expect(exitCode).toBe(1);
  expect(finding?.items?.join()).toContain(path);
});

test("INDEX-7: in a project --deep covers its conversations and the home workspace, and changes no file", async () => {
  const sandbox = await full();
  await sandbox.makeProject();
  sandbox.ok(["--model", "none", "Where is the ferry?"]);
  const files = () =>
    [sandbox.memory, join(sandbox.work, ".retain")].flatMap((root) =>
      sandbox
        .tree(root)
        .filter((path) => !/retain\.db|\.lock/.test(path))
        .map((path) => [path, readFileSync(join(root, path), "utf8")]),
    );
  const before = files();
  expect(deep(sandbox)).toEqual({ exitCode: 0, finding: undefined });
  expect(files()).toEqual(before);
  expect(sandbox.tree(sandbox.memory).filter((path) => path.includes("check"))).toEqual([]);
  change(sandbox, "UPDATE facts SET fact = 'Herons sleep at dawn'");
  expect(deep(sandbox).finding?.hint).toContain("retain reindex --global");
  const bank = sandbox.tree(sandbox.memory).find((path) => /^banks\/.*\.jsonl$/.test(path)) ?? "";
  appendFileSync(join(sandbox.memory, bank), '{"type":"message"}\n');
  expect(deep(sandbox).finding?.items?.join()).toContain(bank);
});
