import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { body, Repository } from "../helpers/repository.ts";
import { Sandbox } from "../helpers/sandbox.ts";

for (const project of ["", "packages/app"]) {
  test(`GIT-1: the log, a version, a diff and a restore by revision (project at '${project || "the root"}')`, () => {
    const repository = new Repository(project);
    repository.put("one");
    repository.commit("first");
    repository.put("two");
    repository.commit("second: with | and \x1f signs");
    const { kind, versions } = repository.retain(["versions", "doc", "--json"]).json.data;
    expect(kind).toBe("git");
    expect(versions).toHaveLength(2);
    expect(versions[1]).toMatchObject({ author: "Ada", message: "first", current: false });
    expect(versions[0].current).toBe(true);
    expect(versions[0].git_ref).toBe(repository.git(["rev-parse", "HEAD"]).trim());
    expect(versions[0].version).toBe(versions[0].git_ref.slice(0, 7));
    expect(repository.raw("--version", "HEAD~1")).toBe("# Doc\n\none\n");
    expect(repository.raw("--version", versions[1].version)).toBe("# Doc\n\none\n");
    expect(repository.retain(["diff", "doc", "--from", "HEAD~1", "--to", "HEAD"]).stdout).toContain(
      "-one\n+two",
    );
    expect(repository.retain(["diff", "doc"]).stdout).toContain("-one\n+two");
    repository.retain(["restore", "doc", "--version", "HEAD~1"]);
    expect(repository.raw()).toBe("# Doc\n\none\n");
    expect(repository.git(["status", "--porcelain"])).toContain("doc.md");
    expect(repository.git(["log", "--format=%s"]).split("\n")).toHaveLength(3);
    expect(repository.asideFiles).toEqual([]);
  });
}

test("GIT-1: documents are committed, derived files are ignored", () => {
  const repository = new Repository();
  repository.put("one");
  repository.put("two");
  repository.commit("all");
  expect(repository.git(["ls-files"]).trim().split("\n").sort()).toEqual([
    ".retain/.gitattributes",
    ".retain/.gitignore",
    ".retain/collections/knowledge/doc.md",
    ".retain/config.yaml",
  ]);
});

test("GIT-1: an uncommitted state is shown as such", () => {
  const repository = new Repository();
  repository.put("one");
  expect(repository.names).toEqual(["uncommitted"]);
  repository.commit("first");
  expect(repository.names).toHaveLength(1);
  writeFileSync(repository.file, `${readFileSync(repository.file)}by hand\n`);
  expect(repository.names[0]).toBe("uncommitted");
  expect(repository.names).toHaveLength(2);
  expect(repository.raw("--version", "uncommitted")).toEndWith("by hand\n");
  expect(repository.retain(["diff", "doc"]).stdout).toContain("+by hand");
});

test("GIT-1: a file whose line endings git converts counts as committed", () => {
  const repository = new Repository();
  repository.git(["config", "core.autocrlf", "input"]);
  repository.retain(["put", "-", "--id", "doc", "--collection", "knowledge"], {
    stdin: "# Doc\r\n\r\none\r\n",
  });
  repository.commit("first");
  expect(repository.names).toHaveLength(1);
  expect(repository.names[0]).not.toBe("uncommitted");
});

test("GIT-3: an uncommitted state is backed up before it is replaced", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.put("two, never committed");
  repository.put("three");
  expect(repository.asideFiles).toHaveLength(1);
  const aside = repository.names.find((name) => name.startsWith("v")) ?? "";
  expect(repository.raw("--version", aside)).toBe("# Doc\n\ntwo, never committed\n");
  repository.retain(["restore", "doc", "--version", aside]);
  expect(repository.raw()).toBe("# Doc\n\ntwo, never committed\n");
});

test("GIT-3: a document that was never committed can be restored byte for byte after delete", () => {
  const repository = new Repository();
  repository.put("one");
  const bytes = readFileSync(repository.file, "utf8");
  repository.retain(["delete", "doc"]);
  expect(existsSync(repository.file)).toBe(false);
  repository.retain(["restore", "doc"]);
  expect(readFileSync(repository.file, "utf8")).toBe(bytes);
});

