/** Where conversations are kept, from the command line: a project's are out of reach of git, and follow the project. */
import { expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

/** A repository with a workspace of its own, in which something was said. */
function project(): Sandbox {
  const sandbox = new Sandbox();
  sandbox.git(["init", "-q"]);
  sandbox.ok(["init"]);
  ask(sandbox, "Where is the harbour?");
  return sandbox;
}

function ask(sandbox: Sandbox, question: string, cwd = sandbox.work): void {
  sandbox.ok(["--model", "none", question], { cwd });
}

function sessionsOf(sandbox: Sandbox, cwd = sandbox.work): string {
  return sandbox.ok(["sessions", "-q"], { cwd }).stdout;
}

function removeRows(root: string): void {
  for (const name of readdirSync(root)) if (name.startsWith("retain.db")) rmSync(join(root, name));
}

test("CONV-10: a project's conversations are in the home workspace, and 'git clean -fdx' loses none", () => {
  const sandbox = project();
  const before = sessionsOf(sandbox);
  expect(before).toContain("_001");
  expect(sandbox.tree(join(sandbox.work, ".retain")).join("\n")).not.toContain("jsonl");
  expect(sandbox.tree(sandbox.memory).filter((path) => /^banks\/.*\.jsonl$/.test(path))).toHaveLength(1);
  const { conversations } = sandbox.ok(["where", "--json"]).json.data;
  expect(readdirSync(conversations).some((name) => name.endsWith(".jsonl"))).toBe(true);
  expect(sandbox.git(["status", "--porcelain", "--untracked-files=all"])).not.toContain(".bank");
  sandbox.git(["add", "-A"]);
  sandbox.git(["commit", "-qm", "Start"]);
  sandbox.git(["clean", "-fdxq"]);
  expect(existsSync(join(sandbox.work, ".retain/retain.db"))).toBe(false);
  expect(sessionsOf(sandbox)).toBe(before);
});

test("CONV-10: they are found after the project moved or gained a remote", () => {
  const sandbox = project();
  const before = sessionsOf(sandbox);
  sandbox.git(["remote", "add", "origin", "https://example.com/harbour.git"]);
  expect(sessionsOf(sandbox)).toBe(before);
  const moved = join(sandbox.root, "moved");
  renameSync(sandbox.work, moved);
  mkdirSync(sandbox.work);
  expect(sessionsOf(sandbox, moved)).toBe(before);
  removeRows(join(moved, ".retain"));
  expect(sessionsOf(sandbox, moved)).toBe(before);
});

test("CONV-10: a repository cannot claim another project's bank", () => {
  const sandbox = project();
  const [bank = ""] = readdirSync(join(sandbox.memory, "banks"));
  const stranger = join(sandbox.root, "stranger");
  cpSync(join(sandbox.work, ".retain"), join(stranger, ".retain"), { recursive: true });
  removeRows(join(stranger, ".retain"));
  for (const mark of [
    `${bank} 00000000-0000-4000-8000-000000000000\n`,
    `${bank} \n`,
    `../banks/${bank} x\n`,
  ]) {
    writeFileSync(join(stranger, ".retain/.bank"), mark);
    expect(sessionsOf(sandbox, stranger)).toBe("");
  }
});

test("CONV-10: two projects in one repository have separate conversations", async () => {
  const sandbox = project();
  const inner = join(sandbox.work, "packages/inner");
  mkdirSync(inner, { recursive: true });
  await sandbox.makeProject(inner);
  ask(sandbox, "And the lighthouse?", inner);
  expect(sandbox.ok(["sessions", "show", "last"], { cwd: inner }).stdout).toContain("lighthouse");
  expect(sandbox.ok(["sessions", "show", "last"]).stdout).toContain("harbour");
});

test("INDEX-3: searches find the same after 'reindex' or removing retain.db", () => {
  const sandbox = new Sandbox();
  for (const text of ["The harbour is in the north.", "The lighthouse is red.", "We sail on Friday."])
    ask(sandbox, text);
  const search = () =>
    ["harbour", "lighthouse red", "friday"].map(
      (word) => sandbox.ok(["search", word, "--json"]).json.data.results,
    );
  const before = search();
  expect(before.flat().length).toBeGreaterThan(2);
  sandbox.ok(["reindex"]);
  expect(search()).toEqual(before);
  removeRows(sandbox.memory);
  expect(search()).toEqual(before);
});

test("INDEX-7: 'doctor' names a damaged session file and exits with 1", () => {
  const sandbox = new Sandbox();
  ask(sandbox, "Where is the harbour?");
  const directory = join(sandbox.memory, "sessions");
  const [name = ""] = readdirSync(directory).filter((file) => file.endsWith(".jsonl"));
  expect(sandbox.run(["doctor"]).exitCode).toBe(0);
  writeFileSync(join(directory, name), "not a session\n");
  const { exitCode, stdout } = sandbox.run(["doctor"]);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(name);
});
