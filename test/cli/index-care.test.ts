/** Index maintenance: unreadable documents, `doctor`, and `watch` alongside other processes. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { Sandbox } from "../helpers/sandbox.ts";

/** As a person does it, in an editor. */
function write(box: Sandbox, id: string, content: string | Uint8Array): string {
  const path = box.path("memory", id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, content);
  return path;
}

const BINARY = new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x00, 0x80]);

function withNote(): Sandbox {
  const box = new Sandbox();
  write(box, "note", "# Note\n\nTokens rotate daily.\n");
  chmodSync(box.memory, 0o700);
  return box;
}

test("INDEX-10: a search names unreadable documents, the first time and every time after", () => {
  const box = withNote();
  const path = write(box, "binary", BINARY);
  const told = `1 document could not be read: memory/binary (${path} is not valid UTF-8 text); it is not searched.`;
  for (const args of [["--text"], ["--text"], ["--text"], ["--text", "--filter", "tags!=x"]]) {
    const { stdout, stderr } = box.ok(["search", "tokens", "--quiet", ...args]);
    expect([stdout, stderr]).toEqual(["note\n", ""]);
    expect(box.ok(["search", "tokens", ...args]).stderr).toBe(`warning: ${told}\n`);
  }
  const { data, warnings } = box.ok(["recall", "tokens", "--text", "--json"]).json;
  expect(data.memories).toHaveLength(1);
  expect(warnings).toEqual([told]);
  write(box, "binary", "# Mended\n\nTokens, again.\n");
  expect(box.ok(["search", "again", "--text"]).stderr).toBe("");
});

