/** Folders of Markdown from outside, such as an Obsidian vault: read, searched, never written. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { openRetain } from "../../src/index.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";

const mounted = testNeeding("mount namespaces");

const note = { stdin: "# Note\n\ntext\n" };
const DAILY = "Daily Notes/2026-01-01";

/** As people keep them: spaces, capitals, other scripts, folders in folders, Obsidian's own files beside. */
const VAULT: Record<string, string> = {
  "Daily Notes/2026-01-01.md":
    "---\ntags: [daily, plan]\naliases: [New Year]\nid: other\n---\n# First\n\nMet [[Ada Lovelace|Ada]] ![[map.png]]\n",
  "People/Ada Lovelace.md": "Wrote the first program. #person\n",
  "Projekte/Über uns/Größe.md": "---\ncreated: 2025-02-03\n---\n# Größe\n",
  "日本語/メモ.md": "# メモ\n\n[[Daily Notes/2026-01-01]]\n",
  "Templates/Daily.md": "---\ntags: [template]\n---\n# {{title}}\n",
  "README.md": "# Vault\n",
  "map.png": "not text",
  "old.markdown": "# Old\n",
  ".obsidian/workspace.md": "# hidden\n",
  ".trash/Gone.md": "# hidden\n",
  ".hidden.md": "# hidden\n",
  "node_modules/x/readme.md": "# a package's\n",
};

const IDS = [
  DAILY,
  "People/Ada Lovelace",
  "Projekte/Über uns/Größe",
  "README",
  "Templates/Daily",
  "日本語/メモ",
].sort();

function withVault(): Sandbox & { vault: string } {
  const sandbox = new Sandbox();
  for (const [path, text] of Object.entries(VAULT)) sandbox.write(`vault/${path}`, text);
  return Object.assign(sandbox, { vault: join(sandbox.work, "vault") });
}

async function added(): Promise<Sandbox & { vault: string }> {
  const sandbox = withVault();
  await sandbox.setUp(({ folders }) => folders.add("vault"), { scope: "global" });
  return sandbox;
}

function ids(sandbox: Sandbox, ...options: string[]): string[] {
  return sandbox
    .ok(["list", "--quiet", "--sort", "id", ...options])
    .stdout.split("\n")
    .slice(0, -1)
    .sort();
}

/** Every file of a directory with its bytes and times. */
function snapshot(sandbox: Sandbox, directory: string) {
  return sandbox.tree(directory).map((path) => {
    const file = join(directory, path);
    return [path, readFileSync(file, "utf8"), statSync(file).mtimeMs, statSync(file).ctimeMs];
  });
}

test("FOLDER-1: a vault becomes a collection, whose ids are paths without .md", () => {
  const sandbox = withVault();
  const before = snapshot(sandbox, sandbox.vault);
  const result = sandbox.ok(["folders", "add", "vault"]);
  expect(result.stdout).toContain(`✓ Added 'vault': 6 Markdown files from ${sandbox.vault}\n`);
  expect(result.stderr).toBe("");
  expect(ids(sandbox)).toEqual(IDS);
  expect(ids(sandbox, "--collection", "vault")).toEqual(IDS);
  expect(ids(sandbox, "--filter", "tags=daily")).toEqual([DAILY]);
  const { collections } = sandbox.ok(["collections", "--json"]).json.data;
  expect(collections).toMatchObject([{ name: "vault", count: 6, folder: sandbox.vault }]);
  expect(sandbox.ok(["collections"]).stdout).toContain(`read from ${sandbox.vault}`);
  expect(snapshot(sandbox, sandbox.vault)).toEqual(before);
  expect(sandbox.tree(join(sandbox.memory, "collections"))).toEqual([]);
});

