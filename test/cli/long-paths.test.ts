import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Sandbox } from "../helpers/sandbox.ts";

const NOTE = "# Note\n\ntext\n";

/** A directory whose path has exactly this many bytes. */
function directoryOf(sandbox: Sandbox, bytes: number): string {
  let path = join(sandbox.root, "deep");
  while (bytes - path.length > 101) path = join(path, "d".repeat(99));
  return join(path, "é".repeat(Math.floor((bytes - path.length - 1) / 2))).padEnd(
    path.length + 1 + (bytes - path.length - 1) - Math.floor((bytes - path.length - 1) / 2),
    "d",
  );
}

test("a workspace whose path is too long for its database says so, and one that just fits works", () => {
  const sandbox = new Sandbox();
  for (const bytes of [460, 470]) {
    const home = directoryOf(sandbox, bytes);
    expect(Buffer.byteLength(home)).toBe(bytes);
    const env = { RETAIN_HOME: home };
    sandbox.ok(["put", "-", "--id", "a"], { env, stdin: NOTE });
    expect(sandbox.ok(["search", "text", "-q"], { env }).stdout).toBe("a\n");
  }
  for (const bytes of [471, 482, 520, 900]) {
    const env = { RETAIN_HOME: directoryOf(sandbox, bytes) };
    for (const args of [["put", "-"], ["remember", "Owls fly"], ["search", "text"], ["sessions"], ["list"]]) {
      const { exitCode, stderr } = sandbox.run(args, { env, stdin: NOTE });
      expect([bytes, args[0], exitCode]).toEqual([bytes, args[0] ?? "", 1]);
      expect(stderr).toContain("at most 470");
      expect(stderr).not.toContain("locked");
    }
    expect(sandbox.tree(env.RETAIN_HOME)).toEqual([]);
  }
});

test("init refuses a directory that is too deep, and creates nothing", () => {
  const sandbox = new Sandbox();
  const cwd = directoryOf(sandbox, 480);
  mkdirSync(cwd, { recursive: true });
  const { exitCode, stderr } = sandbox.run(["init"], { cwd });
  expect([exitCode, sandbox.tree(cwd)]).toEqual([1, []]);
  expect(stderr).toContain("at most 470");
});

test("a name too long for the disk is an error with a hint, in every command", () => {
  const sandbox = new Sandbox();
  const name = "x".repeat(300);
  const paths = [name, join("/tmp", "deep/".repeat(1000))];
  for (const path of paths) {
    const commands = [
      ["put", path],
      ["ingest", path],
      ["folders", "add", path],
      ["migrate", path],
      ["mcp", "--directory", path],
      ["sessions", "export", "--output", path],
    ];
    for (const args of commands) {
      const { exitCode, stderr } = sandbox.run(args);
      expect([args[0], exitCode === 1 || exitCode === 2]).toEqual([args[0], true]);
      expect(stderr).not.toMatch(/bug in Retain|^ +at /m);
    }
    for (const args of [["list"], ["put", "-"], ["config"]]) {
      const env = { RETAIN_HOME: join(sandbox.root, path) };
      const { exitCode, stderr } = sandbox.run(args, { env, stdin: NOTE });
      expect([args[0], exitCode, /bug in Retain/.test(stderr)]).toEqual([args[0] ?? "", 1, false]);
      expect(stderr).toContain("shorter");
    }
  }
});