test("INDEX-10: broken links, links out of the workspace and directories are named; broken frontmatter hides no text", () => {
  const box = withNote();
  const secret = box.write("secret.md", "# Secret\n");
  symlinkSync(secret, box.path("memory", "out"));
  symlinkSync(join(box.memory, "nothing"), box.path("memory", "nowhere"));
  mkdirSync(box.path("memory", "directory"));
  write(box, "broken", "---\ntags: [a\n---\n# Broken\n\nIts text is found.\n");
  for (let time = 0; time < 3; time++) {
    const { json } = box.ok(["search", "text is found", "--text", "--json"]);
    expect(json.data.results[0].id).toBe("broken");
    expect(json.warnings).toHaveLength(2);
    expect(json.warnings[1]).toMatch(
      /^The frontmatter of 1 document could not be read: memory\/broken \(line \d/,
    );
    expect(json.warnings[0]).toMatch(
      /^3 documents could not be read: memory\/directory \(.* is a directory\), memory\/nowhere \(.* a broken link\) and 1 other; .*retain doctor$/,
    );
  }
  expect(box.ok(["list", "-q"]).stdout.split("\n").sort()).toEqual(["", "broken", "note"]);
});

test("INDEX-10: doctor reports unreadable documents as a problem, and says what to do", () => {
  const box = withNote();
  box.ok(["doctor"]);
  write(box, "binary", BINARY);
  symlinkSync(box.write("secret.md", "# Secret\n"), box.path("memory", "out"));
  write(box, "broken", "---\ntags: [a\n---\n# Broken\n");
  const { exitCode, stdout, stderr } = box.run(["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^✗ documents: 2 could not be read and are not searched$/m);
  expect(stdout).toMatch(/^ {2}memory\/binary: .*binary\.md is not valid UTF-8 text\.$/m);
  expect(stdout).toMatch(/^ {2}memory\/out: .*out\.md is a link/m);
  expect(stdout).toContain("UTF-8");
  expect(stdout).toContain("memory/broken");
  expect(stderr).toBe("");
  for (const id of ["binary", "out"]) rmSync(box.path("memory", id));
  const misread = box.run(["doctor"]);
  expect(misread.exitCode).toBe(1);
  expect(misread.stdout).toMatch(/^✗ frontmatter: .*1 document.*\n {2}memory\/broken: line \d/m);
});

function rows(box: Sandbox, sql: string): unknown[][] {
  using database = new Database(join(box.memory, "retain.db"), { readonly: true });
  return database.query(sql).values();
}

const IN_VAULT = "SELECT id FROM documents WHERE collection = 'vault' ORDER BY id";

test("INDEX-2: a process opened before a folder was added leaves the folder's rows alone", async () => {
  const box = withNote();
  box.write("vault/Daily/one.md", "# One\n\nThe garden needs compost.\n");
  box.write("vault/two.md", "# Two\n\nThe fence needs paint.\n");
  using early = openRetain({ cwd: box.work, homeDirectory: box.home, env: box.env() });
  await early.index.sync();
  box.ok(["folders", "add", "vault"]);
  write(box, "more", "# More\n\nSomething else.\n");
  expect(await early.index.sync()).toEqual({ changed: 1, removed: 0 });
  expect(rows(box, IN_VAULT)).toEqual([["Daily/one"], ["two"]]);
  expect(box.ok(["search", "--text", "compost", "-q"]).stdout).toBe("Daily/one\n");
  box.ok(["folders", "remove", "vault"]);
  expect(rows(box, IN_VAULT)).toEqual([]);
});

test("INDEX-2: watch notices folders added and removed while it runs", async () => {
  const box = withNote();
  box.write("vault/one.md", "# One\n\nThe garden needs compost.\n");
  const watching = box.start(["watch"]);
  const told = watching.stderr.getReader();
  const until = async (text: string) => {
    let seen = "";
    while (!seen.includes(text)) {
      const { value, done } = await told.read();
      if (done) throw new Error(`'watch' ended before '${text}': ${seen}`);
      seen += new TextDecoder().decode(value);
    }
  };
  await until("1 document indexed");
  box.ok(["folders", "add", "vault"]);
  await until(join(box.work, "vault"));
  box.write("vault/two.md", "# Two\n\nThe fence needs paint.\n");
  while (rows(box, IN_VAULT).length < 2) await Bun.sleep(10);
  writeFileSync(join(box.memory, "config.yaml"), "folders: nonsense\n");
  await until("config.yaml:1: 'folders' must be");
  writeFileSync(join(box.memory, "config.yaml"), "");
  await until("2 removed");
  expect(rows(box, IN_VAULT)).toEqual([]);
  watching.kill("SIGINT");
  expect(await watching.exited).toBe(130);
});

function change(box: Sandbox, ...statements: string[]): void {
  using database = new Database(join(box.memory, "retain.db"));
  for (const statement of statements) database.run(statement);
}

test("INDEX-7: doctor compares the index with the contents of files, not just counts", () => {
  const box = withNote();
  write(box, "other", "# Other\n\nKeys rotate weekly.\n");
  box.ok(["embed"]);
  const damages: [string, string[]][] = [
    [
      "1 document is out of date in the index: memory/note",
      ["UPDATE chunks SET text = 'Tokens never rotate.' WHERE source = 'memory/note'"],
    ],
    [
      "1 document is out of date in the index: memory/note",
      ["UPDATE documents SET hash = 'x' WHERE id = 'note'"],
    ],
    [
      "1 document is out of date in the index: memory/other",
      ["UPDATE chunks SET source = 'memory/gone' WHERE source = 'memory/other'"],
    ],
    [
      "'words' has 2 missing or stray rows",
      [
        "DELETE FROM words WHERE rowid = (SELECT min(chunk_id) FROM chunks)",
        "INSERT INTO words (rowid, text) VALUES (999, 'stray')",
      ],
    ],
  ];
  for (const [told, statements] of damages) {
    expect(box.ok(["doctor"]).stdout).toContain("✓ index: ok: 2 documents in 2 chunks");
    change(box, ...statements);
    const { exitCode, stdout } = box.run(["doctor"]);
    expect(stdout).toContain(told);
    expect(stdout).toContain("retain reindex");
    expect(exitCode).toBe(1);
    box.ok(["reindex"]);
  }
});

test("INDEX-7: doctor neither waits for a writer nor blocks one", () => {
  const box = withNote();
  box.ok(["embed"]);
  const writer = new Database(join(box.memory, "retain.db"));
  writer.run("BEGIN IMMEDIATE");
  const { stdout } = box.ok(["doctor"]);
  writer.run("ROLLBACK");
  writer.close();
  expect(stdout).toContain("✓ index: ok: 1 document in 1 chunk");
});
