import { expect, test } from "bun:test";
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { chooseWorkspace } from "../../src/config/workspace.ts";
import { openRetain } from "../../src/index.ts";
import { afterThisTest } from "../helpers/clean-up.ts";
import { unconfirmed, WORDS_ALONE } from "../helpers/memories.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const note = { stdin: "# Note\n\ntext\n" };

function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("WS-1: the first write creates the home workspace, private, with starting files", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], note);
  expect(sandbox.tree(sandbox.home)).toContain(".retain/collections/memory/note.md");
  expect(existsSync(join(sandbox.memory, "config.yaml"))).toBe(true);
  expect(readFileSync(join(sandbox.memory, ".gitignore"), "utf8")).toContain("retain.db*");
  for (const directory of ["", "collections", "collections/memory"])
    expect(mode(join(sandbox.memory, directory))).toBe("700");
  for (const file of ["config.yaml", "retain.db", "collections/memory/note.md"])
    expect(mode(join(sandbox.memory, file))).toBe("600");
});

test("WS-1: reading and --help create nothing", () => {
  const sandbox = new Sandbox();
  for (const args of [
    ["--help"],
    ["get", "x"],
    ["where"],
    ["config"],
    ["versions", "x"],
    ["put", "nowhere.md"],
  ])
    sandbox.run(args);
  expect(sandbox.tree()).toEqual([]);
});

test("WS-1: RETAIN_HOME moves it, with relative paths too", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], { ...note, env: { RETAIN_HOME: "mine" } });
  expect(existsSync(join(sandbox.work, "mine/collections/memory/note.md"))).toBe(true);
  expect(existsSync(join(sandbox.work, "mine/config.yaml"))).toBe(true);
  expect(sandbox.tree(sandbox.home)).toEqual([]);
});

test("WS-1: a '~' in RETAIN_HOME that no shell expanded is the home directory", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-"], { ...note, env: { RETAIN_HOME: "~/mine" } });
  expect(existsSync(join(sandbox.home, "mine/collections/memory/note.md"))).toBe(true);
  expect(sandbox.tree(sandbox.work)).toEqual([]);
});

test("WS-2: inside a project, in any subdirectory, the project's workspace is used", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  const below = join(sandbox.work, "src/deep");
  mkdirSync(below, { recursive: true });
  const { json } = sandbox.ok(["put", "-", "--json"], { ...note, cwd: below });
  expect(json.data.file_path).toBe(join(sandbox.work, ".retain/collections/memory/note.md"));
  expect(sandbox.ok(["list", "-q", "--global"], { cwd: below }).stdout).toBe("");
  sandbox.ok(["put", "-", "--global", "--id", "everywhere"], note);
  expect(sandbox.ok(["get", "everywhere", "--global"]).stdout).toContain("ID: everywhere");
  expect(sandbox.run(["get", "everywhere", "--local"]).exitCode).toBe(1);
});

test("WS-2: a .retain without config.yaml is not a project, and the nearest project wins", () => {
  const sandbox = new Sandbox();
  mkdirSync(join(sandbox.work, "inner/.retain"), { recursive: true });
  sandbox.ok(["init"]);
  const cwd = join(sandbox.work, "inner");
  expect(sandbox.ok(["where", "-q"], { cwd }).stdout.trim()).toBe(join(sandbox.work, ".retain"));
  sandbox.ok(["init"], { cwd });
  expect(sandbox.ok(["where", "-q"], { cwd }).stdout.trim()).toBe(join(cwd, ".retain"));
});

test("WS-2: the home workspace is not a project, whatever the current directory", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init", "--global"]);
  const cwd = join(sandbox.home, "code");
  mkdirSync(cwd);
  expect(sandbox.ok(["where", "--json"], { cwd }).json.data.kind).toBe("home");
  const other = { cwd, env: { RETAIN_HOME: join(sandbox.root, "other") } };
  expect(sandbox.ok(["where", "--json"], other).json.data.root).toBe(join(sandbox.root, "other"));
});