test("FOLDER-1: a folder without a name of its own, such as the root, needs --name", () => {
  const { exitCode, stderr } = new Sandbox().run(["folders", "add", "/"]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("retain folders add / --name");
  expect(stderr).toContain("needs a name");
});

test("FOLDER-1: get finds a document by its path, with or without collection and .md", async () => {
  const sandbox = await added();
  for (const args of [[DAILY], [`${DAILY}.md`], [DAILY, "--collection", "vault"]]) {
    const { data } = sandbox.ok(["get", ...args, "--json"]).json;
    expect(data.id).toBe(DAILY);
    expect(data.title).toBe("First");
    expect(data.content).toContain("[[Ada Lovelace|Ada]]");
    expect(data.metadata).toMatchObject({
      collection: "vault",
      tags: ["daily", "plan"],
      aliases: ["New Year"],
    });
    expect(data.file_path).toBe(join(sandbox.vault, `${DAILY}.md`));
  }
  expect(sandbox.ok(["get", "日本語/メモ"]).stdout).toContain("ID: 日本語/メモ");
  expect(sandbox.ok(["get", "Projekte/Über uns/Größe", "--format", "raw"]).stdout).toBe("# Größe\n");
  const half = sandbox.run(["get", "2026-01-01"]);
  expect(half.exitCode).toBe(1);
  expect(half.stderr).toContain(`Did you mean '${DAILY}'?`);
});

test("FOLDER-1: index list, --json, --quiet and --name", () => {
  const sandbox = withVault();
  expect(sandbox.ok(["folders"]).stdout).toContain("No folders yet");
  const { data } = sandbox.ok(["folders", "add", "vault", "--name", "brain", "--json"]).json;
  const brain = { name: "brain", path: sandbox.vault, include: [], exclude: [], count: 6 };
  expect(data).toEqual({ ...brain, action: "added" });
  expect(sandbox.ok(["folders", "list", "--json"]).json.data).toEqual({ folders: [brain] });
  expect(sandbox.ok(["folders", "list"]).stdout).toContain(`brain  6      ${sandbox.vault}`);
  expect(sandbox.ok(["folders", "list", "-q"]).stdout).toBe("brain\n");
  mkdirSync(join(sandbox.work, "Mein Zettel-Kasten (2026)"));
  const slug = sandbox.ok(["folders", "add", "Mein Zettel-Kasten (2026)", "--quiet"]);
  expect(slug.stdout).toBe("mein-zettel-kasten-2026\n");
});

test("FOLDER-1: adding a folder whose files contain secrets warns with their names and lines, not the secrets", () => {
  const sandbox = withVault();
  const token = "ghp_9fKd83LsQp02XcVbn45TyUiOpAsDfGhJkL12";
  for (let number = 1; number <= 12; number++)
    sandbox.write(`vault/Keys/key${number}.md`, `# Key\n\nThe token is ${token}\n`);
  sandbox.write("vault/Keys/mine.md", `<private>${token}</private>\n`);
  const { stderr, stdout } = sandbox.ok(["folders", "add", "vault"]);
  expect(stderr.match(/'Keys\/key\d+': line 3 /g)).toHaveLength(10);
  expect(stderr).toContain("2 more documents");
  expect(stderr).not.toContain("mine");
  expect(stderr + stdout).not.toContain(token);
  expect(stderr.split("\n").filter((line) => line !== "")).toHaveLength(11);
  expect(sandbox.ok(["list", "-q"]).stderr).toBe("");
});

test("FOLDER-1: an empty folder is added with a notice, and its later files are found", () => {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.work, "docs"));
  const result = sandbox.ok(["folders", "add", "docs"]);
  expect(result.stdout).toContain("0 Markdown files");
  sandbox.write("docs/guide.md", "# Guide\n");
  expect(ids(sandbox)).toEqual(["guide"]);
});

test("FOLDER-2: no link is followed, out of the folder or within it, so there are no cycles", () => {
  const sandbox = withVault();
  sandbox.write("secret/passwords.md", "# Secret\n");
  symlinkSync("../../secret/passwords.md", join(sandbox.vault, "People/linked.md"));
  symlinkSync(join(sandbox.work, "secret"), join(sandbox.vault, "linked"));
  symlinkSync("README.md", join(sandbox.vault, "again.md"));
  symlinkSync("..", join(sandbox.vault, "People/up"));
  sandbox.ok(["folders", "add", "vault"]);
  expect(ids(sandbox)).toEqual(IDS);
  for (const id of ["People/linked", "linked/passwords", "again", "People/up/README"])
    expect(sandbox.run(["get", id]).exitCode).toBe(1);
});

test("FOLDER-2: the folder itself may be behind a link", () => {
  const sandbox = withVault();
  symlinkSync("vault", join(sandbox.work, "brain"));
  sandbox.ok(["folders", "add", "brain"]);
  expect(sandbox.ok(["get", DAILY, "--json"]).json.data.file_path).toContain("work/brain/Daily Notes");
  expect(ids(sandbox, "--collection", "brain")).toEqual(IDS);
});

