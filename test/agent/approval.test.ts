import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { ToolMode, ToolPlan } from "../../src/agent/tool.ts";
import { Approvals } from "../../src/agent/tools/approval.ts";
import { Place } from "./tools-place.ts";

const run = (place: Place, command: string) => place.plan("run_command", { command });
const read = (place: Place, path: string) => place.plan("read_file", { path });
const write = (place: Place, path: string) => place.plan("write_file", { path, content: "x" });
const verdict = (mode: ToolMode, plan: ToolPlan) => new Approvals(mode).judge(plan).verdict;

test("APPROVE-1: the mode decides what is allowed, needs approval or is blocked", async () => {
  const place = new Place();
  place.write(join(place.home, "other.txt"), "");
  const memory: ToolPlan = { ...(await read(place, "a")), reach: "memory" };
  const plans = {
    memory,
    "read inside": await read(place, "a.txt"),
    "read outside": await read(place, "~/other.txt"),
    "read secrets": await read(place, ".env"),
    "write inside": await write(place, "a.txt"),
    "write outside": await write(place, "~/other.txt"),
    run: await run(place, "npm publish"),
    "run outside": await run(place, "ls ~"),
    "run as another user": await run(place, "sudo ls"),
    "run what is plain": await run(place, "ls"),
    denied: await run(place, "rm -rf ~"),
  };
  const table = (mode: ToolMode): Record<string, string> =>
    Object.fromEntries(Object.entries(plans).map(([name, plan]) => [name, verdict(mode, plan)]));
  const all = (word: string): Record<string, string> =>
    Object.fromEntries(Object.keys(plans).map((name) => [name, word]));
  expect(table("none")).toEqual({ ...all("refuse"), memory: "allow" });
  expect(table("read")).toEqual({
    ...all("refuse"),
    memory: "allow",
    "read inside": "allow",
    "run what is plain": "allow",
  });
  expect(table("ask")).toEqual({
    ...all("ask"),
    memory: "allow",
    "read inside": "allow",
    "run what is plain": "allow",
    denied: "refuse",
  });
  expect(table("all")).toEqual({
    ...all("ask"),
    memory: "allow",
    "read inside": "allow",
    "write inside": "allow",
    run: "allow",
    "run what is plain": "allow",
    denied: "refuse",
  });
});

test("APPROVE-1: a blocked call gives the model and the user a reason", async () => {
  const place = new Place();
  const refused = new Approvals("read").judge(await run(place, "npm test"));
  expect(refused).toEqual({
    verdict: "refuse",
    why: expect.stringMatching(/--tools read .* read files/),
  });
  const reasons: readonly (readonly [string, string])[] = [
    ["rm -rf ~", "deletes your home directory"],
    ["rm -rf /", "deletes your home directory"],
    ["rm -rf .", "deletes the working directory"],
    ["rm -rf ~/.retain", "deletes a memory"],
    ["rm -rf /opt", "deletes all of /opt"],
    ["rm -rf .git", "deletes the project's git history"],
    ["cat ~/.ssh/id_rsa", "opens a file with keys or passwords"],
  ];
  for (const [command, why] of reasons)
    expect([command, new Approvals("all").judge(await run(place, command))]).toEqual([
      command,
      { verdict: "refuse", why },
    ]);
  const blocked = await place.run("run_command", { command: "rm -rf ~" });
  expect(blocked).toMatchObject({
    output: expect.stringContaining("run `rm -rf ~` (deletes your home directory)"),
    brief: "blocked: deletes your home directory",
  });
});

test("APPROVE-3: for a session, a write allows the same file, and an outside read allows the same directory", async () => {
  const place = new Place();
  place.write(join(place.home, "notes/a.txt"), "");
  const approvals = new Approvals("ask");
  approvals.allowForSession(await write(place, "src/a.ts"));
  place.write("src/a.ts", "changed");
  expect(approvals.judge(await write(place, "./src/../src/a.ts")).verdict).toBe("allow");
  expect(approvals.judge(await write(place, "src/b.ts")).verdict).toBe("ask");
  approvals.allowForSession(await read(place, "~/notes/a.txt"));
  expect(approvals.judge(await read(place, "~/notes/b.txt")).verdict).toBe("allow");
  expect(approvals.judge(await read(place, "~/notes")).verdict).toBe("allow");
  for (const path of ["~/a.txt", "~/notes/deeper/a.txt", "~/notes/.env", "~/notes/../b.txt"])
    expect([path, approvals.judge(await read(place, path)).verdict]).toEqual([path, "ask"]);
  expect((await write(place, "~/notes/a.txt")).pattern).toBeNull();
  expect((await write(place, "a\u001b.txt")).pattern).toBeNull();
});