test("WS-3: an .arcaneum file makes a project, in YAML and in JSON", () => {
  const yaml =
    "version: 1\nretain:\n  enabled: true\n  path: .arcaneum-retain\n  history: false\n  collections:\n    - memory\n    - notes\n";
  const json = JSON.stringify({ version: 1, retain: { enabled: true, path: "kept" } }, null, "\t");
  for (const [text, path] of [
    [yaml, ".arcaneum-retain"],
    [json, "kept"],
    ["retain: {enabled: true}\n", ".arcaneum-retain"],
  ] as const) {
    const sandbox = new Sandbox();
    sandbox.write(".arcaneum", text);
    sandbox.ok(["put", "-"], note);
    expect(existsSync(join(sandbox.work, path, "memory/note.md"))).toBe(true);
    expect(sandbox.ok(["list", "--local", "-q"]).stdout).toBe("note\n");
    expect(existsSync(sandbox.memory)).toBe(false);
  }
});

test("WS-3: yes is true, as in YAML 1.1; anything but true and false is an error with its line", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "retain:\n  enabled: yes\n  history: no\n");
  expect(sandbox.ok(["where", "--json"]).json.data.kind).toBe("project");
  expect(sandbox.ok(["config", "get", "history"]).stdout).toBe("false\n");
  const file = sandbox.write(".arcaneum", "retain:\n  enabled: perhaps\n");
  const result = sandbox.run(["where"]);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain(`${file}:2: 'enabled'`);
});

test("WS-3: an .arcaneum that does not enable retain changes nothing", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "version: 1\nretain:\n  enabled: false\n");
  sandbox.ok(["put", "-"], note);
  expect(existsSync(sandbox.path("memory", "note"))).toBe(true);
  const broken = new Sandbox();
  broken.write(".arcaneum", "retain: [\n");
  const result = broken.run(["list"]);
  expect(result.exitCode).toBe(2);
  expect(result.stderr).toContain(`${broken.work}/.arcaneum:`);
});

test("WS-4: init creates a project once", () => {
  const sandbox = new Sandbox();
  const first = sandbox.ok(["init", "--json"]).json.data;
  expect(first.created.map((path: string) => path.slice(sandbox.work.length))).toEqual([
    "/.retain/config.yaml",
    "/.retain/.gitignore",
    "/.retain/.gitattributes",
  ]);
  sandbox.write(".retain/config.yaml", "max_versions: 3\n");
  expect(sandbox.ok(["init", "--json"]).json.data.created).toEqual([]);
  expect(readFileSync(join(sandbox.work, ".retain/config.yaml"), "utf8")).toBe("max_versions: 3\n");
  expect(sandbox.run(["init"], { cwd: sandbox.home }).exitCode).toBe(2);
});

test("WS-20: git ignores a project's unconfirmed facts and mental models, even with an older .gitignore", async () => {
  for (const isOlder of [false, true]) {
    const sandbox = new Sandbox();
    sandbox.git(["init", "-q"]);
    sandbox.ok(["init"]);
    const ignore = join(sandbox.work, ".retain/.gitignore");
    const own = "# mine\nretain.db*\n\n*.log\n/scratch";
    if (isOlder) writeFileSync(ignore, own);
    sandbox.ok(["remember", "We deploy on Fridays"]);
    for (const file of ["INFERRED.md", "chats/work/INFERRED.md", "models/team.md"])
      sandbox.write(`.retain/memories/${file}`, "- The project uses Redis.\n");
    const seen = sandbox.git(["status", "--porcelain", "-uall"]);
    expect(seen).toContain(".retain/memories/MEMORY.md");
    expect(seen).not.toMatch(/INFERRED|models/);
    if (!isOlder) continue;
    expect(readFileSync(ignore, "utf8")).toStartWith(`${own}\n`);
    const completed = readFileSync(ignore, "utf8");
    sandbox.ok(["init"]);
    expect(readFileSync(ignore, "utf8")).toBe(completed);
    // To have them in git, the user comments the line out.
    const without = completed.replace("/memories/models/", "# /memories/models/");
    writeFileSync(ignore, without);
    sandbox.ok(["remember", "We use Redis"]);
    expect(readFileSync(ignore, "utf8")).toBe(without);
  }
});