test("FOLDER-2: special and oversized files are skipped, with one warning for all", () => {
  const sandbox = withVault();
  for (const id of ["a", "b", "c"]) sandbox.write(`vault/large/${id}.md`, "x".repeat(2000));
  expect(Bun.spawnSync(["mkfifo", join(sandbox.vault, "pipe.md")]).exitCode).toBe(0);
  mkdirSync(join(sandbox.vault, "directory.md"));
  sandbox.write("vault/directory.md/inside.md", "# Inside\n");
  const env = { RETAIN_MAX_DOCUMENT_BYTES: "1000" };
  const result = sandbox.ok(["folders", "add", "vault"], { env });
  expect(result.stderr).toBe(
    "warning: Not in 'vault' (larger than max_document_bytes): large/a.md and 2 others\n",
  );
  expect(sandbox.ok(["list", "-q"], { env }).stdout.split("\n")).toHaveLength(8);
  expect(sandbox.run(["get", "large/a"], { env }).exitCode).toBe(1);
  expect(ids(sandbox)).toEqual([...IDS, "directory.md/inside", "large/a", "large/b", "large/c"].sort());
  expect(sandbox.ok(["list", "-q"], { env }).stdout.split("\n")).toHaveLength(8);
});

test("FOLDER-2: a folder that contains the workspace is indexed without it", () => {
  const sandbox = withVault();
  const env = { RETAIN_HOME: join(sandbox.vault, "memory") };
  sandbox.ok(["put", "-", "--id", "mine"], { ...note, env });
  sandbox.ok(["folders", "add", "vault"], { env });
  expect(sandbox.ok(["list", "-q"], { env }).stdout.split("\n").slice(0, -1).sort()).toEqual(
    [...IDS, "mine"].sort(),
  );
  expect(sandbox.run(["get", "memory/collections/memory/mine"], { env }).exitCode).toBe(1);
  expect(sandbox.run(["get", "memory/collections/memory/min"], { env }).stderr).not.toContain("Did you mean");
});

test("FOLDER-2: include and exclude choose by name, by path, and by directory", async () => {
  const cases: [options: string[], left: string[]][] = [
    [["--exclude", "Templates"], IDS.filter((id) => id !== "Templates/Daily")],
    [["--exclude", "Templates/**"], IDS.filter((id) => id !== "Templates/Daily")],
    [["--exclude", "Über uns/"], IDS.filter((id) => id !== "Projekte/Über uns/Größe")],
    [["--exclude", "/Über uns"], IDS],
    [["--exclude", "20*.md"], IDS.filter((id) => id !== DAILY)],
    [["--exclude", "*/*"], ["README"]],
    [["--include", "*.md"], IDS],
    [["--include", "**/*.md"], IDS],
    [["--include", "/*.md"], ["README"]],
    [["--include", "./*.md"], ["README"]],
    [
      ["--include", "Daily Notes", "--include", "P*/**"],
      [DAILY, "People/Ada Lovelace", "Projekte/Über uns/Größe"],
    ],
    [["--include", "P*/**", "--exclude", "Gr*"], ["People/Ada Lovelace"]],
    [["--include", ".obsidian"], []],
    [["--include", "*.png"], []],
  ];
  for (const [options, left] of cases) {
    const sandbox = withVault();
    const result = sandbox.ok(["folders", "add", "vault", ...options]);
    expect([options, ids(sandbox)]).toEqual([options, [...left].sort()]);
    expect(result.stdout.includes("matches the patterns")).toBe(left.length === 0);
    using retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home });
    const got = await Promise.all(IDS.map((id) => retain.documents.find(id)));
    expect([options, got.flatMap((ref) => ref?.id ?? [])]).toEqual([options, [...left].sort()]);
  }
});

test("FOLDER-2: adding a folder again changes its patterns, and excluded files leave the index", async () => {
  const sandbox = await added();
  const again = (...options: string[]) => sandbox.ok(["folders", "add", "vault", ...options]).stdout;
  expect(again()).toContain("✓ Unchanged 'vault': 6 Markdown files");
  expect(again("--exclude", "Templates", "--exclude", "People")).toContain("✓ Updated 'vault': 4 ");
  expect(ids(sandbox)).toEqual(IDS.filter((id) => !/^(?:Templates|People)/.test(id)));
  expect(rowsOf(sandbox, "vault")).toBe(4);
  expect(sandbox.ok(["folders", "list"]).stdout).toContain("not Templates, not People");
  expect(again("--name", "vault")).toContain("✓ Updated 'vault': 6 ");
  expect(sandbox.ok(["folders", "list", "-q"]).stdout).toBe("vault\n");
  for (const pattern of ["", "!x", "/"])
    expect(sandbox.run(["folders", "add", "vault", "--exclude", pattern]).exitCode).toBe(2);
});