test("APPROVE-5: files on the deny list stay blocked in every mode, by any path", async () => {
  const place = new Place();
  place.write(join(place.home, ".ssh/id_rsa"), "key");
  place.write(join(place.memory, "keys.yaml"), "anthropic: key");
  symlinkSync(join(place.home, ".ssh"), join(place.cwd, "link"));
  Bun.spawnSync(["git", "init", "-q", "--bare", "bare"], { cwd: place.cwd });
  const unread = [
    "~/.ssh/id_rsa",
    "~/.SSH/x",
    "~/.AWS/Credentials",
    "~/.ssh/new",
    "link/id_rsa",
    "link/new",
    "~/.aws/credentials",
    "~/.gnupg/x",
    "~/.netrc",
  ];
  for (const path of [
    ...unread,
    "/proc/self/environ",
    "/etc/shadow",
    "~/.retain/keys.yaml",
    "~/.retain/./keys.yaml",
    "~/.retain/server-token",
  ]) {
    const plan = await read(place, path);
    expect([path, verdict("all", plan), plan.pattern]).toEqual([path, "refuse", null]);
    expect([path, (await run(place, `cat ${path}`)).denied === null]).toEqual([path, false]);
    const { ok, output } = await plan.run(new AbortController().signal);
    expect([ok, output.includes("key:")]).toEqual([false, false]);
  }
  const unwritten = [
    "~/.ssh/config",
    "~/.ssh/authorized_keys",
    "link/rc",
    "~/.bashrc",
    "~/.zshrc",
    "~/.profile",
    "~/.gitconfig",
  ];
  const retains = [
    "~/.retain/config.yaml",
    "~/.retain/trusted-skills.yaml",
    "retain.db",
    ".retain/config.yaml",
    "x/retain.db-wal",
  ];
  const gits = [
    ".git/hooks/pre-commit",
    ".git/config",
    ".git/info/attributes",
    ".git/info/exclude",
    ".git",
    ".GIT/HEAD",
    "sub/.git/config",
    ".git/modules/a/hooks/b",
    "bare/config",
    "bare/hooks/post-update",
    "/dev/sda",
  ];
  for (const path of [...unread, ...unwritten, ...retains, ...gits]) {
    const plan = await write(place, path);
    expect([path, verdict("all", plan), plan.pattern]).toEqual([path, "refuse", null]);
    expect((await plan.run(new AbortController().signal)).ok).toBe(false);
  }
  for (const path of [
    "~/.ssh/config",
    "~/.ssh/id_rsa.pub",
    "~/.bashrc",
    ".git/config",
    "~/.retain/config.yaml",
  ])
    expect([path, (await read(place, path)).denied]).toEqual([path, null]);
});

test("APPROVE-7: a file that may contain secrets needs approval in every mode", async () => {
  const place = new Place();
  mkdirSync(join(place.cwd, "certs"));
  for (const path of [
    ".env",
    ".env.production",
    "certs/a.pem",
    "id_rsa",
    "secrets.yaml",
    ".npmrc",
    ".git/config",
  ])
    expect([path, verdict("all", await read(place, path))]).toEqual([path, "ask"]);
  for (const path of [".env.example", "env.ts", "key.ts", "pem.md"])
    expect([path, verdict("ask", await read(place, path))]).toEqual([path, "allow"]);
});

test("APPROVE-7: writing to the user's memory needs approval in every mode", async () => {
  const there = new Place();
  const own = new Place({ cwd: there.home, homeDirectory: there.home, roots: [there.memory] });
  expect(verdict("all", await write(own, ".retain/skills/x/SKILL.md"))).toBe("ask");
  expect(verdict("all", await write(own, "elsewhere.md"))).toBe("allow");
  expect(verdict("all", await run(own, "cp x .retain/skills/x/SKILL.md"))).toBe("ask");
});