test("WS-20: git sees an unconfirmed fact's text in no file, even after it was replaced, removed or edited", async () => {
  const sandbox = new Sandbox();
  const env = WORDS_ALONE;
  sandbox.git(["init", "-q"]);
  sandbox.ok(["init"]);
  const retain = openRetain({ cwd: sandbox.work, homeDirectory: sandbox.home, env: sandbox.env(env) });
  afterThisTest(() => retain.close());
  const found = [
    "Database: Otterbase",
    "The project uses Heronqueue.",
    "The build runs on Voletown.",
    "Releases are named after newts.",
  ];
  await retain.facts.writeUnconfirmed(unconfirmed("s", ...found));
  const idOf = (word: string) =>
    sandbox
      .ok(["facts", "--json"], { env })
      .json.data.facts.find(({ text }: { text: string }) => text.includes(word)).id;
  sandbox.ok(["remember", "Database: Postgres"], { env });
  sandbox.ok(["remember", "We host it ourselves", "--replaces", idOf("Heronqueue")], { env });
  const file = join(sandbox.work, ".retain/memories/INFERRED.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("- The build runs on Voletown.\n", ""));
  sandbox.ok(["facts"], { env });
  sandbox.ok(["confirm", idOf("newts")], { env });
  sandbox.git(["add", "-A"]);
  const seen = sandbox.git(["diff", "--cached"]);
  expect(seen).not.toMatch(/Otterbase|Heronqueue|Voletown/);
  expect(seen).toContain("+- Releases are named after newts.");
  expect(seen).toMatch(/\+- \S+ added \w+ "Releases are named after newts\."; in MEMORY\.md/);
});

test("WS-11: init changes nothing in a directory that an .arcaneum file makes a project", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "retain: {enabled: true, path: kept}\n");
  const root = join(sandbox.work, "kept");
  for (let time = 0; time < 2; time++) {
    const { stdout, stderr } = sandbox.ok(["init"]);
    expect(stdout).toContain(`${sandbox.work}/.arcaneum`);
    expect([stdout.includes(root), stderr]).toEqual([true, ""]);
    expect(sandbox.ok(["init", "--json"]).json.data).toEqual({ root, kind: "project", created: [] });
    expect(sandbox.tree(sandbox.work)).toEqual([".arcaneum"]);
  }
  sandbox.ok(["put", "-"], note);
  sandbox.ok(["init"]);
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("note\n");
  sandbox.write(".arcaneum", "retain: [\n");
  expect(sandbox.run(["init"])).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining("/.arcaneum:"),
  });
  sandbox.write(".arcaneum", "retain: {enabled: false}\n");
  expect(sandbox.ok(["init", "--json"]).json.data.root).toBe(join(sandbox.work, ".retain"));
});

test("WS-11: init inside another project creates a new one, and says which is no longer used there", () => {
  for (const config of [".arcaneum", ".retain/config.yaml"]) {
    const sandbox = new Sandbox();
    sandbox.write(config, "retain: {enabled: true}\n");
    sandbox.ok(["put", "-"], note);
    const before = sandbox.ok(["where", "-q"]).stdout.trim();
    const cwd = join(sandbox.work, "inner");
    mkdirSync(cwd);
    expect(sandbox.ok(["list", "-q"], { cwd }).stdout).toBe("note\n");
    const { stderr } = sandbox.ok(["init"], { cwd });
    expect(stderr).toContain(before);
    expect(sandbox.ok(["where", "-q"], { cwd }).stdout.trim()).toBe(join(cwd, ".retain"));
    expect(sandbox.ok(["init"], { cwd }).stderr).toBe("");
    expect(sandbox.ok(["list", "-q"]).stdout).toBe("note\n");
  }
});