test("INDEX-2: list and get notice edited, new, removed and renamed files", async () => {
  const sandbox = await added();
  const file = (path: string) => join(sandbox.vault, path);
  writeFileSync(file(`${DAILY}.md`), "# Second\n");
  writeFileSync(file("Daily Notes/2026-01-02.md"), "# New\n");
  rmSync(file("README.md"));
  renameSync(file("People"), file("Leute"));
  const rows = sandbox.ok(["list", "--format", "json"]).json;
  const titles = Object.fromEntries(rows.map((row: { id: string; title: string }) => [row.id, row.title]));
  expect(titles[DAILY]).toBe("Second");
  expect(titles["Daily Notes/2026-01-02"]).toBe("New");
  expect(Object.keys(titles)).toContain("Leute/Ada Lovelace");
  expect(Object.keys(titles)).not.toContain("People/Ada Lovelace");
  expect(Object.keys(titles)).not.toContain("README");
  expect(sandbox.ok(["get", DAILY, "--format", "raw"]).stdout).toBe("# Second\n");
});

test("INDEX-2: invalid files are listed, with one warning for the rest of a folder", () => {
  const sandbox = withVault();
  for (const name of ["a", "b", "c"]) sandbox.write(`vault/broken/${name}.md`, "---\na: [\n---\ntext\n");
  sandbox.write("vault/broken/binary.md", new Uint8Array([0xff, 0xfe, 0x00]));
  const result = sandbox.ok(["folders", "add", "vault"]);
  expect(result.stdout).toContain("10 Markdown files");
  expect(result.stderr.match(/\.md cannot be read/g)).toHaveLength(1);
  expect(result.stderr).toContain("3 more files in 'vault'");
  expect(sandbox.ok(["get", "broken/a", "--format", "raw"]).stdout).toContain("text");
});

test("FOLDER-5: commands that write refuse a folder and change nothing", async () => {
  const sandbox = await added();
  await sandbox.addDocument(note.stdin, { id: "mine" });
  sandbox.ok(["list"]);
  const watched = [sandbox.vault, join(sandbox.memory, "collections")];
  const before = watched.map((directory) => snapshot(sandbox, directory));
  const touched = join(sandbox.root, "editor-ran");
  const env = { EDITOR: `sh -c 'touch ${touched}' edit` };
  const content = sandbox.write("new.md", "# New\n");
  const fromFrontmatter = sandbox.write("said.md", "---\ncollection: vault\n---\n# Said\n");
  for (const args of [
    ["put", content, "--collection", "vault"],
    ["put", content, "--collection", "vault", "--id", "README"],
    ["put", fromFrontmatter],
    ["update", DAILY, "--content", content],
    ["update", DAILY, "--tags", "daily,plan"],
    ["edit", DAILY],
    ["delete", DAILY],
    ["delete", "mine", DAILY],
    ["restore", DAILY],
    ["restore", "README", "--version", "1"],
    ["versions", DAILY],
    ["versions", "README"],
    ["diff", DAILY],
    ["get", DAILY, "--version", "v1"],
  ]) {
    const { exitCode, json } = sandbox.run([...args, "--json"], { env });
    expect([args, exitCode, json.error.code]).toEqual([args, 3, "read_only"]);
    expect(json.error.message).toContain("'vault' is read-only");
  }
  const hint = sandbox.run(["update", DAILY, "--tags", "x"]).stderr;
  expect(hint).toContain(`'${join(sandbox.vault, DAILY)}.md'`);
  expect(watched.map((directory) => snapshot(sandbox, directory))).toEqual(before);
  expect(existsSync(touched)).toBe(false);
  expect(ids(sandbox)).toEqual([...IDS, "mine"].sort());
});

test("FOLDER-5: when putting many, only documents for the folder are refused", async () => {
  const sandbox = await added();
  sandbox.write("in/a.md", "# A\n");
  sandbox.write("in/b.md", "---\ncollection: vault\n---\n# B\n");
  sandbox.write("in/c.md", "# C\n");
  const { exitCode, json } = sandbox.run(["put", "in", "--json"]);
  expect(exitCode).toBe(3);
  expect(json.data.counts).toMatchObject({ created: 2, failed: 1, not_tried: 0 });
  expect(json.data.failed[0].code).toBe("read_only");
});

test("ID-3: an id cannot lead out of the folder", async () => {
  const sandbox = await added();
  sandbox.write("secret.md", "# Secret\n");
  const outside = join(sandbox.work, "secret");
  for (const id of [
    "../secret",
    "People/../../secret",
    "People/../README",
    outside,
    `/${DAILY}`,
    "./README",
    "People//Ada Lovelace",
    "README/",
    ".obsidian/workspace",
    ".hidden",
    "",
    "..",
    "a\\..\\secret",
    "x\ny",
  ]) {
    for (const collection of [[], ["--collection", "vault"]]) {
      const result = sandbox.run(["get", id, ...collection]);
      expect([id, result.exitCode]).toEqual([id, 2]);
      expect(result.stdout).toBe("");
    }
  }
  expect(sandbox.run(["get", "node_modules/x/readme"]).exitCode).toBe(1);
});

