import { expect, test } from "bun:test";
import { chmodSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { COMMANDS } from "../../src/cli/commands.ts";
import { testNeeding } from "../helpers/needs.ts";
import { RETAIN, Sandbox } from "../helpers/sandbox.ts";
import { TerminalScreen } from "../helpers/tmux.ts";

test("CLI-1: --help names every command on one screen, and help all explains each", () => {
  const sandbox = new Sandbox();
  const overview = sandbox.ok(["--help"]).stdout;
  for (const { name } of COMMANDS) expect(overview).toContain(name);
  const lines = overview.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(23);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(sandbox.ok([]).stdout).toBe(overview);
  expect(sandbox.ok(["help"]).stdout).toBe(overview);
  const all = sandbox.ok(["help", "all"]).stdout;
  for (const { usage, summary } of COMMANDS)
    expect(all).toMatch(new RegExp(`${RegExp.escape(usage)} +${RegExp.escape(summary)}\\n`));
  expect(Math.max(...all.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("CLI-1: every command has examples and the common options", () => {
  const sandbox = new Sandbox();
  for (const { name } of COMMANDS) {
    const help = sandbox.ok([name, "--help"]).stdout;
    for (const part of [
      "Examples:",
      `retain ${name}`,
      "--local",
      "--global",
      "--json",
      "--quiet",
      "--verbose",
    ])
      expect(help).toContain(part);
    expect(sandbox.ok(["help", name]).stdout).toBe(help);
  }
});

test("CLI-5: a mistyped command or option gets a suggestion", () => {
  const sandbox = new Sandbox();
  const command = sandbox.run(["lst"]);
  expect(command.exitCode).toBe(2);
  expect(command.stderr).toContain("Did you mean 'retain list'?");
  const option = sandbox.run(["list", "--colection", "x"]);
  expect(option.exitCode).toBe(2);
  expect(option.stderr).toContain("--collection");
  expect(sandbox.run(["get"]).exitCode).toBe(2);
  expect(sandbox.run(["get", "a", "b"]).exitCode).toBe(2);
  expect(sandbox.run(["get", "a", "--format", "xml"]).exitCode).toBe(2);
});

test("PRINT-13: a question in Chinese, Japanese or Korean needs no question mark", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["remember", "我女儿喜欢恐龙"]);
  expect(sandbox.ok(["我女儿喜欢什么", "--quiet"]).stdout).toContain("恐龙");
  for (const question of ["何が好き", "뭐좋아해"]) expect(sandbox.run([question, "-q"]).exitCode).toBe(0);
  expect(sandbox.run(["lístt"]).exitCode).toBe(2);
});

test("CLI-4: --json is one envelope on stdout for every command", () => {
  const sandbox = new Sandbox();
  const file = sandbox.write("a.md", "# A\n\ntext\n");
  const commands = [
    ["put", file],
    ["put", file, "--tags", "x"],
    ["get", "a"],
    ["update", "a", "--tags", "y"],
    ["list"],
    ["collections"],
    ["versions", "a"],
    ["diff", "a"],
    ["restore", "a", "--version", "1"],
    ["edit", "a"],
    ["delete", "a"],
    ["init"],
    ["where"],
    ["config"],
    ["completion", "bash"],
    ["demo"],
    ["--help"],
  ];
  for (const args of commands) {
    const { json, stderr } = sandbox.ok([...args, "--json"], { env: { EDITOR: "true" } });
    expect(Object.keys(json)).toEqual(["ok", "command", "data", "warnings"]);
    expect(json.ok).toBe(true);
    expect(stderr).toBe("");
  }
});

test("CLI-4: with --json an error is an envelope too, before or after the command", () => {
  const sandbox = new Sandbox();
  for (const args of [
    ["--json", "get", "nope"],
    ["get", "nope", "--json"],
    ["nonsense", "--json"],
    ["get", "--json"],
  ]) {
    const { json, exitCode } = sandbox.run(args);
    expect(json.ok).toBe(false);
    expect(json.error.exit_code).toBe(exitCode);
    expect(Object.keys(json.error)).toEqual(["code", "message", "hint", "exit_code"]);
  }
});

test("CLI-5: each exit code means what it says", () => {
  const sandbox = new Sandbox();
  const put = (...more: string[]) =>
    sandbox.run(["put", "-", "--id", "a", ...more], { stdin: "# A\n" }).exitCode;
  expect(put()).toBe(0);
  expect(sandbox.run(["get", "b"]).exitCode).toBe(1);
  expect(sandbox.run(["get"]).exitCode).toBe(2);
  expect(put("--no-overwrite")).toBe(3);
});

testNeeding("tmux")("CLI-15: colours only on a terminal, and not with NO_COLOR", async () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  expect(sandbox.ok(["list"]).stdout).not.toContain("\x1b");
  expect(sandbox.run(["get", "zzz"]).stderr).not.toContain("\x1b");
  const coloured = new TerminalScreen(sandbox, "retain list");
  expect(await coloured.shows("[exit 0]", true)).toContain("\x1b[36m");
  coloured.close();
  const plain = new TerminalScreen(sandbox, "retain list", { NO_COLOR: "1" });
  expect(await plain.shows("[exit 0]", true)).not.toContain("\x1b[36m");
  plain.close();
});

test("CLI-7: --quiet prints only what a script needs", () => {
  const sandbox = new Sandbox();
  expect(sandbox.ok(["put", "-", "--quiet"], { stdin: "# Some Title\n" }).stdout).toBe("some-title\n");
  expect(sandbox.ok(["put", "-", "-q"], { stdin: "# Other\n" }).stdout).toBe("other\n");
  expect(sandbox.ok(["update", "other", "--tags", "x", "-q"])).toMatchObject({ stdout: "", stderr: "" });
  expect(sandbox.ok(["list", "-q", "--sort", "id"]).stdout).toBe("other\nsome-title\n");
  expect(sandbox.ok(["get", "other", "-q", "--format", "raw"]).stdout).toBe("# Other\n");
});

test("CLI-7: a command without output does not truncate the file stdout is redirected to", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "a"], { stdin: "# A\n" });
  const script =
    '(echo before; "$0" update a --tags x --quiet; "$0" list --filter tags=none --quiet; echo after) > out.txt';
  Bun.spawnSync(["sh", "-c", script, RETAIN], { cwd: sandbox.work, env: sandbox.env() });
  expect(readFileSync(join(sandbox.work, "out.txt"), "utf8")).toBe("before\nafter\n");
});

