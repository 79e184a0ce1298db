/** plugin/bin/retain: which command it runs, and that a hook does no harm without one. */
import { expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOOK_EVENTS } from "../../src/agent/hooks/events.ts";
import { PLUGIN, pluginHooks } from "../helpers/claude-code.ts";
import { Sandbox } from "../helpers/sandbox.ts";

const SYSTEM = "/usr/bin:/bin";

/** A command that prints its name and arguments. */
function command(path: string, does = `echo "${path} $*"; cat`): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${does}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A built checkout of Retain, as far as the plugin looks. */
function checkout(root: string): string {
  command(join(root, "bin/retain"));
  mkdirSync(join(root, "dist"));
  writeFileSync(join(root, "dist/retain.js"), "");
  return copied(join(root, "plugin"));
}

function copied(plugin: string): string {
  cpSync(PLUGIN, plugin, { recursive: true });
  return join(plugin, "bin/retain");
}

function run(sandbox: Sandbox, launcher: string, args: string[], path = SYSTEM) {
  const result = Bun.spawnSync([launcher, ...args], {
    cwd: sandbox.work,
    env: { PATH: path, HOME: sandbox.home },
    stdin: new TextEncoder().encode("said"),
    timeout: 20_000,
  });
  return {
    exitCode: result.exitCode,
    stdout: result.stdout.toString(),
    stderr: result.stderr.toString(),
  };
}

test("PLUGIN-8: the command that the plugin came with is used, also through a link", () => {
  const sandbox = new Sandbox();
  const root = join(sandbox.root, "a checkout");
  const launcher = checkout(root);
  const other = dirname(command(join(sandbox.root, "other/retain")));
  const said = run(sandbox, launcher, ["put", "a b"], `${other}:${SYSTEM}`).stdout;
  expect(said).toEndWith("bin/retain put a b\nsaid");
  expect(said).toContain(root);
  symlinkSync(join(root, "plugin"), join(sandbox.root, "link"));
  expect(run(sandbox, join(sandbox.root, "link/bin/retain"), ["list"]).stdout).toContain(
    `${root}/bin/retain`,
  );
});

test("PLUGIN-8: Claude Code's copy uses the checkout it was copied from, and no other marketplace's", () => {
  const sandbox = new Sandbox();
  const plugins = join(sandbox.home, ".claude/plugins");
  const launcher = copied(join(plugins, "cache/retain/retain/0.1.0"));
  const [ours, theirs] = [join(sandbox.root, "ours"), join(sandbox.root, "theirs")];
  for (const root of [ours, theirs]) checkout(root);
  const entry = (path: string) => ({ source: { source: "directory", path }, installLocation: path });
  const known = { "a-retain": entry(theirs), retain: entry(ours), zoo: entry(theirs) };
  writeFileSync(join(plugins, "known_marketplaces.json"), JSON.stringify(known, null, 2));
  expect(run(sandbox, launcher, ["list"]).stdout).toBe(`${ours}/bin/retain list\nsaid`);
  writeFileSync(
    join(plugins, "known_marketplaces.json"),
    JSON.stringify({ zoo: known.zoo, retain: entry("/gone") }, null, 2),
  );
  expect(run(sandbox, launcher, ["list"]).exitCode).toBe(127);
});

test("PLUGIN-8: otherwise the command on the PATH is used, whatever other launchers are there", () => {
  const sandbox = new Sandbox();
  const launcher = copied(join(sandbox.root, "one/plugin"));
  const second = copied(join(sandbox.root, "two/plugin"));
  const installed = command(join(sandbox.root, "in stalled/retain"));
  const path = [dirname(launcher), dirname(second), "", "relative", dirname(installed), SYSTEM].join(":");
  command(join(sandbox.work, "retain"));
  command(join(sandbox.work, "relative/retain"));
  expect(run(sandbox, launcher, ["search", "it's $HOME *"], path).stdout).toBe(
    `${installed} search it's $HOME *\nsaid`,
  );
});

test("PLUGIN-8: a checkout that is not built is skipped", () => {
  const sandbox = new Sandbox();
  command(join(sandbox.root, "checkout/bin/retain"));
  const launcher = copied(join(sandbox.root, "checkout/plugin"));
  const installed = command(join(sandbox.root, "installed/retain"));
  expect(run(sandbox, launcher, ["list"], `${dirname(installed)}:${SYSTEM}`).stdout).toStartWith(installed);
});

test("PLUGIN-8: without a command, a hook prints nothing and exits with 0; any other call says what to do", () => {
  const sandbox = new Sandbox();
  const launcher = copied(join(sandbox.root, "alone"));
  expect(run(sandbox, launcher, ["hook", "stop"])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
  const { exitCode, stdout, stderr } = run(sandbox, launcher, ["search", "x"]);
  expect([exitCode, stdout]).toEqual([127, ""]);
  expect(stderr).toMatch(/^retain: .*PATH/);
});

test("PLUGIN-8: a command without hooks, or one that fails, doesn't stop the session", () => {
  const sandbox = new Sandbox();
  const launcher = copied(join(sandbox.root, "alone"));
  for (const ending of ["exit 2", "exit 1", "kill -9 $$"]) {
    const installed = command(join(sandbox.root, "installed/retain"), ending);
    const path = `${dirname(installed)}:${SYSTEM}`;
    expect(run(sandbox, launcher, ["hook", "stop"], path).exitCode).toBe(0);
    expect(run(sandbox, launcher, ["list"], path).exitCode).not.toBe(0);
  }
});

test("PLUGIN-8: the hooks in hooks.json run in a shell, even in a directory with a space; stop in the background", async () => {
  const sandbox = new Sandbox();
  const root = join(sandbox.root, "a checkout");
  checkout(root);
  const heard = join(sandbox.root, "heard");
  const go = join(sandbox.root, "go");
  // Stop waits until this test has seen that its launcher has ended.
  const wait = `[ "$2" != stop ] || until [ -e '${go}' ]; do sleep 0.01; done`;
  command(join(root, "bin/retain"), `${wait}; echo "$* $(cat)" >> '${heard}'`);
  const env = { PATH: SYSTEM, CLAUDE_PLUGIN_ROOT: join(root, "plugin") };
  for (const { command: line } of pluginHooks()) {
    const result = Bun.spawnSync(["sh", "-c", line], { env, stdin: new TextEncoder().encode("{}") });
    expect([result.exitCode, result.stdout.length]).toEqual([0, 0]);
  }
  const events = () => readFileSync(heard, "utf8").trimEnd().split("\n");
  const [session, prompt, agent, stop, ...others] = HOOK_EVENTS.map((event) => `hook ${event} {}`);
  expect(events()).toEqual([session, prompt, agent, ...others] as string[]);
  writeFileSync(go, "");
  while (events().length < HOOK_EVENTS.length) await Bun.sleep(10);
  expect(events().at(-1)).toBe(stop);
});