test("ID-3: an id passed to the library cannot lead out of it either", async () => {
  const sandbox = await added();
  const retain = openRetain({ cwd: sandbox.work, env: {}, homeDirectory: sandbox.home });
  for (const id of ["README\0", "../secret", "People/\0/x"])
    expect(retain.documents.get(id, { collection: "vault" })).rejects.toThrow("not a valid id");
  expect((await retain.documents.get(DAILY)).title).toBe("First");
  retain.close();
});

test("FOLDER-1: a missing folder or a file is refused with a hint, and nothing is created", () => {
  const sandbox = withVault();
  const missing = sandbox.run(["folders", "add", "valt"]);
  expect(missing.exitCode).toBe(1);
  expect(missing.stderr).toContain(`Did you mean ${sandbox.vault}?`);
  const file = sandbox.run(["folders", "add", "vault/README.md"]);
  expect(file.exitCode).toBe(2);
  expect(file.stderr).toContain("is a file, not a folder");
  for (const args of [
    ["add"],
    ["add", "vault", "more"],
    ["remove"],
    ["list", "vault"],
    ["frobnicate"],
    ["add", "vault", "--name", "../x"],
    ["add", "vault", "--name", "collections"],
    ["remove", "vault", "--exclude", "x"],
    ["add", "/", "--name", ""],
    ["add", "/"],
  ])
    expect([args, sandbox.run(["folders", ...args]).exitCode]).toEqual([args, 2]);
  expect(existsSync(sandbox.memory)).toBe(false);
});

test("FOLDER-1: a name in use is refused", async () => {
  const sandbox = await added();
  await sandbox.addDocument(note.stdin, { collection: "notes" });
  sandbox.ok(["config", "set", "--global", "collections", "planned"]);
  for (const name of ["notes", "planned", "memory", "vault", "Notes"]) {
    mkdirSync(join(sandbox.work, "other", name), { recursive: true });
    const result = sandbox.run(["folders", "add", "other", "--name", name]);
    expect([name, result.exitCode]).toEqual([name, 3]);
    expect(result.stderr).toContain("--name <name>");
  }
  expect(sandbox.run(["folders", "add", "other/notes"]).exitCode).toBe(3);
  expect(sandbox.ok(["folders", "list", "-q"]).stdout).toBe("vault\n");
});

test("FOLDER-1: a folder that is already indexed, by any path, is refused with the reason", async () => {
  const sandbox = await added();
  await sandbox.addDocument(note.stdin);
  symlinkSync("vault/People", join(sandbox.work, "people"));
  symlinkSync("vault", join(sandbox.work, "same"));
  const cases = [
    [["vault", "--name", "second"], "as 'vault'"],
    [["same", "--name", "second"], "as 'vault'"],
    [["vault/People"], "inside"],
    [["people"], "inside"],
    [["."], "contains"],
    [[sandbox.memory, "--name", "own"], "home workspace"],
    [[join(sandbox.memory, "collections/memory"), "--name", "own"], "home workspace"],
  ] as const;
  for (const [args, reason] of cases) {
    const result = sandbox.run(["folders", "add", ...args]);
    expect([args, result.exitCode]).toEqual([args, 3]);
    expect(result.stderr).toContain(reason);
  }
  expect(sandbox.ok(["folders", "add", "same"]).stdout).toContain("Unchanged 'vault'");
  mkdirSync(join(sandbox.work, "vault-2"));
  sandbox.ok(["folders", "add", "vault-2"]);
});

test("FOLDER-5: remove takes the folder out of the index and leaves its files", async () => {
  const sandbox = await added();
  await sandbox.addDocument(note.stdin, { id: "mine" });
  const before = snapshot(sandbox, sandbox.vault);
  const wrong = sandbox.run(["folders", "remove", "vaul"]);
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain("Did you mean 'vault'?");
  expect(sandbox.run(["folders", "remove", "memory"]).exitCode).toBe(1);
  expect(sandbox.ok(["folders", "remove", "vault"]).stdout).toContain("its files stay in");
  expect(rowsOf(sandbox, "vault")).toBe(0);
  expect(ids(sandbox)).toEqual(["mine"]);
  expect(sandbox.run(["get", DAILY]).exitCode).toBe(1);
  expect(sandbox.run(["get", "README", "--collection", "vault"]).exitCode).toBe(1);
  expect(sandbox.run(["get", "../secret"]).exitCode).toBe(2);
  expect(sandbox.ok(["collections", "-q"]).stdout).toBe("memory\n");
  expect(snapshot(sandbox, sandbox.vault)).toEqual(before);
  expect(readFileSync(join(sandbox.memory, "config.yaml"), "utf8")).not.toMatch(/^folders:/m);
  sandbox.ok(["put", "-", "--collection", "vault"], note);
  expect(ids(sandbox)).toEqual(["mine", "note"]);
});