test("GIT-3: uncommitted changes can be restored after delete", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.put("two");
  const bytes = readFileSync(repository.file, "utf8");
  repository.retain(["delete", "doc"]);
  repository.retain(["restore", "doc"]);
  expect(readFileSync(repository.file, "utf8")).toBe(bytes);
});

test("GIT-3: restore brings back the deleted text, not an older backup or commit", () => {
  const repository = new Repository("packages/app");
  repository.put("one");
  repository.put("two");
  repository.commit("first");
  repository.retain(["delete", "doc"]);
  repository.retain(["restore", "doc"]);
  expect(repository.raw()).toBe("# Doc\n\ntwo\n");
  repository.retain(["delete", "doc"]);
  repository.put("three, another document of that name");
  expect(repository.retain(["get", "doc", "--json"]).json.data.metadata.version).toBeGreaterThan(2);
  repository.retain(["delete", "doc"]);
  repository.retain(["restore", "doc"]);
  expect(repository.raw()).toBe("# Doc\n\nthree, another document of that name\n");
});

test("GIT-3: a commit after the deletion takes precedence over the deletion's backup", () => {
  const repository = new Repository("packages/app");
  repository.put("one");
  repository.commit("first");
  repository.retain(["delete", "doc"]);
  repository.git(["checkout", "-q", "--", "."]);
  writeFileSync(repository.file, `${readFileSync(repository.file)}later\n`);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  repository.git(["add", "-A"]);
  repository.git(["commit", "-qm", "later", `--date=${later}`]);
  rmSync(repository.file);
  expect(repository.retain(["restore", "doc", "--json"]).json.data.restored_from).toBe("git");
  expect(repository.raw()).toBe("# Doc\n\none\nlater\n");
});

test("GIT-3: a document whose deletion was committed is restored from the last commit that held it", () => {
  const repository = new Repository("packages/app");
  repository.put("one");
  repository.commit("first");
  repository.put("two");
  repository.commit("second");
  const bytes = readFileSync(repository.file, "utf8");
  rmSync(repository.file);
  repository.commit("gone");
  expect(repository.retain(["versions", "doc"]).stdout).toContain("deleted");
  repository.retain(["restore", "doc"]);
  expect(readFileSync(repository.file, "utf8")).toBe(bytes);
  repository.retain(["delete", "doc"]);
  repository.retain(["restore", "doc", "--version", "HEAD~2"]);
  expect(repository.raw()).toBe("# Doc\n\none\n");
});

test("GIT-1: renames are followed, also to read versions from before", () => {
  const repository = new Repository();
  repository.put(
    "one, with enough text around it that git can tell it is still the same document after its move",
  );
  repository.commit("first");
  renameSync(repository.file, join(repository.work, ".retain/collections/knowledge/moved.md"));
  repository.commit("moved");
  const names = repository.retain(["versions", "moved", "-q"]).stdout.trim().split("\n");
  expect(names).toHaveLength(2);
  for (const version of ["HEAD~1", names[1] ?? ""])
    expect(repository.retain(["get", "moved", "--version", version, "--format", "raw"]).stdout).toContain(
      "one, with",
    );
});

test("GIT-1: a rename that is only staged is followed too", () => {
  const repository = new Repository("packages/app");
  repository.put(
    "one, with enough text around it that git can tell it is still the same document after its move",
  );
  repository.commit("first");
  repository.git(
    ["mv", ".retain/collections/knowledge/doc.md", ".retain/collections/knowledge/moved.md"],
    repository.cwd,
  );
  const names = repository.retain(["versions", "moved", "-q"]).stdout.trim().split("\n");
  expect(names).toHaveLength(2);
  expect(names[0]).toBe("uncommitted");
});