test("WS-5: --verbose shows which workspace is used, and why", () => {
  const sandbox = new Sandbox();
  expect(sandbox.ok(["list", "-v"]).stderr).toContain("so the home workspace is used");
  sandbox.ok(["init"]);
  expect(sandbox.ok(["list", "--verbose"]).stderr).toContain(`${sandbox.work}/.retain/config.yaml makes`);
});

test("CLI-21: a reader that stops early isn't an error", () => {
  const sandbox = new Sandbox();
  for (let index = 0; index < 40; index++)
    sandbox.write(`many/${index}.md`, `# T${index}\n\n${"x".repeat(20_000)}\n`);
  sandbox.ok(["put", "many"]);
  const env = sandbox.env({ PATH: `${join(RETAIN, "..")}:${process.env.PATH}` });
  const script =
    "set -o pipefail; for id in 1 2 3; do retain get t$id; done | head -c 10; retain list --format json | head -1";
  const result = Bun.spawnSync(["bash", "-c", script], { cwd: sandbox.work, env });
  expect(result.stderr.toString()).toBe("");
});

test("CLI-11: the current directory's Bun settings have no effect", () => {
  const sandbox = new Sandbox();
  sandbox.write("bunfig.toml", 'preload = ["./evil.ts"]\n');
  sandbox.write("evil.ts", `require("node:fs").writeFileSync("${sandbox.work}/owned", "x")`);
  sandbox.write(".env", `RETAIN_HOME=${sandbox.work}/elsewhere\n`);
  sandbox.write("tsconfig.json", "{ broken");
  sandbox.write("package.json", "{ broken");
  sandbox.ok(["put", "-"], { stdin: "# A\n" });
  expect(existsSync(join(sandbox.work, "owned"))).toBe(false);
  expect(existsSync(join(sandbox.work, "elsewhere"))).toBe(false);
  expect(existsSync(sandbox.path("memory", "a"))).toBe(true);
});

test("CLI-12: the demo works with nothing configured and leaves nothing behind", () => {
  const sandbox = new Sandbox();
  const before = readdirSync(sandbox.root).sort();
  const { stdout } = sandbox.ok(["demo"]);
  for (const part of [
    "$ ",
    "retain put",
    "retain get gpu-patterns",
    "Tags: gpu, metal, benchmark",
    "retain init",
  ])
    expect(stdout).toContain(part);
  expect(readdirSync(sandbox.root).sort()).toEqual(before);
  expect(sandbox.tree()).toEqual([]);
});

testNeeding("tmux")(
  "long ids and titles leave room for other columns, and the bar stays on its line",
  async () => {
    const sandbox = new Sandbox();
    for (let index = 0; index < 130; index++)
      sandbox.write(`d/${index}.md`, `# Note ${index} 记忆系统 with a long title that goes on and on\n`);
    const screen = new TerminalScreen(
      sandbox,
      "retain put d --tags one,two,three,four; retain list --limit 2",
    );
    const shown = await screen.shows("[exit 0]");
    screen.close();
    expect(shown.match(/Storing/g)).toHaveLength(1);
    expect(shown).toMatch(/^ID .*TITLE .*COLLECTION .*TAGS .*CREATED$/m);
    expect(shown).toMatch(/^note-\d+-记忆系统.*….*memory.*….* \d{4}-\d\d-\d\d$/m);
  },
);