test("WS-11: documents of an .arcaneum project hidden by a .retain/ next to it are named until they are imported", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "retain: {enabled: true}\n");
  sandbox.write(".retain/config.yaml", "");
  sandbox.ok(["put", "-", "--id", "new"], note);
  expect(sandbox.ok(["list"]).stderr).toBe("");
  sandbox.write(".arcaneum-retain/memory/old.md", "# Old\n\nThe walrus sleeps.\n");
  sandbox.write(".arcaneum-retain/plans/older.md", "# Older\n\nThe penguin dives.\n");
  const root = join(sandbox.work, ".arcaneum-retain");
  for (const args of [["list"], ["search", "walrus", "--text"], ["init"], ["init"]]) {
    const { stderr } = sandbox.ok(args);
    expect([args, stderr]).toEqual([args, expect.stringContaining(`retain migrate ${root}`)]);
    expect(stderr).toContain("memory/old, plans/older");
  }
  const { exitCode, stdout } = sandbox.run(["doctor"]);
  expect([exitCode, stdout]).toEqual([1, expect.stringContaining(`retain migrate ${root}`)]);
  expect(sandbox.ok(["where"]).stdout).toContain(`${sandbox.work}/.arcaneum`);
  sandbox.ok(["migrate", root]);
  expect(sandbox.ok(["list", "-q", "--sort", "id"])).toMatchObject({
    stdout: "new\nold\nolder\n",
    stderr: "",
  });
  expect(sandbox.ok(["search", "walrus", "--text", "-q"]).stdout).toBe("old\n");
  sandbox.ok(["doctor"]);
});

test("WS-5: --local outside a project says how to create one", () => {
  const sandbox = new Sandbox();
  for (const args of [["list"], ["put", "-"], ["get", "x"], ["where"], ["config"]]) {
    const result = sandbox.run([...args, "--local"], note);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("retain init");
  }
  expect(sandbox.run(["list", "--local", "--global"]).exitCode).toBe(2);
});

test("WS-2: a linked worktree shares the main worktree's memory", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q", "-b", "main"]);
  sandbox.ok(["init"]);
  sandbox.ok(["put", "-"], note);
  sandbox.git(["add", "."]);
  sandbox.git(["commit", "-qm", "memory"]);
  sandbox.git(["worktree", "add", "-q", "../linked"]);
  const cwd = join(sandbox.root, "linked");
  expect(existsSync(join(cwd, ".retain/config.yaml"))).toBe(true);
  expect(sandbox.ok(["where", "-q"], { cwd }).stdout.trim()).toBe(join(sandbox.work, ".retain"));
  sandbox.ok(["put", "-", "--id", "from-linked"], { ...note, cwd });
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("from-linked\nnote\n");
  expect(sandbox.ok(["where", "-v"], { cwd }).stderr).toContain("linked worktree");
});

test("WS-2: init in a linked worktree creates the memory that all worktrees share", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q", "-b", "main"]);
  sandbox.git(["commit", "-q", "--allow-empty", "-m", "empty"]);
  sandbox.git(["worktree", "add", "-q", "../linked"]);
  const cwd = join(sandbox.root, "linked/packages/one");
  mkdirSync(cwd, { recursive: true });
  const shared = join(sandbox.work, "packages/one");
  for (let time = 0; time < 2; time++) expect(sandbox.ok(["init"], { cwd }).stdout).toContain(shared);
  expect(existsSync(join(cwd, ".retain"))).toBe(false);
  sandbox.ok(["remember", "This package uses tabs."], { cwd });
  expect(sandbox.ok(["facts"], { cwd: shared }).stdout).toContain("uses tabs");
  expect(sandbox.ok(["where"], { cwd }).stdout).toContain("shares its memory");
});

test("WS-2: where says that a linked worktree has a memory of its own", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q", "-b", "main"]);
  sandbox.git(["commit", "-q", "--allow-empty", "-m", "empty"]);
  sandbox.git(["worktree", "add", "-q", "../linked"]);
  const cwd = join(sandbox.root, "linked");
  sandbox.write("../linked/.retain/config.yaml", "");
  const { stdout } = sandbox.ok(["where"], { cwd });
  expect(stdout).toContain(join(cwd, ".retain"));
  expect(stdout).not.toContain("shares its memory");
  // The shared one has precedence from now on, and nothing is hidden silently.
  sandbox.ok(["remember", "Only in this worktree."], { cwd });
  expect(sandbox.ok(["init"], { cwd }).stderr).toContain(`retain migrate ${join(cwd, ".retain")}`);
});