test("FOLDER-5: a folder removed from the config by hand leaves the index too", async () => {
  const sandbox = await added();
  writeFileSync(join(sandbox.memory, "config.yaml"), "history: true\n");
  sandbox.ok(["put", "-", "--collection", "vault"], note);
  expect(ids(sandbox)).toEqual(["note"]);
  expect(rowsOf(sandbox, "vault")).toBe(1);
  expect(sandbox.run(["get", DAILY, "--collection", "vault"]).exitCode).toBe(1);
});

test("INDEX-10: a missing folder is a warning, and its documents return with it", async () => {
  const sandbox = await added();
  await sandbox.addDocument(note.stdin, { id: "mine" });
  const away = join(sandbox.root, "away");
  renameSync(sandbox.vault, away);
  const listed = sandbox.ok(["list", "-q", "--json"]).json;
  expect(listed.data.documents.map((row: { id: string }) => row.id)).toEqual(["mine"]);
  expect(listed.warnings).toHaveLength(1);
  expect(listed.warnings[0]).toContain(`The folder ${sandbox.vault} of collection 'vault'`);
  for (const args of [
    ["get", "mine"],
    ["update", "mine", "--tags", "x"],
    ["versions", "mine"],
    ["collections"],
  ])
    sandbox.ok(args);
  const lost = sandbox.run(["get", DAILY, "--collection", "vault"]);
  expect(lost.exitCode).toBe(1);
  expect(lost.stderr).toContain("retain folders remove vault");
  expect(sandbox.ok(["folders", "list"]).stdout).toContain("vault  missing");
  expect(rowsOf(sandbox, "vault")).toBe(6);
  renameSync(away, sandbox.vault);
  expect(ids(sandbox)).toEqual([...IDS, "mine"].sort());
  rmSync(sandbox.vault, { recursive: true });
  sandbox.ok(["folders", "remove", "vault"]);
  expect(sandbox.ok(["list", "-q"]).stderr).toBe("");
});

test("INDEX-10: an unreadable folder, or a file in its place, is a warning too", async () => {
  const sandbox = await added();
  await sandbox.addDocument(note.stdin, { id: "mine" });
  for (const spoil of [
    () => symlinkSync("vault", sandbox.vault),
    () => writeFileSync(sandbox.vault, "a file"),
    () => mkdirSync(sandbox.vault),
  ]) {
    rmSync(sandbox.vault, { recursive: true, force: true });
    spoil();
    const { stdout, stderr } = sandbox.ok(["list", "--quiet", "--verbose"]);
    expect(stdout).toBe("mine\n");
    expect(stderr).not.toContain("bug");
    sandbox.ok(["get", "mine"]);
    expect(sandbox.run(["get", "README"]).exitCode).toBe(1);
  }
});

mounted(
  "INDEX-10: a directory that the system will not show is left out, and the rest is there",
  async () => {
    const sandbox = await added();
    const run = forbidding(sandbox, join(sandbox.vault, "People"));
    const result = run(["list", "--json"]);
    expect(result.exitCode).toBe(0);
    const { data, warnings } = JSON.parse(result.stdout.toString());
    expect(data.documents.map((row: { id: string }) => row.id).sort()).toEqual(
      IDS.filter((id) => !id.startsWith("People")),
    );
    expect(warnings).toEqual([expect.stringMatching(/'vault'.*: People$/)]);
    const hidden = run(["get", "People/Ada Lovelace"]);
    expect(hidden.exitCode).toBe(1);
    expect(hidden.stderr.toString()).toContain("not found");
  },
);

/** How many documents of a collection the index knows. */
function rowsOf(sandbox: Sandbox, collection: string): number {
  using database = new Database(join(sandbox.memory, "retain.db"), { readonly: true });
  const query = database.query<{ count: number }, [string]>(
    "SELECT count(*) AS count FROM documents WHERE collection = ?",
  );
  return query.get(collection)?.count ?? 0;
}