testNeeding("tmux")("a long folder is shortened with an ellipsis, not cut off", async () => {
  const sandbox = new Sandbox();
  const folder = `a-folder-${"with-a-long-name-".repeat(6)}`;
  sandbox.write(`${folder}/a.md`, "# A\n");
  sandbox.ok(["folders", "add", folder, "--name", "vault"]);
  const screen = new TerminalScreen(sandbox, "retain collections; retain folders");
  const shown = await screen.shows("[exit 0]");
  screen.close();
  expect(shown).toMatch(/^vault +1 .*read from .*…$/m);
  expect(shown).toMatch(/^vault +1 +\/.*…$/m);
});

test("days are in the reader's time zone, as in filters", () => {
  const sandbox = new Sandbox();
  const metadata = '{"created_at": "2026-03-01T20:00:00Z"}';
  sandbox.ok(["put", "-", "--id", "a", "--metadata", metadata], { stdin: "# A\n" });
  for (const [zone, day] of [
    ["Asia/Tokyo", "2026-03-02"],
    ["UTC", "2026-03-01"],
    ["America/New_York", "2026-03-01"],
  ] as const) {
    const env = { TZ: zone };
    expect(sandbox.ok(["list"], { env }).stdout).toContain(day);
    expect(sandbox.ok(["list", "-q", "--filter", `created_at=${day}`], { env }).stdout).toBe("a\n");
  }
});

testNeeding("tmux")(
  "CLI-15: a document's control characters are escaped on a terminal and kept in a pipe",
  async () => {
    const sandbox = new Sandbox();
    const text = "# Red \x1b[31mtitle\n\nclear \x1b[2J screen\n";
    sandbox.ok(["put", "-", "--id", "evil"], { stdin: text });
    expect(sandbox.ok(["get", "evil"]).stdout).toContain("clear \x1b[2J screen");
    expect(sandbox.ok(["list"]).stdout).not.toContain("\x1b");
    const screen = new TerminalScreen(
      sandbox,
      "echo still here; retain get evil; retain get evil --format raw; retain list; retain versions evil",
    );
    const shown = await screen.shows("[exit 0]", true);
    screen.close();
    expect(shown).toContain("still here");
    expect(shown).not.toContain("\x1b[31m");
  },
);

testNeeding("tmux")(
  "CLI-5: Ctrl-C ends a long put with 130, and the counted files are stored",
  async () => {
    const sandbox = new Sandbox();
    for (let index = 0; index < 200; index++) sandbox.write(`a/${index}.md`, `# Document ${index}\n\ntext\n`);
    // Nobody writes to the pipe, so the import stands still behind the files before it.
    Bun.spawnSync(["mkfifo", join(sandbox.work, "pipe")]);
    const screen = new TerminalScreen(sandbox, "retain put a pipe");
    await screen.shows("192/201");
    screen.type("C-c");
    const shown = await screen.shows("[exit 130]");
    screen.close();
    expect(shown).toContain("Interrupted: 192 of 201");
    expect(sandbox.ok(["list", "--json"]).json.data.total).toBe(192);
  },
  60_000,
);

test("the launcher works through links, from anywhere", () => {
  const sandbox = new Sandbox();
  const first = join(sandbox.root, "first");
  symlinkSync(RETAIN, first);
  symlinkSync("../first", join(sandbox.work, "second"));
  const run = (command: string[]) =>
    Bun.spawnSync(command, { cwd: sandbox.work, env: sandbox.env() }).stdout.toString();
  expect(run([first, "--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(run(["./second", "--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(run(["sh", "-c", `PATH=${sandbox.work}:$PATH; second --version`])).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("without any Bun the launcher says what to do", () => {
  const sandbox = new Sandbox();
  const launcher = sandbox.write("package/bin/retain", readFileSync(RETAIN));
  chmodSync(launcher, 0o755);
  const result = Bun.spawnSync([launcher, "list"], { env: { PATH: sandbox.home } });
  expect(result.exitCode).toBe(1);
  expect(result.stderr.toString()).toContain("Bun is missing");
});

test("programs that a command starts don't inherit the launcher's settings for Bun", () => {
  const sandbox = new Sandbox();
  sandbox.ok(["put", "-", "--id", "note"], { stdin: "A note." });
  const seen = `${sandbox.work}/seen`;
  sandbox.ok(["edit", "note"], { env: { EDITOR: `env > ${seen}; true` } });
  expect(readFileSync(seen, "utf8")).toContain("HOME=");
  expect(readFileSync(seen, "utf8")).not.toContain("BUN_JSC");
});