test("GIT-1: a similar document is not treated as a rename", () => {
  const repository = new Repository();
  const alike = (name: string) =>
    `# ${name}\n\n${"They have nearly all of their text in common. ".repeat(20)}\n`;
  repository.retain(["put", "-", "--id", "alice"], { stdin: alike("Alice likes tea") });
  repository.commit("alice");
  repository.retain(["put", "-", "--id", "bob"], { stdin: alike("Bob pays rent") });
  repository.commit("bob");
  expect(repository.retain(["versions", "bob", "-q"]).stdout.trim().split("\n")).toHaveLength(1);
  expect(repository.fails(["restore", "bob"]).stderr).toContain("no earlier version");
  expect(repository.fails(["get", "bob", "--version", "HEAD~1"]).exitCode).toBe(1);
  repository.retain(["delete", "alice"]);
  const metadata = '{"created_at": "2001-01-01T00:00:00Z"}';
  repository.retain(["put", "-", "--id", "carol", "--metadata", metadata], {
    stdin: alike("Carol came instead"),
  });
  repository.commit("carol instead of alice");
  expect(repository.git(["show", "--format=", "--name-status", "-M"])).toMatch(
    /^R\d+\s.*alice\.md\s.*carol\.md$/m,
  );
  expect(repository.retain(["versions", "carol", "-q"]).stdout.trim().split("\n")).toHaveLength(1);
});

test("GIT-3: backups and commits are listed in chronological order", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("one");
  repository.put("two");
  repository.put("three");
  repository.commit("three");
  repository.put("four");
  const names = repository.names;
  expect(names[0]).toBe("uncommitted");
  expect(names[2]).toBe("v2");
  expect(names.map((name) => repository.raw("--version", name).split("\n")[2])).toEqual([
    "four",
    "three",
    "two",
    "one",
  ]);
});

test("GIT-3: the commit that deleted a document is not one of its versions", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.retain(["delete", "doc"]);
  repository.commit("gone");
  repository.retain(["restore", "doc"]);
  expect(repository.names).toHaveLength(2);
  expect(repository.retain(["diff", "doc"]).stdout).not.toContain("@@");
});

test("GIT-6: if the commit fails, the document stays restored, and the error is reported", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.put("two");
  repository.commit("second");
  repository.write(".git/index.lock", "");
  const result = repository.fails(["restore", "doc", "--commit"]);
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("'doc' is restored, but not committed: git add failed:");
  expect(repository.raw()).toBe("# Doc\n\none\n");
});

test("GIT-6: restore --commit commits only that document", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.put("two");
  repository.commit("second");
  repository.write("other.txt", "staged");
  repository.git(["add", "other.txt"]);
  const { git_ref } = repository.retain(["restore", "doc", "--version", "HEAD~1", "--commit", "--json"]).json
    .data;
  expect(git_ref).toBe(repository.git(["rev-parse", "HEAD"]).trim());
  expect(repository.git(["show", "--format=", "--name-only", "HEAD"]).trim()).toBe(
    ".retain/collections/knowledge/doc.md",
  );
  expect(repository.git(["diff", "--cached", "--name-only"]).trim()).toBe("other.txt");
  expect(repository.raw("--version", "HEAD")).toBe("# Doc\n\none\n");
});

test("GIT-6: on a detached HEAD restore --commit refuses before anything changes", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.put("two");
  repository.commit("second");
  repository.git(["checkout", "-q", "--detach"]);
  const bytes = readFileSync(repository.file, "utf8");
  const result = repository.fails(["restore", "doc", "--version", "HEAD~1", "--commit"]);
  expect(result.exitCode).toBe(1);
  expect(result.stderr).toContain("HEAD is detached");
  expect(readFileSync(repository.file, "utf8")).toBe(bytes);
  repository.retain(["restore", "doc", "--version", "HEAD~1"]);
});