/** Root may read everything but, in a namespace of its own, what belongs to somebody whom that does not know. */
function forbidding(sandbox: Sandbox, directory: string) {
  const isRoot = process.getuid?.() === 0;
  chmodSync(directory, isRoot ? 0o700 : 0o000);
  if (isRoot) chownSync(directory, 12345, 12345);
  const command = isRoot ? ["unshare", "-r", RETAIN] : [RETAIN];
  return (args: string[]) => Bun.spawnSync([...command, ...args], { cwd: sandbox.work, env: sandbox.env() });
}

test("CFG-3: folders belong to the user: projects find them in the home workspace", async () => {
  const sandbox = withVault();
  await sandbox.makeProject();
  const local = sandbox.run(["folders", "add", "vault", "--local"]);
  expect(local.exitCode).toBe(2);
  expect(local.stderr).toContain("--local");
  expect(sandbox.run(["folders", "list", "--local"]).exitCode).toBe(2);
  sandbox.ok(["folders", "add", "vault"]);
  expect(readFileSync(join(sandbox.work, ".retain/config.yaml"), "utf8")).not.toContain("vault");
  expect(ids(sandbox, "--local")).toEqual([]);
  expect(ids(sandbox, "--global")).toEqual(IDS);
  expect(sandbox.ok(["get", DAILY]).stdout).toContain("# First");
  const elsewhere = join(sandbox.root, "elsewhere");
  mkdirSync(elsewhere);
  await sandbox.makeProject(elsewhere);
  expect(sandbox.ok(["get", DAILY, "--global"], { cwd: elsewhere }).stdout).toContain("# First");
  expect(sandbox.ok(["folders", "list", "-q"], { cwd: elsewhere }).stdout).toBe("vault\n");
});