test("WS-2: a .git file unknown to the main repository is ignored", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q"]);
  sandbox.ok(["init"]);
  sandbox.ok(["put", "-", "--id", "secret"], note);
  const tarball = join(sandbox.root, "unpacked");
  sandbox.write("../unpacked/.git", "gitdir: meta\n");
  sandbox.write("../unpacked/meta/commondir", join(sandbox.work, ".git"));
  sandbox.write("../unpacked/meta/gitdir", join(tarball, ".git"));
  const { project, bank } = sandbox.ok(["where", "--json"], { cwd: tarball }).json.data;
  expect([project, bank]).toEqual([null, expect.stringMatching(/^unpacked-/)]);
  expect(sandbox.ok(["list", "-q"], { cwd: tarball }).stdout).toBe("");
});

test("WS-2: in a shared directory, another user's project is left alone", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["init"]);
  const config = sandbox.write(".retain/config.yaml", "history: [ a stranger's, and broken\n");
  // Root can change the file's owner; otherwise the test runs as the other user.
  if (process.getuid?.() === 0) chownSync(config, 4_242, 4_242);
  const owner = statSync(config).uid;
  expect(owner).not.toBe(0);
  const surroundings = { cwd: sandbox.work, env: {}, homeDirectory: sandbox.home };
  expect(() => chooseWorkspace({ ...surroundings, userId: owner }, "auto")).toThrow(config);
  const other = chooseWorkspace({ ...surroundings, userId: owner + 1 }, "auto");
  expect(other.workspace.kind).toBe("home");
  expect(other.reasons.join()).toContain("another user");
});

test("WS-3: a workspace that came without its .gitignore gets one before its database", () => {
  const sandbox = new Sandbox();
  sandbox.write(".arcaneum", "retain: {enabled: true}\n");
  sandbox.write(".arcaneum-retain/memory/a.md", "# A\n");
  expect(sandbox.ok(["list", "-q"]).stdout).toBe("a\n");
  expect(sandbox.tree(join(sandbox.work, ".arcaneum-retain"))).toEqual([
    ".gitattributes",
    ".gitignore",
    ".lock",
    "memory/a.md",
    "retain.db",
  ]);
});

test("WS-3: a project cannot point outside itself", () => {
  for (const path of ["../elsewhere", "/tmp", ".", "", "a/../..", "link/inside"]) {
    const sandbox = new Sandbox();
    mkdirSync(join(sandbox.root, "outside"));
    symlinkSync(join(sandbox.root, "outside"), join(sandbox.work, "link"));
    for (const [file, text] of [
      [".retain/config.yaml", `path: ${JSON.stringify(path)}\n`],
      [".arcaneum", `retain: {enabled: true, path: ${JSON.stringify(path)}}\n`],
    ] as const) {
      const project = join(sandbox.work, file.startsWith(".retain") ? "a" : "b");
      sandbox.write(join(project.slice(sandbox.work.length + 1), file), text);
      if (path.startsWith("link")) symlinkSync(join(sandbox.root, "outside"), join(project, "link"));
      const result = sandbox.run(["put", "-"], { ...note, cwd: project });
      expect(result.exitCode).toBe(2);
      expect(result.stderr).toContain("path");
    }
    expect(sandbox.tree(join(sandbox.root, "outside"))).toEqual([]);
  }
});

test("WS-5: where prints the workspace and the reasons", () => {
  const sandbox = new Sandbox();
  const home = sandbox.ok(["where"]).stdout;
  expect(home).toContain(sandbox.memory);
  expect(home).toContain("no project");
  sandbox.ok(["init"]);
  const { data } = sandbox.ok(["where", "--json"]).json;
  expect(data).toMatchObject({
    kind: "project",
    root: join(sandbox.work, ".retain"),
    home: sandbox.memory,
    versions: "numbered",
  });
  expect(data.reasons).toHaveLength(1);
});