test("GIT-1: an unknown revision, no commits and no repository are distinct errors", () => {
  const repository = new Repository();
  repository.put("one");
  expect(repository.fails(["get", "doc", "--version", "HEAD"]).stderr).toContain("no commits yet");
  repository.commit("first");
  const unknown = repository.fails(["get", "doc", "--version", "nope"]);
  expect(unknown.exitCode).toBe(1);
  expect(unknown.stderr).toContain("no version 'nope'");
  repository.put("two");
  repository.commit("second");
  repository.retain(["put", "-", "--id", "late"], body("late"));
  repository.commit("third");
  expect(repository.fails(["get", "late", "--version", "HEAD~1"]).stderr).toContain(
    "does not exist at HEAD~1",
  );

  const alone = new Sandbox();
  alone.ok(["init"]);
  alone.ok(["config", "set", "versioning", "git"]);
  alone.ok(["put", "-", "--id", "doc"], body("one"));
  const outside = alone.run(["versions", "doc"]);
  expect(outside.exitCode).toBe(1);
  expect(outside.stderr).toContain("not inside a git repository");
});

test("GIT-1: a bare repository has no files", () => {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q", "--bare"]);
  sandbox.ok(["init"]);
  sandbox.ok(["config", "set", "versioning", "git"]);
  sandbox.ok(["put", "-", "--id", "doc"], body("one"));
  expect(sandbox.run(["versions", "doc"]).stderr).toContain("bare repository");
});

test("GIT-1: without git, storing works, deleting can be undone, and versions say what is missing", () => {
  const repository = new Repository();
  const bin = join(repository.root, "bin");
  mkdirSync(bin);
  for (const tool of ["sh", "readlink"]) symlinkSync(Bun.which(tool) ?? "", join(bin, tool));
  const env = { PATH: bin };
  repository.put("one");
  repository.retain(["update", "doc", "--tags", "x"], { env });
  repository.retain(["delete", "doc"], { env });
  repository.retain(["restore", "doc"], { env });
  expect(repository.retain(["get", "doc"], { env }).stdout).toContain("Tags: x");
  const versions = repository.fails(["versions", "doc"], { env });
  expect(versions.exitCode).toBe(0);
  expect(versions.stdout).toContain("kept aside");
  expect(versions.stderr).toContain("git does not work here");
  repository.retain(["put", "-", "--id", "fresh"], { ...body("fresh"), env });
  const none = repository.fails(["versions", "fresh"], { env });
  expect(none.exitCode).toBe(1);
  expect(none.stderr).toContain("git is not installed");
});

test("GIT-10: GIT_DIR and similar variables are ignored, and a revision is never an option", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  const env = {
    GIT_DIR: "/nowhere",
    GIT_WORK_TREE: "/",
    GIT_INDEX_FILE: "/nowhere/index",
    GIT_NOGLOB_PATHSPECS: "1",
  };
  expect(repository.retain(["versions", "doc", "-q"], { env }).stdout.trim()).toHaveLength(7);
  const target = join(repository.root, "owned");
  for (const version of [
    `--output=${target}`,
    "-p",
    "--",
    "HEAD --all",
    "$(touch x)",
    "HEAD:.retain/config.yaml",
    "\n",
  ]) {
    const result = repository.fails(["get", "doc", `--version=${version}`]);
    expect(result.exitCode).toBe(1);
  }
  expect(existsSync(target)).toBe(false);
});

test("GIT-1: works in a worktree of a bare repository", () => {
  const repository = new Repository();
  repository.put("one");
  repository.commit("first");
  repository.git(["clone", "-q", "--bare", ".", "../bare"]);
  repository.git(["worktree", "add", "-q", "../tree", "main"], join(repository.root, "bare"));
  const cwd = join(repository.root, "tree");
  expect(repository.ok(["where", "-q"], { cwd }).stdout.trim()).toBe(join(cwd, ".retain"));
  repository.ok(["update", "doc", "--tags", "x"], { cwd });
  expect(repository.ok(["versions", "doc", "-q"], { cwd }).stdout.trim().split("\n")[0]).toBe("uncommitted");
  expect(repository.ok(["get", "doc", "--version", "HEAD", "--format", "raw"], { cwd }).stdout).toBe(
    "# Doc\n\none\n",
  );
});