test("CFG-3: a project's config cannot make Retain read a directory", () => {
  for (const [path, text] of [
    [".retain/config.yaml", "# theirs\nfolders:\n  - name: ssh\n    path: /etc\n"],
    [".arcaneum", "retain:\n  enabled: true\n  folders: [{name: ssh, path: /etc}]\n"],
  ] as const) {
    const sandbox = new Sandbox();
    const file = sandbox.write(path, text);
    const result = sandbox.run(["list"]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain(
      `${file}:${path === ".arcaneum" ? 3 : 2}: a project cannot set 'folders'`,
    );
    expect(result.stderr).toContain("retain folders add");
  }
});

test("CFG-3: neither config set nor a variable can change it, and config shows it", async () => {
  const sandbox = await added();
  const set = sandbox.run(["config", "set", "--global", "folders", "x"]);
  expect(set.exitCode).toBe(2);
  expect(set.stderr).toContain("Use: retain folders add");
  expect(ids(sandbox, "--collection", "vault")).toEqual(IDS);
  expect(sandbox.ok(["list", "-q"], { env: { RETAIN_FOLDERS: "/etc" } }).stdout).not.toContain("etc");
  const { data } = sandbox.ok(["config", "get", "folders", "--json"]).json;
  expect(data.value).toEqual([{ name: "vault", path: sandbox.vault }]);
  expect(sandbox.ok(["config"]).stdout).toContain('folders = [{"name":"vault"');
});

test("CFG-3: folders written into the config by hand work, and an error names the line", () => {
  const sandbox = withVault();
  renameSync(sandbox.vault, join(sandbox.home, "vault"));
  sandbox.write("../home/.retain/config.yaml", "folders:\n  - name: brain\n    path: ~/vault\n");
  expect(ids(sandbox, "--collection", "brain")).toEqual(IDS);
  for (const [text, reason] of [
    ["- name: x\n", "folders.0.path' is missing"],
    ["- {name: x, path: relative}\n", "path: not an absolute path"],
    ["- {name: ../x, path: /x}\n", "name: not a valid collection name"],
    ["- {name: x, path: /x, exclude: ['!y']}\n", "exclude: not a valid pattern"],
    ["- {name: x, path: /x, excluded: []}\n", "excluded"],
    ["- {name: x, path: /x}\n- {name: X, path: /y}\n", "the same name"],
    ["  /etc\n", "'folders' must be"],
  ] as const) {
    const file = sandbox.write("../home/.retain/config.yaml", `history: true\nfolders:\n${text}`);
    const result = sandbox.run(["list"]);
    expect([text, result.exitCode]).toEqual([text, 2]);
    expect(result.stderr).toContain(`${file}:2: `);
    expect(result.stderr).toContain(reason);
  }
});

test("CFG-3: the rest of the config, and comments between folders, stay", () => {
  const sandbox = withVault();
  const head = "# mine\nhistory:   true   # of course\nfolders:\n";
  const first = `  # for work\n  - name: vault # the big one\n    path: "${sandbox.vault}"\n`;
  const second = "  # for play\n  - name: games\n    path: /nowhere/games\n";
  const file = sandbox.write(
    "../home/.retain/config.yaml",
    `${head}${first}${second}\n# end\nmax_versions: 3\n`,
  );
  mkdirSync(join(sandbox.work, "docs"));
  sandbox.ok(["folders", "add", "docs", "--exclude", "*.draft.md"]);
  const docs = `  - name: docs\n    path: ${join(sandbox.work, "docs")}\n    exclude:\n      - "*.draft.md"\n`;
  expect(readFileSync(file, "utf8")).toBe(`${head}${first}${second}${docs}\n# end\nmax_versions: 3\n`);
  sandbox.ok(["folders", "remove", "games"]);
  expect(readFileSync(file, "utf8")).toBe(`${head}${first}${docs}\n# end\nmax_versions: 3\n`);
  sandbox.ok(["folders", "remove", "docs"]);
  sandbox.ok(["folders", "remove", sandbox.vault]);
  expect(readFileSync(file, "utf8")).toBe(
    "# mine\nhistory:   true   # of course\n\n# end\nmax_versions: 3\n",
  );
});

test("CFG-3: folders added concurrently are all kept", async () => {
  const sandbox = new Sandbox();
  const names = ["a", "b", "c", "d", "e"];
  for (const name of names) sandbox.write(`${name}/${name}.md`, `# ${name}\n`);
  const children = names.map((name) => sandbox.start(["folders", "add", name]));
  for (const child of children) expect(await child.exited).toBe(0);
  expect(sandbox.ok(["folders", "list", "-q"]).stdout.split("\n").slice(0, -1).sort()).toEqual(names);
  expect(ids(sandbox)).toEqual(names);
});

test("FOLDER-1: the workspace's documents take precedence over a folder's with the same id", async () => {
  const sandbox = await added();
  const put = sandbox.ok(["put", "-", "--id", "README"], note);
  expect(put.stderr).toBe("");
  expect(sandbox.ok(["get", "README", "--json"]).json.data.metadata.collection).toBe("memory");
  expect(sandbox.ok(["get", "README", "--collection", "vault"]).stdout).toContain("# Vault");
  sandbox.ok(["update", "README", "--tags", "mine"]);
  sandbox.ok(["delete", "README"]);
  expect(sandbox.ok(["get", "README"]).stdout).toContain("# Vault");
  expect(sandbox.ok(["restore", "README"]).stdout).toContain("Restored");
  expect(sandbox.ok(["get", "README", "--json"]).json.data.metadata.collection).toBe("memory");
  sandbox.write("docs/README.md", "# Docs\n");
  sandbox.ok(["folders", "add", "docs"]);
  sandbox.ok(["get", "README"]);
  sandbox.ok(["delete", "README"]);
  const both = sandbox.run(["get", "README"]);
  expect(both.exitCode).toBe(2);
  expect(both.stderr).toContain("--collection vault or --collection docs");
});

test("FOLDER-1: a collection created by hand with a folder's name takes precedence", async () => {
  const sandbox = await added();
  const file = sandbox.path("vault", "own");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "# Own\n");
  const result = sandbox.ok(["list", "--json"]).json;
  expect(result.data.documents.map((row: { id: string }) => row.id)).toEqual(["own"]);
  expect(result.warnings[0]).toContain(`${sandbox.vault} is ignored`);
  appendFileSync(file, "more\n");
  sandbox.ok(["update", "own", "--tags", "mine"]);
});

test("FOLDER-2: a pattern with an unmatched bracket or brace is refused", () => {
  const sandbox = withVault();
  for (const pattern of ["[", "Daily[", "[!]", "{a,b", "a}", "{a,{b}", "x]", "[a{b}"])
    for (const option of ["--include", "--exclude"]) {
      const { exitCode, stderr } = sandbox.run(["folders", "add", "vault", option, pattern]);
      expect([pattern, exitCode]).toEqual([pattern, 2]);
      expect(stderr).toContain(`'${pattern}'`);
    }
  expect(sandbox.tree(sandbox.home)).toEqual([]);
  for (const pattern of ["[]D]*", "[!x]*", "{Daily,Projekte}", "\\[draft\\]", "[{]", "{[ab],c}"]) {
    const { exitCode } = sandbox.run(["folders", "add", "vault", "--include", pattern]);
    expect([pattern, exitCode]).toEqual([pattern, 0]);
  }
});
